"""The sets of walls that can be on a board, up to symmetry."""

from math import comb
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from solving.kernel import image, joins_sides, least_image
from solving.maze import Maze
from trine.core.compiled.bits import ONE
from trine.core.compiled.jit import kernel

CHUNK_SETS: Final = 1 << 16
"""The number of sets that are extended before duplicates are removed."""


def sets_at_most(maze: Maze, walls: int) -> int:
    """Return an upper bound of the number of sets, symmetric images counted separately."""
    return comb(len(maze.conflicts), walls)


def first_sets() -> NDArray[Any]:
    """Return the list of the empty set."""
    return np.zeros(1, np.uint64)


@kernel(
    "int64(uint64[::1], uint64[::1], int64[:, ::1], int64[:, ::1], int64[::1], int64[::1],"
    " boolean, uint64[::1])"
)
def _extend(
    sets: NDArray[Any],
    conflicts: NDArray[Any],
    place_images: NDArray[Any],
    points: NDArray[Any],
    border: NDArray[Any],
    touched: NDArray[Any],
    joins: bool,
    found: NDArray[Any],
) -> int:
    """Write the smallest images of sets with one wall more; return their number, duplicates
    included.
    """
    count = 0
    for index in range(len(sets)):
        walls = sets[index]
        for place in range(len(conflicts)):
            if walls & conflicts[place]:
                continue
            after = walls | ONE << np.uint64(place)
            if not joins and joins_sides(after, points, border, touched):
                continue
            found[count] = image(after, place_images[least_image(after, place_images)])
            count += 1
    return count


def more_sets(maze: Maze, sets: NDArray[Any]) -> NDArray[Any]:
    """Return the sorted sets with one wall more than those of a list."""
    touched = np.zeros(len(maze.border), np.int64)
    scratch = np.zeros(CHUNK_SETS * len(maze.conflicts), np.uint64)
    parts = []
    for start in range(0, len(sets), CHUNK_SETS):
        count = _extend(
            sets[start : start + CHUNK_SETS],
            maze.conflicts,
            maze.place_images,
            maze.points,
            maze.border,
            touched,
            maze.joins,
            scratch,
        )
        parts.append(np.unique(scratch[:count]))
    return np.unique(np.concatenate(parts))
