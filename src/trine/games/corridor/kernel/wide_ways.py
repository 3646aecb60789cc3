"""All shortest ways of a player on a wide board: `trine.games.corridor.kernel.ways` once more.

Sets are kept in a *sheet*, a word a rank; functions take the word of the sheet at which a set
begins.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import types

from trine.core.bits import NONE, ONE, count
from trine.core.jit import inner
from trine.core.rows import on_stack
from trine.games.corridor.board import EAST, NORTH, SIDES, SOUTH, WEST
from trine.games.corridor.kernel.row import (
    GOALS,
    MOST_RANKS,
    WIDE,
    WIDE_EAST,
    WIDE_NORTH,
    Row,
    pawn_of,
    players_of,
    size_of,
)
from trine.games.corridor.kernel.wide import wide_doors

SETS: Final = 28
SHEET: Final = SETS * MOST_RANKS
"""The words of a sheet."""
RINGS: Final = 0
"""Three sets: the rings whose distances from the goal leave 0, 1 and 2 when divided by three."""
REACHED: Final = 3 * MOST_RANKS
WIDER: Final = 4 * MOST_RANKS
LEVEL: Final = 5 * MOST_RANKS
AFTER: Final = 6 * MOST_RANKS
TAKEN: Final = 7 * MOST_RANKS
"""Four sets, by the direction of a step: the squares where a way takes it."""
FREE: Final = 11 * MOST_RANKS
"""The functions of this file do not use the sheet from here on."""
STEP_OF: Final = np.array([(-1, 0), (0, -1), (1, 0), (0, 1)], np.int64)
"""By side, the change of rank and file by a step."""

new_sheet: Final = on_stack(types.uint64, SHEET)
"""Return an uninitialised sheet on the stack of the calling function; gone when that returns."""


@inner("void(uint64[::1], int64)")
def wipe(sheet: Row, place: int) -> None:
    """Empty a set."""
    for rank in range(MOST_RANKS):
        sheet[place + rank] = NONE


@inner("void(uint64[::1], int64, int64)", forceinline=True)
def add_square(sheet: Row, place: int, square: int) -> None:
    """Put a square into a set."""
    sheet[place + square // WIDE] |= ONE << (square % WIDE)


@inner("int64(uint64[::1], int64)")
def count_squares(sheet: Row, place: int) -> int:
    """Return the number of squares in a set."""
    found = 0
    for rank in range(MOST_RANKS):
        found += count(sheet[place + rank])
    return found


@inner("boolean(uint64[::1], int64, int64)")
def have_common(sheet: Row, place: int, other: int) -> bool:
    """Return whether two sets have a square in common."""
    found = NONE
    for rank in range(MOST_RANKS):
        found |= sheet[place + rank] & sheet[other + rank]
    return bool(found)


@inner("void(uint64[::1], uint64[::1], int64, int64)")
def wide_spread(row: Row, sheet: Row, place: int, target: int) -> None:
    """Write a set, and all squares that are one step away from it, to another place."""
    size = size_of(row)
    for rank in range(MOST_RANKS):
        here = sheet[place + rank]
        if rank < size:
            east = row[WIDE_EAST + rank]
            here |= (here & east) << 1 | here >> 1 & east
            if rank > 0:
                here |= sheet[place + rank - 1] & row[WIDE_NORTH + rank - 1]
            if rank + 1 < size:
                here |= sheet[place + rank + 1] & row[WIDE_NORTH + rank]
        sheet[target + rank] = here


@inner("void(uint64[::1], uint64[::1], int64, int64)")
def write_goal(row: Row, sheet: Row, player: int, place: int) -> None:
    """Write the goal squares of a player."""
    size = size_of(row)
    side = GOALS[players_of(row), player]
    wipe(sheet, place)
    if side in (SOUTH, NORTH):
        sheet[place + (size - 1 if side == NORTH else 0)] = (ONE << size) - ONE
    else:
        for rank in range(size):
            sheet[place + rank] = ONE << (size - 1 if side == EAST else 0)


@inner("int64(uint64[::1], uint64[::1], int64)")
def write_rings(row: Row, sheet: Row, player: int) -> int:
    """Write the rings around the goal of a player, up to the pawn, which must be on the board.

    Returns: the number of steps from the pawn to the goal, or -1 if there is no way.
    """
    pawn = pawn_of(row, player)
    for ring in range(3):
        wipe(sheet, RINGS + ring * MOST_RANKS)
    write_goal(row, sheet, player, REACHED)
    write_goal(row, sheet, player, RINGS)
    steps = 0
    while not sheet[REACHED + pawn // WIDE] >> (pawn % WIDE) & ONE:
        steps += 1
        ring = RINGS + steps % 3 * MOST_RANKS
        wide_spread(row, sheet, REACHED, WIDER)
        grows = NONE
        for rank in range(MOST_RANKS):
            new = sheet[WIDER + rank] & ~sheet[REACHED + rank]
            grows |= new
            sheet[ring + rank] |= new
            sheet[REACHED + rank] = sheet[WIDER + rank]
        if not grows:
            return -1
    return steps


@inner("void(uint64[::1], uint64[::1], int64)")
def begin_walk(row: Row, sheet: Row, player: int) -> None:
    """Write the first level: the square of the pawn."""
    wipe(sheet, LEVEL)
    add_square(sheet, LEVEL, pawn_of(row, player))


@inner("void(uint64[::1], uint64[::1], int64)")
def write_after(row: Row, sheet: Row, steps: int) -> None:
    """Write the next level, whose squares are ``steps`` steps away from the goal."""
    wide_spread(row, sheet, LEVEL, AFTER)
    ring = RINGS + steps % 3 * MOST_RANKS
    for rank in range(MOST_RANKS):
        sheet[AFTER + rank] &= sheet[ring + rank]


@inner("void(uint64[::1])")
def go_on(sheet: Row) -> None:
    """Make the next level the current one."""
    for rank in range(MOST_RANKS):
        sheet[LEVEL + rank] = sheet[AFTER + rank]


@inner("void(uint64[::1], uint64[::1], int64, int64)")
def write_sides(row: Row, sheet: Row, north: int, east: int) -> None:
    """Write the open sides between the level and the next: north sides and east sides."""
    size = size_of(row)
    for rank in range(MOST_RANKS):
        sheet[north + rank] = sheet[east + rank] = NONE
        if rank < size:
            here, after = sheet[LEVEL + rank], sheet[AFTER + rank]
            sheet[east + rank] = (here & after >> 1 | after & here >> 1) & row[WIDE_EAST + rank]
            if rank + 1 < size:
                up, up_after = sheet[LEVEL + rank + 1], sheet[AFTER + rank + 1]
                sheet[north + rank] = (here & up_after | after & up) & row[WIDE_NORTH + rank]


@inner("int64(uint64[::1], uint64[::1], int64)")
def wide_exits(row: Row, sheet: Row, place: int) -> int:
    """Return the number of open sides that lead out of a set of squares."""
    size = size_of(row)
    found = 0
    for rank in range(size):
        here = sheet[place + rank]
        found += count((here ^ here >> 1) & row[WIDE_EAST + rank])
        if rank + 1 < size:
            found += count((here ^ sheet[place + rank + 1]) & row[WIDE_NORTH + rank])
    return found


@inner("int64(uint64[::1], uint64[::1], int64, int64)")
def wide_fewest_exits(row: Row, sheet: Row, start: int, aim: int) -> int:
    """`trine.games.corridor.kernel.ways.fewest_exits`; the start set is overwritten."""
    fewest = MOST_RANKS * MOST_RANKS
    while not have_common(sheet, start, aim):
        fewest = min(fewest, wide_exits(row, sheet, start))
        wide_spread(row, sheet, start, WIDER)
        grows = NONE
        for rank in range(MOST_RANKS):
            grows |= sheet[start + rank] ^ sheet[WIDER + rank]
            sheet[start + rank] = sheet[WIDER + rank]
        if not grows:
            return 0
    return fewest


@inner("int64(uint64[::1], uint64[::1], int64, int64)")
def take_step(row: Row, sheet: Row, square: int, steps: int) -> int:
    """Go from a square to one that is ``steps`` steps away from the goal, and record the step."""
    ring = RINGS + steps % 3 * MOST_RANKS
    rank, file = square // WIDE, square % WIDE
    ways = wide_doors(row, square)
    for side in SIDES:
        up, along = int(STEP_OF[side, 0]), int(STEP_OF[side, 1])
        if ways >> side & 1 and sheet[ring + rank + up] >> (file + along) & ONE:
            sheet[TAKEN + side * MOST_RANKS + rank] |= ONE << file
            return square + up * WIDE + along
    return -1


@inner("boolean(uint64[::1], uint64[::1])")
def spread_beside(row: Row, sheet: Row) -> bool:
    """Grow the set reached by one step, except taken steps; return whether it has grown."""
    size = size_of(row)
    grows = NONE
    for rank in range(size):
        here = sheet[REACHED + rank]
        east = row[WIDE_EAST + rank]
        wider = here | (here & east & ~sheet[TAKEN + EAST * MOST_RANKS + rank]) << 1
        wider |= (here & ~sheet[TAKEN + WEST * MOST_RANKS + rank]) >> 1 & east
        if rank > 0:
            rising = sheet[REACHED + rank - 1] & ~sheet[TAKEN + NORTH * MOST_RANKS + rank - 1]
            wider |= rising & row[WIDE_NORTH + rank - 1]
        if rank + 1 < size:
            falling = sheet[REACHED + rank + 1] & ~sheet[TAKEN + SOUTH * MOST_RANKS + rank + 1]
            wider |= falling & row[WIDE_NORTH + rank]
        sheet[WIDER + rank] = wider
        grows |= wider ^ here
    for rank in range(size):
        sheet[REACHED + rank] = sheet[WIDER + rank]
    return bool(grows)


@inner("boolean(uint64[::1], uint64[::1], int64)")
def wide_one_wall_parts(row: Row, sheet: Row, player: int) -> bool:
    """`trine.games.corridor.kernel.ways.one_wall_parts` for a player who has a way."""
    steps = write_rings(row, sheet, player)
    for side in SIDES:
        wipe(sheet, TAKEN + side * MOST_RANKS)
    square = pawn_of(row, player)
    for left in range(steps - 1, -1, -1):
        square = take_step(row, sheet, square, left)
    wipe(sheet, REACHED)
    add_square(sheet, REACHED, pawn_of(row, player))
    write_goal(row, sheet, player, AFTER)
    while not have_common(sheet, REACHED, AFTER):
        if not spread_beside(row, sheet):
            return True
    return False
