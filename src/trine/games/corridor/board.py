"""The board of Corridor: squares, sides, seats. No walls and no rules.

The board has ``size`` × ``size`` squares. A square is a number from 0 (a1) along the rank and then
up: ``rank * size + file``, files and ranks counted from 0. A *set* of squares is an integer with
the bit of each of its squares (a bitboard); so ``&`` is the intersection, ``|`` the union, and
shifting by ``size`` moves all squares of a set one rank up at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from trine.core.contract.position import Seat
from trine.core.text.sentence import Text, ctext

SIZES: Final = range(3, 20)
USUAL_SIZE: Final = 9
MAX_WALLS: Final = 31
"""The most walls in a limited hand; compiled code supports no more."""
MAX_SEARCHED_SIZE: Final = 11
"""The size of the largest board that compiled code supports: its squares fit in 128 bits."""
FILES: Final = "abcdefghijklmnopqrs"

UNCHOSEN: Final = -1
"""In place of a square: the pawn's start square is still to be chosen."""
LEFT: Final = -2
"""In place of a square: the player has left the play, and the pawn is removed."""
OFF_BOARD: Final = -3
"""In place of a square: there is no square, or a wall is in between."""

SOUTH: Final = 0
WEST: Final = 1
NORTH: Final = 2
EAST: Final = 3
SIDES: Final = (SOUTH, WEST, NORTH, EAST)
"""The sides of the board, clockwise as the players sit; they are also the directions of a step."""
SIDE_NAMES: Final[tuple[Text, ...]] = (
    ctext("side of the board", "south"),
    ctext("side of the board", "west"),
    ctext("side of the board", "north"),
    ctext("side of the board", "east"),
)
ROLES: Final = ("white", "red", "black", "blue")
"""The role of the pawn of each side, in scenes and on text boards."""

SEATS: Final = (
    Seat(ctext("player", "South"), "South", "s"),
    Seat(ctext("player", "West"), "West", "w"),
    Seat(ctext("player", "North"), "North", "n"),
    Seat(ctext("player", "East"), "East", "e"),
)
"""The player of each side."""
SIDES_OF: Final[Mapping[int, tuple[int, ...]]] = {
    2: (SOUTH, NORTH),
    3: (SOUTH, WEST, NORTH),
    4: (SOUTH, WEST, NORTH, EAST),
}
"""By the number of players, the start sides in turn order."""
SEATS_OF: Final[Mapping[int, tuple[Seat, ...]]] = {
    players: tuple(SEATS[side] for side in sides) for players, sides in SIDES_OF.items()
}
"""By the number of players, the seats in turn order."""


def opposite(side: int) -> int:
    """Return the side across the board.

    >>> opposite(WEST) == EAST
    True
    """
    return (side + 2) % 4


def across(side: int) -> tuple[int, int]:
    """Return the two sides to the left and to the right of the direction towards a side.

    >>> across(NORTH) == (WEST, EAST)
    True
    """
    return (side - 1) % 4, (side + 1) % 4


# --- squares -------------------------------------------------------------------------------------


def square_at(size: int, file: int, rank: int) -> int:
    """Return the square in a file and a rank, both counted from 0."""
    return rank * size + file


def place_name(file: int, rank: int) -> str:
    """Return the name of the square in a file and a rank, on a board of any size.

    >>> place_name(4, 0), place_name(18, 18)
    ('e1', 's19')
    """
    return f"{FILES[file]}{rank + 1}"


def square_name(size: int, square: int) -> str:
    """Return the name of a square.

    >>> square_name(9, 4)
    'e1'
    """
    return square_names(size)[square]


@lru_cache
def square_names(size: int) -> tuple[str, ...]:
    """Return the names of all squares, by number."""
    return tuple(place_name(square % size, square // size) for square in range(size * size))


@lru_cache
def neighbours(size: int) -> tuple[tuple[int, ...], ...]:
    """Return for each square its neighbour to each side, regardless of walls, or `OFF_BOARD`.

    >>> neighbours(9)[4] == (OFF_BOARD, 3, 13, 5)
    True
    """
    steps = {SOUTH: (0, -1), WEST: (-1, 0), NORTH: (0, 1), EAST: (1, 0)}

    def neighbour(square: int, side: int) -> int:
        file, rank = square % size + steps[side][0], square // size + steps[side][1]
        inside = file in range(size) and rank in range(size)
        return square_at(size, file, rank) if inside else OFF_BOARD

    return tuple(tuple(neighbour(square, side) for side in SIDES) for square in range(size * size))


# --- sides ---------------------------------------------------------------------------------------


@lru_cache
def side_squares(size: int, side: int) -> tuple[int, ...]:
    """Return the squares along a side of the board, from file a or from rank 1 on.

    >>> [square_name(3, square) for square in side_squares(3, NORTH)]
    ['a3', 'b3', 'c3']
    """
    first, stride = {
        SOUTH: (0, 1),
        WEST: (0, size),
        NORTH: (size * (size - 1), 1),
        EAST: (size - 1, size),
    }[side]
    return tuple(first + stride * place for place in range(size))


@lru_cache
def side_set(size: int, side: int) -> int:
    return sum(1 << square for square in side_squares(size, side))


def middle_square(size: int, side: int) -> int:
    """Return the square in the middle of a side.

    If the size is even, it is the square left of the middle, as the player faces the board.

    >>> [square_name(8, middle_square(8, side)) for side in SIDES]
    ['d1', 'a5', 'e8', 'h4']
    """
    left = (size - 1) // 2 if side in (SOUTH, EAST) else size // 2
    return side_squares(size, side)[left]
