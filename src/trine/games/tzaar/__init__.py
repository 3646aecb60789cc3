"""TZAAR: two rule sets. The game definition."""

from trine.core.contract.handbook import Document, Handbook
from trine.core.contract.room import Room, RoomView, Rules
from trine.games.tzaar import diagrams, formats, notation, starts, symmetries
from trine.games.tzaar.board import SEATS
from trine.games.tzaar.knowledge import strategy
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import RULE_SETS
from trine.games.tzaar.view import board, effects, insight, pointing

ROOM = Room(
    name="tzaar",
    title="TZAAR",
    rule_sets=RULE_SETS,
    default_rules="official",
    seats=SEATS,
    rules=Rules.of(
        starts,
        notation,
        symmetries,
        formats,
        parse_position=lambda words, rules: diagrams.parse_position(
            words, RULE_SETS[rules] if rules else None
        ),
        format_position=diagrams.format_position,
        interpret=starts.interpret,
        passed=Position.passed,
    ),
    view=RoomView.of(board, insight, effects, pointing),
    handbook=Handbook.of(
        diagrams,
        notation,
        effects,
        strategy,
        package=__name__,
        documents=(Document("ru", "open", {"Setup": "placement"}),),
    ),
)
