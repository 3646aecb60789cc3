"""From the referee's position to the kernel's row and back, exactly.

Only the number of the turn and the owners of the walls are lost, which do not count when positions
are compared.
"""

from __future__ import annotations

from typing import Final

from trine.games.corridor.board import LEFT, UNCHOSEN
from trine.games.corridor.kernel import (
    clear,
    has_place,
    has_wall,
    judge,
    put_wall,
    set_hand,
    set_mover,
    set_pawn,
)
from trine.games.corridor.kernel_row import (
    CORRIDOR,
    CORRIDOR_8,
    GONE,
    GREAT_WALL,
    NO_LIMIT,
    NOT_CHOSEN,
    NUMBER,
    QUORIDOR,
    SQUARE,
    Row,
    hand_of,
    mover,
    pawn_of,
    players_of,
    rules_of,
    size_of,
)
from trine.games.corridor.numbering import AXES, number_of
from trine.games.corridor.position import Position
from trine.games.corridor.rules import RULE_SETS, Wall

RULE_NUMBERS: Final = {
    "quoridor": QUORIDOR,
    "corridor": CORRIDOR,
    "corridor-8": CORRIDOR_8,
    "great-wall": GREAT_WALL,
}
_NAMES: Final = {number: name for name, number in RULE_NUMBERS.items()}
_NO_SQUARE: Final = {UNCHOSEN: NOT_CHOSEN, LEFT: GONE}
_NO_SQUARE_HERE: Final = {code: square for square, code in _NO_SQUARE.items()}


def to_row(position: Position, row: Row) -> None:
    """Write a position into a row of the kernel.

    Shapes: ``row`` has at least `words(size)` words, and is the caller's; the rest is not touched.
    """
    size = position.size
    clear(row, RULE_NUMBERS[position.rules.name], size, position.players)
    for player, (pawn, hand) in enumerate(zip(position.pawns, position.hands, strict=True)):
        set_pawn(row, player, _NO_SQUARE[pawn] if pawn < 0 else int(SQUARE[size, pawn]))
        set_hand(row, player, NO_LIMIT if hand is None else hand)
    for wall in position.walls:
        put_wall(row, number_of(position, wall))
    set_mover(row, position.mover)
    judge(row)


def to_position(row: Row) -> Position:
    """The position in a row of the kernel; its turn has the number 1, and its walls no owners."""
    size, players = size_of(row), range(players_of(row))
    pawns = (pawn_of(row, player) for player in players)
    hands = (hand_of(row, player) for player in players)
    walls = [
        Wall(place % size, place // size, name)
        for axis, name in enumerate(AXES)
        for place in range(size * size)
        if has_place(row, axis, place) and has_wall(row, axis, int(SQUARE[size, place]))
    ]
    return Position(
        RULE_SETS[_NAMES[rules_of(row)]],
        size,
        tuple(_NO_SQUARE_HERE[p] if p in _NO_SQUARE_HERE else int(NUMBER[size, p]) for p in pawns),
        tuple(None if hand == NO_LIMIT else hand for hand in hands),
        tuple(sorted(walls)),
        mover(row),
    )
