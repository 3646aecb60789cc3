"""Boards from 10 x 10 to 19 x 19 for the kernel: a word a rank, and plain loops over ranks.

Simple and slower: the same rules as `trine.games.corridor.kernel.narrow` and
`trine.games.corridor.kernel.walls`, without known ways.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.bits import NONE, ONE, lowest
from trine.core.jit import inner
from trine.games.corridor.board import EAST, NORTH, SIDES, SOUTH, WEST
from trine.games.corridor.kernel.row import (
    GOALS,
    GREAT_WALL,
    HEAD,
    MOST_RANKS,
    QUORIDOR,
    WIDE,
    WIDE_EAST,
    WIDE_JOINED,
    WIDE_LYING,
    WIDE_NORTH,
    WIDE_REACHED,
    WIDE_STANDING,
    WORDS,
    Row,
    is_playing,
    pawn_of,
    players_of,
    rules_of,
    size_of,
)

Word = np.uint64

LINES: Final = MOST_RANKS + 1
"""The most lines of grid points."""


@inner("uint64(int64)")
def first_files(count: int) -> Word:
    """Return the lowest files of a rank."""
    return (ONE << count) - ONE


# --- ways ----------------------------------------------------------------------------------------


@inner("int64(uint64[::1], int64)")
def wide_doors(row: Row, square: int) -> int:
    """Return the open sides of a square, as bits in the order of the sides."""
    rank, file = square // WIDE, square % WIDE
    south = rank > 0 and (row[WIDE_NORTH + rank - 1] >> file & ONE) != NONE
    west = file > 0 and (row[WIDE_EAST + rank] >> (file - 1) & ONE) != NONE
    north = (row[WIDE_NORTH + rank] >> file & ONE) != NONE
    east = (row[WIDE_EAST + rank] >> file & ONE) != NONE
    return int(south << SOUTH | west << WEST | north << NORTH | east << EAST)


@inner("boolean(uint64[::1], int64)")
def has_reached(row: Row, player: int) -> bool:
    """Return whether one of the squares reached so far is on a player's goal side."""
    size = size_of(row)
    side = GOALS[players_of(row), player]
    if side == SOUTH:
        return bool(row[WIDE_REACHED])
    if side == NORTH:
        return bool(row[WIDE_REACHED + size - 1])
    goal = ONE if side == WEST else ONE << (size - 1)
    reached = NONE
    for rank in range(size):
        reached |= row[WIDE_REACHED + rank]
    return bool(reached & goal)


@inner("int64(uint64[::1], int64)")
def wide_distance(row: Row, player: int) -> int:
    """Return the fewest steps from a player's pawn to its goal, or -1 if there is no way."""
    size = size_of(row)
    for rank in range(size):
        row[WIDE_REACHED + rank] = NONE
    square = pawn_of(row, player)
    row[WIDE_REACHED + square // WIDE] = ONE << (square % WIDE)
    steps = 0
    while not has_reached(row, player):
        grows = False
        below = NONE
        for rank in range(size):
            here = row[WIDE_REACHED + rank]
            above = row[WIDE_REACHED + rank + 1] if rank + 1 < size else NONE
            east = row[WIDE_EAST + rank]
            wider = (
                here
                | (below & row[WIDE_NORTH + rank - 1] if rank > 0 else NONE)
                | above & row[WIDE_NORTH + rank]
                | (here & east) << 1
                | here >> 1 & east
            )
            grows |= wider != here
            row[WIDE_REACHED + rank] = wider
            below = here
        if not grows:
            return -1
        steps += 1
    return steps


@inner("boolean(uint64[::1])")
def wide_has_way(row: Row) -> bool:
    """Return whether some player has a way to the goal."""
    for player in range(players_of(row)):
        if is_playing(row, player) and wide_distance(row, player) >= 0:
            return True
    return False


# --- the Great Wall ------------------------------------------------------------------------------


@inner("void(uint64[::1])")
def wide_join(row: Row) -> None:
    """Recompute the grid points that lines of walls join with each side of the board."""
    size = size_of(row)
    for side in SIDES:
        first = WIDE_JOINED + LINES * side
        for line in range(size + 1):
            row[first + line] = NONE
        # No wall ends in the corners, which would lie on two sides.
        for place in range(1, size):
            if side == SOUTH:
                row[first] |= ONE << place
            elif side == NORTH:
                row[first + size] |= ONE << place
            else:
                row[first + place] = ONE if side == WEST else ONE << size
        grows = True
        while grows:
            grows = False
            for line in range(size + 1):
                here = row[first + line]
                wider = here
                if 0 < line < size:
                    lying = first_files(size) & ~row[WIDE_NORTH + line - 1]
                    wider |= (here & lying) << 1 | here >> 1 & lying
                if line > 0:
                    standing = (first_files(size - 1) & ~row[WIDE_EAST + line - 1]) << 1
                    wider |= row[first + line - 1] & standing
                if line < size:
                    standing = (first_files(size - 1) & ~row[WIDE_EAST + line]) << 1
                    wider |= row[first + line + 1] & standing
                grows |= wider != here
                row[first + line] = wider


@inner("uint64(uint64[::1], int64, int64)")
def wide_great_walls(row: Row, axis: int, rank: int) -> Word:
    """Return the files of a rank in which a wall would join two sides of the board."""
    starts = ends = same = NONE
    for side in SIDES:
        first = WIDE_JOINED + LINES * side
        end = row[first + rank + 1] >> 1
        start = row[first + rank] >> 1 if axis else row[first + rank + 1]
        starts |= start
        ends |= end
        same |= start & end
    return starts & ends & ~same


# --- walls ---------------------------------------------------------------------------------------


@inner("void(uint64[::1], int64, int64, int64, boolean)")
def set_sides(row: Row, axis: int, rank: int, file: int, is_open: bool) -> None:
    """Open or shut all sides of squares at a place for a wall."""
    side = ONE << file
    length = 2 if rules_of(row) == QUORIDOR else 1
    for along in range(length):
        if axis:
            word, bit = WIDE_EAST + rank + along, side
        else:
            word, bit = WIDE_NORTH + rank, side << along
        row[word] = row[word] | bit if is_open else row[word] & ~bit


@inner("void(uint64[::1], int64)")
def wide_clear(row: Row, size: int) -> None:
    """Make an empty board, by the rules in the head of the row."""
    for word in range(HEAD, WORDS):
        row[word] = NONE
    for rank in range(size):
        row[WIDE_NORTH + rank] = first_files(size) if rank < size - 1 else NONE
        row[WIDE_EAST + rank] = first_files(size - 1)
    if rules_of(row) == GREAT_WALL:
        wide_join(row)


@inner("void(uint64[::1], int64, int64)")
def wide_put_wall(row: Row, axis: int, square: int) -> None:
    """Put a wall on the board."""
    rank, file = square // WIDE, square % WIDE
    set_sides(row, axis, rank, file, False)
    if rules_of(row) == QUORIDOR:
        row[(WIDE_STANDING if axis else WIDE_LYING) + rank] |= ONE << file
    elif rules_of(row) == GREAT_WALL:
        wide_join(row)


@inner("uint64(uint64[::1], int64)")
def points_on(row: Row, line: int) -> Word:
    """Return the points that walls or the border touch, on a line of grid points."""
    size = size_of(row)
    if line in (0, size):
        return first_files(size + 1)
    points = ONE | ONE << size
    walls = row[WIDE_LYING + line - 1]
    points |= walls | walls << 1 | walls << 2
    for rank in range(max(line - 2, 0), line + 1):
        points |= row[WIDE_STANDING + rank] << 1
    return points  # type: ignore[no-any-return]


@inner("uint64(uint64[::1], int64, int64)")
def wide_quoridor_walls(row: Row, axis: int, rank: int) -> Word:
    """`wide_walls` for Quoridor."""
    size = size_of(row)
    if rank == size - 1:
        return NONE
    lying, standing = row[WIDE_LYING + rank], row[WIDE_STANDING + rank]
    free = first_files(size - 1) & ~(lying | standing)
    middle = points_on(row, rank + 1)
    if axis:
        below = row[WIDE_STANDING + rank - 1] if rank > 0 else NONE
        free &= ~(below | row[WIDE_STANDING + rank + 1])
        start, middle, end = points_on(row, rank) >> 1, middle >> 1, points_on(row, rank + 2) >> 1
    else:
        free &= ~(lying << 1 | lying >> 1)
        start, middle, end = middle, middle >> 1, middle >> 2
    # A wall that touches other walls and the border in at most one point can be walked around.
    risky = free & (start & end | middle & (start | end))
    while risky:
        file = lowest(risky)
        set_sides(row, axis, rank, file, False)
        for player in range(players_of(row)):
            if is_playing(row, player) and wide_distance(row, player) < 0:
                free &= ~(ONE << file)
        set_sides(row, axis, rank, file, True)
        risky &= risky - ONE
    return free  # type: ignore[no-any-return]


@inner("uint64(uint64[::1], int64, int64)")
def wide_walls(row: Row, axis: int, rank: int) -> Word:
    """Return the files of a rank in which a wall can be placed, regardless of the mover's hand."""
    if rules_of(row) == QUORIDOR:
        return wide_quoridor_walls(row, axis, rank)
    free = row[WIDE_EAST + rank] if axis else row[WIDE_NORTH + rank]
    if rules_of(row) == GREAT_WALL:
        free &= ~wide_great_walls(row, axis, rank)
    return free  # type: ignore[no-any-return]
