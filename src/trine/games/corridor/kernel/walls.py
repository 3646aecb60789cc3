"""The legal walls of Quoridor on a narrow board, all found at once.

A set of walls is one word here, by their middles, eight to a rank; so is a set of inner points.
Three sieves prove most walls legal without a search, each for all walls in a few operations:

1. A wall can part the board only where it closes a ring: it has three points, and two of them must
   be touched already by walls or by the border.
2. It must cross a known way of some player, else that way stays open.
3. Two of its points must be touched by the *same* line of walls; the border counts as one.

Only the walls that pass all three are tried: placed, followed by a search for a way.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.bits import NONE, ONE, lowest
from trine.core.jit import inner
from trine.games.corridor.board import SIZES
from trine.games.corridor.kernel.narrow import (
    CUTS,
    Word,
    can_reach,
    find_way,
    first_of,
    goal_of,
    passages_of,
)
from trine.games.corridor.kernel.row import (
    LOW,
    LYING,
    NARROW,
    STANDING,
    UNKNOWN,
    WAYS,
    Row,
    is_playing,
    pawn_of,
    players_of,
    size_of,
)

# --- tables --------------------------------------------------------------------------------------


def _middles(size: int, *, file: int | None = None, rank: int | None = None) -> int:
    """Return the middles of all walls, or of those in a file or rank."""
    return sum(
        1 << 8 * up + right
        for up in range(size - 1)
        for right in range(size - 1)
        if file in (None, right) and rank in (None, up)
    )


def _border_sets() -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
    table = np.zeros((NARROW + 1, 5), np.uint64)
    for size in range(SIZES[0], NARROW + 1):
        table[size] = (
            _middles(size, rank=0),
            _middles(size, file=0),
            _middles(size, rank=size - 2),
            _middles(size, file=size - 2),
            _middles(size),
        )
    return table


def _footprints() -> np.ndarray[tuple[int, int, int], np.dtype[np.uint64]]:
    table = np.zeros((2, 64, 4), np.uint64)
    for middle in range(64):
        square = middle + middle // 8
        for axis, sides in enumerate(((square, square + 1), (square, square + NARROW))):
            for side in sides:
                word, bit = 2 * axis + side // LOW, side % LOW
                table[axis, middle, word] |= np.uint64(1 << bit)
    return table


BORDER_SETS: Final = _border_sets()
"""By size, the middles next to the south, west, north and east border, and all middles."""
FOOTPRINTS: Final = _footprints()
"""By axis and middle, the sides that a wall shuts: north (low, high), and east (low, high)."""
FIRST_FILE: Final = np.uint64(_middles(9, file=0))
LAST_FILE: Final = np.uint64(_middles(9, file=7))

# --- the sieves ----------------------------------------------------------------------------------


@inner("UniTuple(uint64, 2)(uint64, uint64, uint64)", forceinline=True)
def places_free(places: Word, lying: Word, standing: Word) -> tuple[Word, Word]:
    """Return the places where a wall can lie, and stand, without overlapping or crossing."""
    middles = lying | standing
    return (
        places & ~(middles | lying << 1 & ~FIRST_FILE | lying >> 1 & ~LAST_FILE),
        places & ~(middles | standing << 8 | standing >> 8),
    )


@inner("uint64(uint64, uint64)", forceinline=True)
def points_touched(lying: Word, standing: Word) -> Word:
    """Return the grid points that walls touch; some on the border may be among them."""
    beside = lying << 1 & ~FIRST_FILE | lying >> 1 & ~LAST_FILE
    return lying | beside | standing | standing << 8 | standing >> 8


@inner("UniTuple(uint64, 2)(uint64, uint64, uint64, uint64, uint64)", forceinline=True)
def touching_twice(
    points: Word, south: Word, west: Word, north: Word, east: Word
) -> tuple[Word, Word]:
    """Return the lying, and the standing walls with two of their three points in a set.

    The border belongs to the set if its four sets of middles are given, and not if they are empty.
    """
    left = points << 1 & ~FIRST_FILE | west
    right = points >> 1 & ~LAST_FILE | east
    below = points << 8 | south
    above = points >> 8 | north
    return left & right | points & (left | right), below & above | points & (below | above)


@inner("uint64(uint64, uint64, uint64)", forceinline=True)
def connected_points(points: Word, lying: Word, standing: Word) -> Word:
    """Return all inner points that lines of walls connect with a set of points."""
    east = lying & ~LAST_FILE | lying >> 1 & ~LAST_FILE
    north = standing | standing >> 8
    while True:
        wider = (
            points
            | (points & east) << 1
            | points >> 1 & east
            | (points & north) << 8
            | points >> 8 & north
        )
        if wider == points:
            return points
        points = wider


@inner("UniTuple(uint64, 2)(uint64[::1], uint64, uint64)")
def closing_rings(row: Row, walls: Word, upright: Word) -> tuple[Word, Word]:
    """Return those of some lying and standing walls that have two points in one line of walls."""
    size = size_of(row)
    lying, standing = row[LYING], row[STANDING]
    south, west, north, east = (
        BORDER_SETS[size, 0],
        BORDER_SETS[size, 1],
        BORDER_SETS[size, 2],
        BORDER_SETS[size, 3],
    )
    points = points_touched(lying, standing) & BORDER_SETS[size, 4]
    line = connected_points(lying & (west | east) | standing & (south | north), lying, standing)
    closing, closing_upright = touching_twice(line, south, west, north, east)
    found, found_upright = closing & walls, closing_upright & upright
    points &= ~line
    while points and (walls & ~found | upright & ~found_upright):
        line = connected_points(ONE << lowest(points), lying, standing)
        closing, closing_upright = touching_twice(line, NONE, NONE, NONE, NONE)
        found |= closing & walls
        found_upright |= closing_upright & upright
        points &= ~line
    return found, found_upright


@inner("UniTuple(uint64, 2)(UniTuple(uint64, 4))")
def walls_across(way: tuple[Word, Word, Word, Word]) -> tuple[Word, Word]:
    """Return the lying, and the standing walls that would cut a way."""
    lying = standing = NONE
    north, north_high, east, east_high = way
    while north | north_high:
        square = first_of(north, north_high)
        lying |= CUTS[0, square]
        if north:
            north &= north - ONE
        else:
            north_high &= north_high - ONE
    while east | east_high:
        square = first_of(east, east_high)
        standing |= CUTS[1, square]
        if east:
            east &= east - ONE
        else:
            east_high &= east_high - ONE
    return lying, standing


@inner("boolean(uint64[::1], int64, int64, int64)", forceinline=True)
def shuts_off(row: Row, player: int, axis: int, middle: int) -> bool:
    """Return whether a wall would leave a player no way to the goal."""
    north, north_high, east, east_high = passages_of(row)
    goal, goal_high = goal_of(row, player)
    passages = (
        north & ~FOOTPRINTS[axis, middle, 0],
        north_high & ~FOOTPRINTS[axis, middle, 1],
        east & ~FOOTPRINTS[axis, middle, 2],
        east_high & ~FOOTPRINTS[axis, middle, 3],
    )
    return not can_reach(passages, pawn_of(row, player), goal, goal_high)


@inner("UniTuple(uint64, 2)(uint64[::1], uint64, uint64)")
def shutting_off(row: Row, walls: Word, upright: Word) -> tuple[Word, Word]:
    """Return those of some lying and standing walls that leave a player no way to the goal."""
    shut = shut_upright = NONE
    for player in range(players_of(row)):
        if not is_playing(row, player):
            continue
        word = WAYS + 2 * player
        if row[word] == UNKNOWN:
            goal, goal_high = goal_of(row, player)
            way = find_way(passages_of(row), pawn_of(row, player), goal, goal_high)
            row[word], row[word + 1] = walls_across(way)
        risky = walls & row[word] & ~shut
        while risky:
            middle = lowest(risky)
            if shuts_off(row, player, 0, middle):
                shut |= ONE << middle
            risky &= risky - ONE
        risky = upright & row[word + 1] & ~shut_upright
        while risky:
            middle = lowest(risky)
            if shuts_off(row, player, 1, middle):
                shut_upright |= ONE << middle
            risky &= risky - ONE
    return shut, shut_upright


@inner("UniTuple(uint64, 2)(uint64[::1])", forceinline=True)
def quoridor_walls(row: Row) -> tuple[Word, Word]:
    """Return the lying, and the standing walls that can be placed."""
    size = size_of(row)
    lying, standing = row[LYING], row[STANDING]
    free, free_upright = places_free(BORDER_SETS[size, 4], lying, standing)
    points = points_touched(lying, standing) & BORDER_SETS[size, 4]
    touching, touching_upright = touching_twice(
        points,
        BORDER_SETS[size, 0],
        BORDER_SETS[size, 1],
        BORDER_SETS[size, 2],
        BORDER_SETS[size, 3],
    )
    crossing = crossing_upright = NONE
    for player in range(players_of(row)):
        if is_playing(row, player):
            crossing |= row[WAYS + 2 * player]
            crossing_upright |= row[WAYS + 2 * player + 1]
    risky = free & touching & crossing
    risky_upright = free_upright & touching_upright & crossing_upright
    if risky | risky_upright:
        risky, risky_upright = closing_rings(row, risky, risky_upright)
        if risky | risky_upright:
            shut, shut_upright = shutting_off(row, risky, risky_upright)
            return free & ~shut, free_upright & ~shut_upright
    return free, free_upright
