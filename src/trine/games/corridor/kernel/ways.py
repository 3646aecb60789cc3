"""All shortest ways of a player on a narrow board, at once.

A flood from the goal finds the squares one step away from it, two, three, until it meets the pawn:
its *rings*. The rings of neighbours differ by one at most, so rings need to be distinguished only
modulo three, and three sets hold them all. Walking back from the pawn, always into the next ring,
gives *levels*: the squares that shortest ways reach after one step, after two, and so on.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.bits import NONE, ONE, count
from trine.core.jit import inner, kernel
from trine.games.corridor.kernel.narrow import Word, goal_of, passages_of, set_of, spread
from trine.games.corridor.kernel.row import LOW, Row, pawn_of

Passages = tuple[Word, Word, Word, Word]
Rings = tuple[Word, Word, Word, Word, Word, Word, Word]

SQUARES: Final = (ONE << np.uint64(LOW)) - ONE
"""The bits of a low word that stand for squares."""
NO_WAY: Final = np.uint64(0xFFFF)
"""In place of a number of steps: there is no way."""


@inner("UniTuple(uint64, 7)(UniTuple(uint64, 4), uint64, uint64, uint64, uint64)", forceinline=True)
def rings_between(
    passages: Passages, goal: Word, goal_high: Word, pawn: Word, pawn_high: Word
) -> Rings:
    """Return the rings around a goal, up to a pawn.

    Returns: three sets (low, high): of the rings as far away as the pawn, and nearer by three, by
        six and so on; of those one step nearer than these; of those two steps nearer. Last the
        number of steps from the pawn to the goal, or `NO_WAY`.
    """
    low, high = goal, goal_high
    last, last_high = goal, goal_high
    before = before_high = older = older_high = NONE
    steps = NONE
    while not low & pawn | high & pawn_high:
        wider, wider_high = spread(passages, low, high)
        new, new_high = wider & ~low & SQUARES, wider_high & ~high
        if not new | new_high:
            return last, last_high, before, before_high, older, older_high, NO_WAY
        low, high = wider, wider_high
        steps += ONE
        new, new_high = older | new, older_high | new_high
        older, older_high = before, before_high
        before, before_high = last, last_high
        last, last_high = new, new_high
    return last, last_high, before, before_high, older, older_high, steps


@inner("UniTuple(uint64, 7)(uint64[::1], int64)", forceinline=True)
def rings_of(row: Row, player: int) -> Rings:
    """Return the rings around the goal of a player, up to the pawn, which must be on the board."""
    goal, goal_high = goal_of(row, player)
    pawn, pawn_high = set_of(pawn_of(row, player))
    return rings_between(passages_of(row), goal, goal_high, pawn, pawn_high)


@inner("UniTuple(uint64, 4)(UniTuple(uint64, 4), uint64, uint64, uint64, uint64)", forceinline=True)
def sides_between(
    passages: Passages, low: Word, high: Word, other: Word, other_high: Word
) -> Passages:
    """Return the open sides between the squares of two disjoint sets.

    Returns: north sides (low, high) and east sides (low, high).
    """
    north, north_high, east, east_high = passages
    return (
        (low & (other >> 9 | other_high << 54) | other & (low >> 9 | high << 54)) & north,
        (high & other_high >> 9 | other_high & high >> 9) & north_high,
        (low & other >> 1 | other & low >> 1) & east,
        (high & other_high >> 1 | other_high & high >> 1) & east_high,
    )


@kernel("int64(UniTuple(uint64, 4), uint64, uint64)", forceinline=True)
def exits(passages: Passages, low: Word, high: Word) -> int:
    """Return the number of open sides that lead out of a set of squares."""
    north, north_high, east, east_high = passages
    return (
        count((low ^ (low >> 9 | high << 54)) & north)
        + count((high ^ high >> 9) & north_high)
        + count((low ^ low >> 1) & east)
        + count((high ^ high >> 1) & east_high)
    )


@inner("int64(UniTuple(uint64, 4), uint64, uint64, uint64, uint64, int64)")
def fewest_exits(
    passages: Passages, low: Word, high: Word, aim: Word, aim_high: Word, fewest: int
) -> int:
    """Return the fewest open sides out of the area of a flood, before it reaches an aim.

    That many walls, one square long, are enough to separate the two; fewer may be.

    Args: ``fewest`` is a number known to be enough. The flood ends once it is 2 or less.
    """
    while fewest > 2 and not low & aim | high & aim_high:
        fewest = min(fewest, exits(passages, low & SQUARES, high))
        wider, wider_high = spread(passages, low, high)
        if wider == low and wider_high == high:
            return 0
        low, high = wider, wider_high
    return fewest


@inner("boolean(UniTuple(uint64, 4), UniTuple(uint64, 7), uint64, uint64, uint64, uint64)")
def one_wall_parts(
    passages: Passages, rings: Rings, pawn: Word, pawn_high: Word, goal: Word, goal_high: Word
) -> bool:
    """Return whether one wall, one square long, can leave a pawn without a way, if it has one.

    It can unless there are two ways without a common side. A second way is searched by a flood
    that must not take the steps of the first way, but may go back along them.

    Source: L. R. Ford and D. R. Fulkerson, "Maximal flow through a network" (1956).
    """
    last, last_high, before, before_high, older, older_high, steps = rings
    if steps == NO_WAY:
        return False
    here, here_high = pawn, pawn_high
    up = up_high = down = down_high = right = right_high = left = left_high = NONE
    while steps:
        low, high = spread(passages, here, here_high)
        low, high = low & before, high & before_high
        if low:
            low, high = low & (~low + ONE), NONE
        else:
            high &= ~high + ONE
        # The one of the four neighbours that the first way goes to.
        if low == here << 9 & SQUARES and high == (here_high << 9 | here >> 54):
            up, up_high = up | here, up_high | here_high
        elif low == (here >> 9 | here_high << 54 & SQUARES) and high == here_high >> 9:
            down, down_high = down | here, down_high | here_high
        elif low == here << 1 and high == here_high << 1:
            right, right_high = right | here, right_high | here_high
        else:
            left, left_high = left | here, left_high | here_high
        here, here_high = low, high
        last, last_high, before, before_high, older, older_high = (
            before,
            before_high,
            older,
            older_high,
            last,
            last_high,
        )
        steps -= ONE
    north, north_high, east, east_high = passages
    low, high = pawn, pawn_high
    while not low & goal | high & goal_high:
        rising = low & north & ~up
        falling, falling_high = low & ~down, high & ~down_high
        wider = (
            low
            | rising << 9
            | (falling >> 9 | falling_high << 54) & north
            | (low & east & ~right) << 1
            | (low & ~left) >> 1 & east
        ) & SQUARES
        wider_high = (
            high
            | (high & north_high & ~up_high) << 9
            | rising >> 54
            | falling_high >> 9 & north_high
            | (high & east_high & ~right_high) << 1
            | (high & ~left_high) >> 1 & east_high
        )
        if wider == low and wider_high == high:
            return True
        low, high = wider, wider_high
    return False
