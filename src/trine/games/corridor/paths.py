"""Paths over the board: open sides of squares, distances and shortest paths.

A breadth-first search with sets of squares (see `trine.games.corridor.board`): each step reaches
all next squares at once. `trine.games.corridor.rules` also finds lines of walls with it, from grid
point to grid point.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from trine.games.corridor import board


class Passages(NamedTuple):
    """The open passages from square to square.

    The south side of a square is the north side of the square below, so two sets are enough; sides
    on the border of the board are never open.
    """

    size: int
    north: int
    """The squares whose north side is open."""
    east: int
    """The squares whose east side is open."""

    def step(self, square: int, side: int) -> int:
        """Return the neighbour of a square to a side, or `OFF_BOARD` if that side is closed."""
        near = board.neighbours(self.size)[square][side]
        if near == board.OFF_BOARD:
            return board.OFF_BOARD
        if side == board.NORTH:
            is_open = self.north >> square & 1
        elif side == board.EAST:
            is_open = self.east >> square & 1
        elif side == board.SOUTH:
            is_open = self.north >> near & 1
        else:
            assert side == board.WEST
            is_open = self.east >> near & 1
        return near if is_open else board.OFF_BOARD

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
    """Return the passages of a board without walls."""
    whole = (1 << size * size) - 1
    return Passages(
        size, whole & ~board.side_set(size, board.NORTH), whole & ~board.side_set(size, board.EAST)
    )


def reachable(passages: Passages, squares: int) -> int:
    """Return a set of squares with all squares that can be reached from it."""
    while (wider := passages.spread(squares)) != squares:
        squares = wider
    return squares


def distance(passages: Passages, start: int, goal: int) -> int | None:
    """Return the fewest steps from a set of squares to another, or None if there is no path.

    >>> distance(all_open(9), 1 << 4, board.side_set(9, board.NORTH))
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

    >>> shortest_path(all_open(3), 1 << 1, board.side_set(3, board.NORTH))
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
        steps = (passages.step(path[-1], side) for side in board.SIDES)
        path.append(next(near for near in steps if near != board.OFF_BOARD and earlier >> near & 1))
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
