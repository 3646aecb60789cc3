"""A maze: a board of two pawns and walls as plain numbers, as the solver needs it.

Everything is derived from the referee's tables: places for walls and their conflicts, the sides of
squares that they close, symmetries.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.games.corridor.board import SIDES, neighbours, opposite, side_set
from trine.games.corridor.position import Position
from trine.games.corridor.rules import (
    Move,
    RuleSet,
    Wall,
    footprints,
    moves_to,
    passages_beside,
)
from trine.games.corridor.symmetries import symmetries

MAX_SIZE: Final = 6
"""The largest board whose places for walls fit into a 64-bit word."""


@dataclass(frozen=True, eq=False)
class Maze:
    """The board of a rule set: squares, places for walls, and their relations.

    A *set* of squares or of places is a number with a bit for each.
    """

    name: str
    """The rule set and the size, as in file names: ``great-wall-4``."""
    hands: int
    """The walls of each player at the start; -1: unlimited."""
    steps: NDArray[Any]
    """``int64[squares, 4]``: the neighbour on each side, clockwise; -1 beyond the border."""
    shuts: NDArray[Any]
    """``uint64[squares, 4]``: the places where a wall closes that side of the square."""
    conflicts: NDArray[Any]
    """``uint64[places]``: the places that a wall there excludes, its own included."""
    points: NDArray[Any]
    """``int64[places, 2]``: the grid points at the ends of a wall."""
    border: NDArray[Any]
    """``int64[points]``: the sides of the board that a grid point is on, as bits."""
    goals: tuple[int, int]
    """The sets of goal squares of the first and the second player."""
    square_images: NDArray[Any]
    """``int64[4, squares]``: the image of each square; the third and fourth symmetries swap the
    players."""
    place_images: NDArray[Any]
    """``int64[4, places]``: the image of each place for a wall."""
    diagonal: bool
    """Whether a jump that is blocked straight ahead may turn to a side."""
    may_trap: bool
    """Whether walls may trap a pawn; the play is drawn if both are trapped."""
    joins: bool
    """Whether walls may join two sides of the board."""


@dataclass(frozen=True)
class MazeState:
    """A position on the board of a maze, with both pawns placed."""

    walls: int
    """The set of places with walls."""
    pawns: tuple[int, int]
    hands: tuple[int, int]
    """-1: unlimited."""
    mover: int


@lru_cache
def _places(size: int, length: int) -> dict[Wall, int]:
    """Return the places for walls, numbered."""
    return {wall: number for number, wall in enumerate(footprints(size, length))}


def maze_of(position: Position) -> Maze | None:
    """Return the board of a position; None for more than two players, or too many squares."""
    if len(position.pawns) != 2 or min(position.pawns) < -1 or position.size > MAX_SIZE:
        return None
    if None in position.hands:
        return _maze(position.rules, position.size, -1)
    # A tablebase assumes equal hands at the start; walls on the board came from one of them.
    hands = [hand for hand in position.hands if hand is not None]
    each, odd = divmod(sum(hands) + len(position.walls), 2)
    return None if odd or max(hands) > each else _maze(position.rules, position.size, each)


@lru_cache
def _maze(rules: RuleSet, size: int, hands: int) -> Maze:
    first = replace(Position.first(rules, size), walls=())
    prints = footprints(size, rules.wall_length)
    numbers = _places(size, rules.wall_length)
    squares = range(size * size)
    shuts = np.zeros((size * size, 4), np.uint64)
    for wall, number in numbers.items():
        passages = passages_beside(size, prints[wall])
        for square in squares:
            for side in SIDES:
                if passages.step(square, side) != neighbours(size)[square][side]:
                    shuts[square, side] |= np.uint64(1 << number)
    conflicts = [
        sum(1 << numbers[other] for other, its in prints.items() if its.overlaps(own))
        for own in prints.values()
    ]
    ends = [
        [point for point in range((size + 1) ** 2) if own.points >> point & 1][:: rules.wall_length]
        for own in prints.values()
    ]
    ways = sorted(symmetries(first), key=lambda one: one.players)
    images = [[one.action(move) for move in moves_to(size)] for one in ways]
    return Maze(
        name=f"{rules.name}-{size}",
        hands=hands,
        steps=np.array([[max(near, -1) for near in neighbours(size)[at]] for at in squares]),
        shuts=shuts,
        conflicts=np.array(conflicts, np.uint64),
        points=np.array(ends, np.int64),
        border=np.array(
            [
                sum(1 << side for side in SIDES if side_set(size + 1, side) >> point & 1)
                for point in range((size + 1) ** 2)
            ]
        ),
        goals=(side_set(size, opposite(SIDES[0])), side_set(size, SIDES[0])),
        square_images=np.array(
            [[at.rank * size + at.file for at in row if isinstance(at, Move)] for row in images]
        ),
        place_images=np.array(
            [
                [numbers[image] for wall in prints if isinstance(image := one.action(wall), Wall)]
                for one in ways
            ]
        ),
        diagonal=rules.jumps_aside,
        may_trap=rules.walls_may_trap,
        joins=not rules.great_wall,
    )


def state_of(position: Position) -> MazeState | None:
    """Return a position on its board; None if start squares are still to be chosen."""
    if position.in_setup:
        return None
    numbers = _places(position.size, position.rules.wall_length)
    south, north = position.pawns
    first, second = (-1 if hand is None else hand for hand in position.hands)
    walls = sum(1 << numbers[wall] for wall in position.walls)
    return MazeState(walls, (south, north), (first, second), position.mover)
