"""The board of Corridor: squares, sides, seats, and shortest paths. No rules.

The board has ``size`` × ``size`` squares. A square is a number from 0 (a1) along the rank and then
up: ``rank * size + file``, files and ranks counted from 0. A *set* of squares is an integer with
the bit of each of its squares (a bitboard); so ``&`` is the intersection, ``|`` the union, and
shifting by ``size`` moves all squares of a set one rank up at once.

Paths are found by a breadth-first search with sets of squares: each step reaches all next squares
at once. `trine.games.corridor.rules` also finds lines of walls with it, from grid point to grid
point.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from trine.core.contract.position import Seat
from trine.core.text.sentence import Text, ctext

SIZES: Final = range(3, 20)
USUAL_SIZE: Final = 9
MAX_WALLS: Final = 31  # the most walls in a limited hand; compiled code supports no more
MAX_SEARCHED_SIZE: Final = 11
"""The size of the largest board that compiled code supports: its squares fit in 128 bits."""
FILES: Final = "abcdefghijklmnopqrs"

UNCHOSEN: Final = -1  # in place of a square: the pawn's start square is still to be chosen
LEFT: Final = -2  # in place of a square: the player has left the play, and the pawn is removed
OFF_BOARD: Final = -3  # in place of a square: there is no square, or a wall is in between

SIDES: Final = (0, 1, 2, 3)
SOUTH, WEST, NORTH, EAST = SIDES
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
    return (side + 2) % 4


def across(side: int) -> tuple[int, int]:
    """Return the two sides to the left and to the right of the direction towards a side."""
    return (side - 1) % 4, (side + 1) % 4


# --- squares -------------------------------------------------------------------------------------


def square_at(size: int, file: int, rank: int) -> int:
    """Return the square in a file and a rank, both counted from 0."""
    return rank * size + file


def place_name(file: int, rank: int) -> str:
    """Return the name of the square in a file and a rank, such as ``e1`` and ``s19``."""
    return f"{FILES[file]}{rank + 1}"


def square_name(size: int, square: int) -> str:
    return square_names(size)[square]


@lru_cache
def square_names(size: int) -> tuple[str, ...]:
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


# --- paths ---------------------------------------------------------------------------------------


class Passages(NamedTuple):
    """The open passages from square to square.

    The south side of a square is the north side of the square below, so two sets are enough; sides
    on the border of the board are never open.
    """

    size: int
    north: int  # the squares whose north side is open
    east: int  # the squares whose east side is open

    def step(self, square: int, side: int) -> int:
        """Return the neighbour of a square to a side, or `OFF_BOARD` if that side is closed."""
        near = neighbours(self.size)[square][side]
        if near == OFF_BOARD:
            return OFF_BOARD
        if side == NORTH:
            is_open = self.north >> square & 1
        elif side == EAST:
            is_open = self.east >> square & 1
        elif side == SOUTH:
            is_open = self.north >> near & 1
        else:
            assert side == WEST
            is_open = self.east >> near & 1
        return near if is_open else OFF_BOARD

    def spread(self, squares: int) -> int:
        """Return a set of squares with all squares one step away from it."""
        size, north, east = self
        return (
            squares
            | (squares & north) << size
            | squares >> size & north
            | (squares & east) << 1
            | squares >> 1 & east
        )


@lru_cache
def all_open(size: int) -> Passages:
    whole = (1 << size * size) - 1
    return Passages(size, whole & ~side_set(size, NORTH), whole & ~side_set(size, EAST))


def reachable(passages: Passages, squares: int) -> int:
    while (wider := passages.spread(squares)) != squares:
        squares = wider
    return squares


def distance(passages: Passages, start: int, goal: int) -> int | None:
    """Return the fewest steps from a set of squares to another, or None if there is no path.

    >>> distance(all_open(9), 1 << 4, side_set(9, NORTH))
    8
    """
    steps = 0
    while not start & goal:
        wider = passages.spread(start)
        if wider == start:
            return None
        start = wider
        steps += 1
    return steps


def shortest_path(passages: Passages, start: int, goal: int) -> tuple[int, ...] | None:
    """Return the squares of a shortest path from a set of squares to another, both ends included.

    Returns: None if there is no path; always the same path if there are several.

    >>> shortest_path(all_open(3), 1 << 1, side_set(3, NORTH))
    (1, 4, 7)
    """
    reached = [start]
    while not reached[-1] & goal:
        wider = passages.spread(reached[-1])
        if wider == reached[-1]:
            return None
        reached.append(wider)
    path = [next(members(reached[-1] & goal))]
    for earlier in reversed(reached[:-1]):
        steps = (passages.step(path[-1], side) for side in SIDES)
        path.append(next(near for near in steps if near != OFF_BOARD and earlier >> near & 1))
    return tuple(reversed(path))


def members(squares: int) -> Iterator[int]:
    """Yield the squares of a set, in order.

    >>> list(members(0b1001))
    [0, 3]
    """
    while squares:
        lowest = squares & -squares
        yield lowest.bit_length() - 1
        squares ^= lowest
