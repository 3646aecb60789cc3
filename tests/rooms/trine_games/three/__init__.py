"""Three in a row: the smallest complete game, for tests. The game definition."""

from trine.core.contract.handbook import Handbook
from trine.core.contract.room import Room, RoomView, Rules
from trine_games.three import diagrams, notation
from trine_games.three.board import SEATS
from trine_games.three.position import Position
from trine_games.three.rules import RULE_SETS
from trine_games.three.view import board, insight

ROOM = Room(
    name="three",
    title="Three in a row",
    rule_sets=RULE_SETS,
    default_rules="plain",
    seats=SEATS,
    rules=Rules.of(
        diagrams,
        notation,
        start=lambda rules, options: Position(),
        start_tags=lambda first: (
            {} if first == Position() else {"Start": diagrams.format_position(first)}
        ),
        turns_of_one=True,
    ),
    view=RoomView.of(board, insight=insight.Insight),
    handbook=Handbook(package=__name__),
)
