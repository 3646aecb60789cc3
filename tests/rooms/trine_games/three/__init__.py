"""Three in a row: the smallest complete game, for tests. The game definition."""

from trine.core.contract import Handbook, Room, RoomView, Rules
from trine_games.three.board import SEATS
from trine_games.three.diagrams import format_position, parse_position
from trine_games.three.notation import interpret, read_action
from trine_games.three.position import Position
from trine_games.three.rules import RULE_SETS
from trine_games.three.view.board import PIECE_SETS, draw, text_board
from trine_games.three.view.insight import Insight

ROOM = Room(
    name="three",
    title="Three in a row",
    rule_sets=RULE_SETS,
    default_rules="plain",
    seats=SEATS,
    rules=Rules(
        start=lambda rules, options: Position(),
        start_tags=lambda first: {} if first == Position() else {"Start": format_position(first)},
        parse_position=parse_position,
        format_position=format_position,
        read_action=read_action,
        interpret=interpret,
        turns_of_one=True,
    ),
    view=RoomView(
        text_board=text_board,
        piece_sets=PIECE_SETS,
        draw=draw,
        insight=Insight,
    ),
    handbook=Handbook(package=__name__),
)
