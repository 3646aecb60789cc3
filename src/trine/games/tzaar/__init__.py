"""TZAAR: two rule sets. The game definition."""

from trine.core.contract import Book, Document, Room, RoomView, Rules
from trine.core.text.sentence import text
from trine.games.tzaar.board import SEATS
from trine.games.tzaar.diagrams import format_position, parse_position
from trine.games.tzaar.formats import FORMATS
from trine.games.tzaar.knowledge.strategy import counter
from trine.games.tzaar.notation import read_action
from trine.games.tzaar.reasons import about
from trine.games.tzaar.rules import RULE_SETS
from trine.games.tzaar.starts import (
    OPTIONS,
    PROMPT_WORDS,
    WORDS_BY_CONSENT,
    settle,
    start,
    start_tags,
)
from trine.games.tzaar.symmetries import symmetries
from trine.games.tzaar.typed import WORDS, interpret
from trine.games.tzaar.view.editor import EDITOR
from trine.games.tzaar.view.effects import THEMES, effects
from trine.games.tzaar.view.first_games import FIRST_GAMES
from trine.games.tzaar.view.insight import insight
from trine.games.tzaar.view.lessons import LESSONS
from trine.games.tzaar.view.picks import movements, picks
from trine.games.tzaar.view.rulebook import CLAUSES
from trine.games.tzaar.view.scene import scene
from trine.games.tzaar.view.text_board import (
    PIECE_SETS,
    cause,
    changed_cells,
    coach,
    group_actions,
    status,
    text_board,
)

ROOM = Room(
    name="tzaar",
    title="TZAAR",
    rule_sets=RULE_SETS,
    default_rules="official",
    seats=SEATS,
    rules=Rules(
        start=start,
        start_tags=start_tags,
        parse_position=lambda words, rules: parse_position(
            words, RULE_SETS[rules] if rules else None
        ),
        format_position=format_position,
        read_action=read_action,
        interpret=interpret,
        options=OPTIONS,
        settle=settle,
        setup_words=PROMPT_WORDS,
        words_by_consent=WORDS_BY_CONSENT,
        symmetries=symmetries,
        formats=FORMATS,
    ),
    view=RoomView(
        text_board=text_board,
        piece_sets=PIECE_SETS,
        scene=scene,
        insight=insight,
        status=status,
        group_actions=group_actions,
        coach=coach,
        about=about,
        changed_cells=changed_cells,
        movements=movements,
        effects=effects,
        cause=cause,
        picks=picks,
        editor=EDITOR,
    ),
    book=Book(
        clauses=CLAUSES,
        course=LESSONS,
        first_games=FIRST_GAMES,
        words=WORDS,
        documents=(Document("ru", "open", {"Setup": "placement"}),),
        themes=THEMES,
        strategists={"counter": counter},
        advice={
            "counter": text(
                "the Russian document: place in a mass, in lines and among enemies; "
                "count the captures"
            )
        },
    ),
)
