"""Corridor and Quoridor: four rule sets. The game definition."""

from types import MappingProxyType

from trine.core.contract import Book, Document, Room, RoomView, Rules
from trine.core.text.sentence import text
from trine.games.corridor.board import SEATS
from trine.games.corridor.diagrams import format_position, parse_position
from trine.games.corridor.formats import FORMATS
from trine.games.corridor.knowledge.solved import solved
from trine.games.corridor.knowledge.strategy import pathfinder, wall_builder
from trine.games.corridor.notation import read_action
from trine.games.corridor.position import unsearched
from trine.games.corridor.rules import RULE_SETS
from trine.games.corridor.starts import OPTIONS, settle, start, start_tags
from trine.games.corridor.symmetries import symmetries
from trine.games.corridor.typed import WORDS, interpret
from trine.games.corridor.view.editor import EDITOR
from trine.games.corridor.view.effects import THEMES, effects
from trine.games.corridor.view.first_games import FIRST_GAMES
from trine.games.corridor.view.insight import insight
from trine.games.corridor.view.lessons import LESSONS
from trine.games.corridor.view.panel import cause, changed_cells, coach, group_actions, status
from trine.games.corridor.view.picks import gestures, handles, picks
from trine.games.corridor.view.rulebook import CLAUSES, blanks
from trine.games.corridor.view.scene import scene
from trine.games.corridor.view.text_board import PIECE_SETS, text_board

ROOM = Room(
    name="corridor",
    title="Corridor",
    rule_sets=RULE_SETS,
    default_rules="quoridor",
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
        turns_of_one=True,
        symmetries=symmetries,
        unsearched=unsearched,
        solved=solved,
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
        changed_cells=changed_cells,
        effects=effects,
        cause=cause,
        picks=picks,
        handles=handles,
        gestures=gestures,
        editor=EDITOR,
    ),
    book=Book(
        clauses=CLAUSES,
        course=LESSONS,
        first_games=FIRST_GAMES,
        blanks=blanks,
        words=WORDS,
        documents=(
            Document("ru", "corridor", {"Drawn": "caught"}),
            Document("ru", "great-wall", {"Drawn": "caught"}),
        ),
        themes=THEMES,
        strategists=MappingProxyType({"pathfinder": pathfinder, "wall-builder": wall_builder}),
        advice=MappingProxyType(
            {
                "pathfinder": text(
                    "the Russian document: go while your way is the shorter one, "
                    "build while it is not"
                ),
                "wall-builder": text("the Russian document: build a wall behind your back"),
            }
        ),
    ),
)
