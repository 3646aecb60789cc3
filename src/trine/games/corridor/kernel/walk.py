"""The counts of the terms and the inputs on all shortest ways of a player.

Both need the steps to the goal and the number of short walls that trap. So one *walk* counts them,
beside what only the terms tell of. The evaluation leaves both numbers in the row, with the key of
the position, for the inputs of a net: these are asked for next, if at all.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import int64, void

from trine.core.compiled.jit import inner
from trine.games.corridor.kernel.row import KEY, QUORIDOR, STATE, WALKED, Row, pawn_of, rules_of
from trine.games.corridor.kernel.squares import (
    RINGS,
    ROW,
    SIDE_PAIR,
    SQUARES,
    WALK,
    Rings,
    Sides,
    Squares,
    Walk,
    count_in,
    one,
)
from trine.games.corridor.kernel.ways import (
    fewest_exits,
    goal_of,
    nearer,
    next_level,
    one_wall_parts,
    open_sides,
    rings_between,
)

MOST_SIDES: Final = 4
"""The most open sides of a square: so many walls are enough to shut in a pawn."""
EXITS_AT: Final = 16
"""The bit of a word in a row at which the exits begin, behind the steps."""


# --- counting ------------------------------------------------------------------------------------


@inner(int64(SIDE_PAIR, RINGS, SQUARES, SQUARES), forceinline=True)
def exits_between(sides: Sides, rings: Rings, pawn: Squares, goal: Squares) -> int:
    """Return a number of short walls that is enough to cut off a pawn that has a way to the goal.

    Guarantee: exact if it is 1; else fewer may be enough, but not 1.
    """
    if one_wall_parts(sides, rings, pawn, goal):
        return 1
    outward = fewest_exits(sides, pawn, goal, MOST_SIDES)
    return max(2, fewest_exits(sides, goal, pawn, outward))


@inner(WALK(ROW, int64), forceinline=True)
def walk(row: Row, player: int) -> Walk:
    """Return what is counted for a player whose pawn is on the board."""
    sides, goal = open_sides(row), goal_of(row, player)
    pawn = one(pawn_of(row, player))
    rings = around = rings_between(sides, goal, pawn)
    if rings.steps < 0:
        return Walk(-1, 0, 0.0, False, 0)
    level = pawn
    thin, fork, squares = 0.0, 0, 0
    while rings.steps > 0:
        level = next_level(sides, rings, level)
        squares = count_in(level)
        thin += 1.0 / squares
        if rings.steps == around.steps:
            fork = squares
        rings = nearer(rings)
    exits = 0
    if rules_of(row) != QUORIDOR:
        exits = exits_between(sides, around, pawn, goal)
    return Walk(around.steps, exits, thin, fork > 1, squares)


# --- in the row ----------------------------------------------------------------------------------


@inner(void(ROW, int64, int64, int64), forceinline=True)
def leave(row: Row, player: int, steps: int, exits: int) -> None:
    """Leave the steps and the exits of a player in a narrow row; `Layout.walked` says of what."""
    row[STATE + player] = np.uint64(steps + 1 | exits << EXITS_AT)


@inner("UniTuple(int64, 2)(uint64[::1], int64)")
def steps_and_exits(row: Row, player: int) -> tuple[int, int]:
    """Return the first two of `walk` on a narrow board, from the row if they were left there."""
    if row[WALKED] != row[KEY]:
        found = walk(row, player)
        return found.steps, found.exits
    left = np.int64(row[STATE + player])
    return (left & (1 << EXITS_AT) - 1) - 1, left >> EXITS_AT
