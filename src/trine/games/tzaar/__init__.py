"""TZAAR: two rule sets. The game definition."""

from trine.core.contract import Document, Room
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
    options=OPTIONS,
    settle=settle,
    start=start,
    start_tags=start_tags,
    parse_position=lambda words, rules: parse_position(words, RULE_SETS[rules] if rules else None),
    format_position=format_position,
    read_action=read_action,
    interpret=interpret,
    words=WORDS,
    changed_cells=changed_cells,
    insight=insight,
    effects=effects,
    text_board=text_board,
    piece_sets=PIECE_SETS,
    documents=(Document("ru", "open", {"Setup": "placement"}),),
    status=status,
    scene=scene,
    picks=picks,
    group_actions=group_actions,
    about=about,
    setup_words=PROMPT_WORDS,
    clauses=CLAUSES,
    course=LESSONS,
    formats=FORMATS,
    symmetries=symmetries,
    coach=coach,
    cause=cause,
    editor=EDITOR,
    words_by_consent=WORDS_BY_CONSENT,
    movements=movements,
    themes=THEMES,
    strategists={"counter": counter},
    advice={
        "counter": text(
            "the Russian document: place in a mass, in lines and among enemies; count the captures"
        )
    },
)
