"""What the refusals of TZAAR claim, checked by the referee and by looking at the board."""

from dataclasses import replace
from typing import Final

from games.claims import Claims, Refused
from trine.core.contract.position import Reason
from trine.games.tzaar.board import (
    COORDINATES,
    DIRECTIONS,
    EMPTY,
    KINDS,
    NO_HEIGHTS,
    PIECES,
    POINT_OF,
    SIDE,
    SIDE_NAMES,
    coordinates,
    piece_name,
)
from trine.games.tzaar.position import Position
from trine.games.tzaar.referee import Stage
from trine.games.tzaar.rules import Capture, Stacking, captures_from


def on(asked: Refused, cell: str) -> str:
    return str(asked.position.tops[POINT_OF[cell]])


def own(asked: Refused, cell: str) -> bool:
    return bool(SIDE[on(asked, cell)] == asked.position.mover)


def words(position: Position) -> set[str]:
    return set(map(str, position.legal_actions()))


def goes(asked: Refused, tops: str) -> bool:
    """Whether the stack could capture a small enemy at the target on another board."""
    heights = list(NO_HEIGHTS)
    target, origin = POINT_OF[asked.last], POINT_OF[asked.first]
    board = list(tops)
    board[origin], board[target] = "T", "t"
    heights[origin] = heights[target] = 1
    return Capture(origin, target) in captures_from("".join(board), tuple(heights), origin)


def on_empty_board(asked: Refused) -> bool:
    return goes(asked, EMPTY * len(asked.position.tops))


def between(asked: Refused, place: tuple[int, int]) -> bool:
    """Whether a place is between the two points, on a line along one of the six directions."""
    (a, b), (c, d) = COORDINATES[POINT_OF[asked.first]], COORDINATES[POINT_OF[asked.last]]
    length = max(abs(c - a), abs(d - b) // 2)
    right, up = (c - a) / length, (d - b) / length
    line = [(a + right * step, b + up * step) for step in range(1, length)]
    return (right, up) in DIRECTIONS and place in line


def stands_between(asked: Refused) -> bool:
    (cell,) = asked.cells("piece")
    blocked = {POINT_OF[asked.first], POINT_OF[asked.last], POINT_OF[cell]}
    alone = "".join(
        top if point in blocked else EMPTY for point, top in enumerate(asked.position.tops)
    )
    return (
        on(asked, cell) != EMPTY
        and between(asked, COORDINATES[POINT_OF[cell]])
        and on_empty_board(asked)
        and not goes(asked, alone)
    )


def is_higher(asked: Refused) -> bool:
    heights, one, other = asked.position.heights, POINT_OF[asked.first], POINT_OF[asked.last]
    lower = list(heights)
    lower[other] = heights[one]
    legal = replace(asked.position, heights=tuple(lower)).legal_actions()
    shown = (int(asked["other"]), int(asked["height"]))
    return (heights[other], heights[one]) == shown and Capture(one, other) in legal


def moves_nothing(asked: Refused) -> bool:
    (cell,) = asked.cells("piece")
    return own(asked, cell) and not [word for word in words(asked.position) if word[:2] == cell]


def none_left(asked: Refused) -> bool:
    hand = zip(KINDS, asked.position.hand(asked.position.mover), strict=True)
    return asked["piece"] not in {str(piece_name(kind)) for kind, count in hand if count}


CLAIMS: Final[Claims] = {
    "the board is filled first; place a piece, such as Zc3": lambda asked: (
        asked.position.stage is Stage.PLACE
    ),
    "nothing is placed any more; stacks are moved now": lambda asked: (
        asked.position.stage is not Stage.PLACE
    ),
    "{piece} is in the way": lambda asked: (
        asked.position.in_setup
        and asked.cells("piece") == [asked.last]
        and on(asked, asked.last) != EMPTY
    ),
    "no {piece} is left to place; in hand: {hand}": none_left,
    "{side} places a piece now": lambda asked: (
        asked["side"] == str(SIDE_NAMES[asked.position.mover])
        and {asked.first, asked.last} & set(PIECES[1 - asked.position.mover])
    ),
    "the play is over: {side} shows no {piece} any more": lambda asked: (
        asked.position.outcome().reason is Reason.EXTINCTION
    ),
    "the play is over: {side} can capture nothing": lambda asked: (
        asked.position.outcome().reason is Reason.NO_CAPTURE
    ),
    "White's very first turn is one capture and nothing else": lambda asked: (
        asked.position.stage is Stage.FIRST
    ),
    "the first action of a turn must be a capture; {side} has to capture now": lambda asked: (
        asked.position.stage is Stage.ONE
        and all(isinstance(one, Capture) for one in asked.position.legal_actions())
        and not isinstance(asked.action, Capture)
    ),
    "nothing stands on {cell}": lambda asked: (
        asked["cell"] == asked.first and on(asked, asked.first) == EMPTY
    ),
    "{piece} is the other side's; {side} is to move": lambda asked: (
        SIDE[on(asked, *asked.cells("piece"))] == 1 - asked.position.mover
    ),
    "a stack must go to another point than {cell}": lambda asked: asked.first == asked.last,
    "no line leads from {origin} to {target}": lambda asked: (
        not on_empty_board(asked) and not between(asked, coordinates("e5"))
    ),
    "the missing centre lies between {origin} and {target}; no line leads over it": lambda asked: (
        not on_empty_board(asked) and between(asked, coordinates("e5"))
    ),
    "{piece} stands between {origin} and {target}": stands_between,
    "nothing stands on {cell}, and a stack goes only where another one stands": lambda asked: (
        asked["cell"] == asked.last
        and on(asked, asked.last) == EMPTY
        and goes(asked, asked.position.tops)
    ),
    "{piece} is your own; capture one of the other side's": lambda asked: own(asked, asked.last),
    "{piece} is your own; {action} would stack onto it": lambda asked: (
        own(asked, asked.last) and asked["action"] in words(asked.position)
    ),
    "{piece} is the other side's; {action} would capture it": lambda asked: (
        isinstance(asked.action, Stacking) and asked["action"] in words(asked.position)
    ),
    "{victim} has height {other}, {piece} only {height}; a stack cannot capture a higher one": (
        is_higher
    ),
    "{piece} can capture nothing": moves_nothing,
}
