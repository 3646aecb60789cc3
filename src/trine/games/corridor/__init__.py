"""Corridor and Quoridor: four rule sets. The game definition."""

from trine.core.contract.handbook import Document, Handbook
from trine.core.contract.room import Room, RoomView, Rules
from trine.games.corridor import diagrams, formats, notation, position, starts, symmetries
from trine.games.corridor.board import SEATS
from trine.games.corridor.knowledge import solved, strategy
from trine.games.corridor.rules import RULE_SETS
from trine.games.corridor.view import editor, effects, insight, pointing, scene, text_board

ROOM = Room(
    name="corridor",
    title="Corridor",
    rule_sets=RULE_SETS,
    default_rules="quoridor",
    seats=SEATS,
    rules=Rules.of(
        starts,
        notation,
        position,
        symmetries,
        solved,
        formats,
        parse_position=lambda words, rules: diagrams.parse_position(
            words, RULE_SETS[rules] if rules else None
        ),
        format_position=diagrams.format_position,
        turns_of_one=True,
        passed=position.Position.passed,
    ),
    view=RoomView.of(scene, text_board, insight, effects, pointing, editor),
    handbook=Handbook.of(
        diagrams,
        notation,
        effects,
        strategy,
        package=__name__,
        documents=(
            Document("ru", "corridor", {"Drawn": "caught"}),
            Document("ru", "great-wall", {"Drawn": "caught"}),
        ),
    ),
)
