"""The layers of a maze: the possible sets of walls, and the index of each position in a layer.

Of sets that are symmetric images of each other, only the one with the smallest number is stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from solving.kernel import find, image, least_image
from solving.maze import Maze, MazeState
from solving.sets import first_sets, more_sets, sets_at_most

SYMMETRIES: Final = 4


@dataclass(frozen=True)
class Hands:
    """How the walls in hand can be divided, given the number on the board."""

    least: int
    """The first player's minimum."""
    splits: int
    """The number of divisions; 0 without a limit."""

    @classmethod
    def at(cls, each: int, walls: int) -> Hands:
        """Return the divisions for each player's walls at the start and the walls on the board.

        >>> Hands.at(3, 2), Hands.at(-1, 2)
        (Hands(least=1, splits=3), Hands(least=0, splits=0))
        """
        if each < 0:
            return cls(0, 0)
        together = 2 * each - walls
        least, most = max(0, together - each), min(each, together)
        return cls(least, most - least + 1)


def most_walls(maze: Maze) -> int:
    """Return the number of walls on the board once hands are empty, or no place is left."""
    places = len(maze.conflicts)
    return places if maze.hands < 0 else min(places, 2 * maze.hands)


def states_at_most(maze: Maze) -> list[int]:
    """Return an upper bound of the positions in each layer, one of four symmetric images each."""
    graph = 2 * len(maze.steps) ** 2
    return [
        -(-sets_at_most(maze, walls) // SYMMETRIES)
        * max(1, Hands.at(maze.hands, walls).splits)
        * graph
        for walls in range(most_walls(maze) + 1)
    ]


@dataclass(frozen=True, eq=False)
class Layer:
    """All positions with a number of walls on the board."""

    walls: int
    sets: NDArray[Any]
    """``uint64[sets]``, sorted."""
    hands: Hands
    values: NDArray[Any]
    """``uint8[...]``, as in `solving.kernel`."""

    def value(self, maze: Maze, state: MazeState) -> int:
        """Return the value of a position; -1 if it is not in this layer."""
        squares = len(maze.steps)
        way = int(least_image(np.uint64(state.walls), maze.place_images))
        index = int(find(self.sets, image(np.uint64(state.walls), maze.place_images[way])))
        if index < 0:
            return -1
        one, two = (int(maze.square_images[way][pawn]) for pawn in state.pawns)
        first, mover = state.hands[0], state.mover
        if way >= SYMMETRIES // 2:  # the players are swapped
            one, two, first, mover = two, one, state.hands[1], 1 - mover
        split = first - self.hands.least if self.hands.splits else 0
        shared = max(1, self.hands.splits)
        if not 0 <= split < shared:
            return -1
        at = ((index * shared + split) * 2 + mover) * squares**2 + one * squares + two
        return int(self.values[at])


def lists_of_sets(maze: Maze) -> Iterator[NDArray[Any]]:
    """Yield the sorted sets of walls for each number of walls, from 0."""
    sets = first_sets()
    yield sets
    for _ in range(most_walls(maze)):
        sets = more_sets(maze, sets)
        if not len(sets):
            return
        yield sets
