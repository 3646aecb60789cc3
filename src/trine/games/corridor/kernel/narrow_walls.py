"""Walls on boards up to 9 x 9 for the kernel: placing them, and lines of them that join sides.

Lines of walls are sets of inner grid points, a point named after the square north-east of it; so
they grow by the same flood that squares do (`trine.games.corridor.kernel.narrow`).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.bits import NONE, ONE
from trine.core.jit import inner, kernel
from trine.games.corridor.board import EAST as EAST_SIDE
from trine.games.corridor.board import NORTH as NORTH_SIDE
from trine.games.corridor.board import SIDES, SIZES, SOUTH, WEST
from trine.games.corridor.kernel.narrow import (
    OPEN_SETS,
    SIDE_SETS,
    Word,
    has,
    set_of,
    set_way,
    sets_of,
    spread,
)
from trine.games.corridor.kernel.row import (
    EAST,
    EDGES,
    GREAT_WALL,
    JOINED,
    LYING,
    NARROW,
    NARROW_WORDS,
    NORTH,
    QUORIDOR,
    UNKNOWN,
    WAY,
    WAYS,
    Row,
    players_of,
    rules_of,
    size_of,
)

# --- tables --------------------------------------------------------------------------------------


def _line_sets() -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
    table = np.zeros((NARROW + 1, 4), np.uint64)
    for size in range(SIZES[0], NARROW + 1):
        squares, inner = range(size * size), range(1, size - 1)
        lying = [s for s in squares if s % size in inner and s // size < size - 1]
        standing = [s for s in squares if s // size in inner and s % size < size - 1]
        table[size] = sets_of(size, lying) + sets_of(size, standing)
    return table


LINE_SETS: Final = _line_sets()
"""By size, the walls one square long that touch no border: lying (two words) and standing."""

# --- the Great Wall ------------------------------------------------------------------------------


@inner("int64(uint64[::1], int64)")
def side_joined_with(row: Row, point: int) -> int:
    """Return the side of the board that lines of walls join with an inner grid point, or -1."""
    for side in SIDES:
        if has(row[JOINED + 2 * side], row[JOINED + 2 * side + 1], point):
            return side
    return -1


@inner("void(uint64[::1], int64, int64)")
def join_line(row: Row, side: int, point: int) -> None:
    """Join with a side all inner points that walls connect with a point."""
    size = size_of(row)
    lying = LINE_SETS[size, 0] & ~row[NORTH]
    lying_high = LINE_SETS[size, 1] & ~row[NORTH + 1]
    standing = LINE_SETS[size, 2] & ~row[EAST]
    standing_high = LINE_SETS[size, 3] & ~row[EAST + 1]
    # A lying wall begins at the corner north-west of its square, a standing one south-east of it.
    lines = (standing << 1, standing_high << 1, lying << 9, lying_high << 9 | lying >> 54)
    low, high = set_of(point)
    while True:
        wider, wider_high = spread(lines, low, high)
        if wider == low and wider_high == high:
            break
        low, high = wider, wider_high
    row[JOINED + 2 * side] |= low
    row[JOINED + 2 * side + 1] |= high


@inner("void(uint64[::1], int64, int64)")
def narrow_join(row: Row, axis: int, square: int) -> None:
    """Update the points joined with each side, after a wall."""
    edges = EDGES[size_of(row), square]
    if axis:
        start, start_side, end_side = square + 1, SOUTH, NORTH_SIDE
    else:
        start, start_side, end_side = square + NARROW, WEST, EAST_SIDE
    end = square + NARROW + 1
    at_start = start_side if edges >> start_side & 1 else side_joined_with(row, start)
    at_end = end_side if edges >> end_side & 1 else side_joined_with(row, end)
    if at_start >= 0 and at_end < 0:
        join_line(row, at_start, end)
    elif at_end >= 0 and at_start < 0:
        join_line(row, at_end, start)


@inner("UniTuple(uint64, 4)(uint64[::1])")
def great_walls(row: Row) -> tuple[Word, Word, Word, Word]:
    """Return the walls that would join two sides: lying (low, high), standing (low, high)."""
    size = size_of(row)
    # For all places at once: the sides that the two ends of a wall there are joined with.
    west = west_high = east = east_high = both = both_high = NONE
    south = south_high = north = north_high = same = same_high = NONE
    for side in SIDES:
        low, high = row[JOINED + 2 * side], row[JOINED + 2 * side + 1]
        border, border_high = SIDE_SETS[size, side, 0], SIDE_SETS[size, side, 1]
        end, end_high = low >> 10 | high << 53, high >> 10
        one, one_high = low >> 9 | high << 54, high >> 9
        two, two_high = end, end_high
        if side == WEST:
            one, one_high = one | border, one_high | border_high
        elif side == EAST_SIDE:
            two, two_high = two | border, two_high | border_high
        west, west_high = west | one, west_high | one_high
        east, east_high = east | two, east_high | two_high
        both, both_high = both | one & two, both_high | one_high & two_high
        one, one_high = low >> 1, high >> 1
        two, two_high = end, end_high
        if side == SOUTH:
            one, one_high = one | border, one_high | border_high
        elif side == NORTH_SIDE:
            two, two_high = two | border, two_high | border_high
        south, south_high = south | one, south_high | one_high
        north, north_high = north | two, north_high | two_high
        same, same_high = same | one & two, same_high | one_high & two_high
    return (
        west & east & ~both,
        west_high & east_high & ~both_high,
        south & north & ~same,
        south_high & north_high & ~same_high,
    )


# --- walls ---------------------------------------------------------------------------------------


@inner("void(uint64[::1], int64)")
def narrow_clear(row: Row, size: int) -> None:
    """Make an empty board, by the rules in the head of the row."""
    for place in range(4):
        row[NORTH + place] = OPEN_SETS[size, place]
    for word in range(NORTH + 4, NARROW_WORDS):
        row[word] = NONE
    if rules_of(row) == QUORIDOR:
        for word in range(WAYS, WAYS + 8):
            row[word] = UNKNOWN
    else:
        set_way(row, (UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN))


@kernel("void(uint64[::1], int64, int64)", forceinline=True)
def shut(row: Row, word: int, square: int) -> None:
    """Remove a square from a set in the row."""
    low, high = set_of(square)
    row[word] &= ~low
    row[word + 1] &= ~high


@inner("boolean(uint64[::1], int64, int64)", forceinline=True)
def narrow_put_wall(row: Row, axis: int, square: int) -> bool:
    """Put a wall on the board.

    Returns: whether it cuts the known way of the witness.
    """
    sides = NORTH + 2 * axis
    shut(row, sides, square)
    if rules_of(row) == QUORIDOR:
        shut(row, sides, square + (NARROW if axis else 1))
        wall = ONE << (square - square // NARROW)
        row[LYING + axis] |= wall
        for player in range(players_of(row)):
            word = WAYS + 2 * player
            if row[word + axis] & wall:
                row[word] = row[word + 1] = UNKNOWN
        return False
    if rules_of(row) == GREAT_WALL:
        narrow_join(row, axis, square)
    return has(row[WAY + 2 * axis], row[WAY + 2 * axis + 1], square)
