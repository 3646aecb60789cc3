"""Bundles of shortest ways on a narrow board: the walls that cut them, and their first steps.

A *bundle* is all shortest ways of a player together. Walls are named as in actions, so sets of
lying and of standing walls are sets of squares.
"""

from __future__ import annotations

import numpy as np

from trine.core.bits import NONE, count
from trine.core.jit import inner
from trine.games.corridor.kernel.narrow import (
    Word,
    count_steps,
    goal_of,
    passages_of,
    set_of,
    spread,
)
from trine.games.corridor.kernel.row import NARROW, QUORIDOR, Row, pawn_of, rules_of
from trine.games.corridor.kernel.ways import NO_WAY, SQUARES, Passages, rings_of, sides_between

Bundle = tuple[
    Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word  # see `bundle_of`
]


@inner("UniTuple(uint64, 4)(UniTuple(uint64, 4))", forceinline=True)
def long_walls_across(sides: Passages) -> Passages:
    """Return the walls, two squares long, that shut any of some sides."""
    north, north_high, east, east_high = sides
    return (
        north | north >> 1,
        north_high | north_high >> 1,
        east | (east >> 9 | east_high << 54) & SQUARES,
        east_high | east_high >> 9,
    )


@inner("UniTuple(uint64, 4)(UniTuple(uint64, 4), boolean)", forceinline=True)
def walls_that_part(sides: Passages, long: bool) -> Passages:
    """Return the walls each of which shuts all of some sides."""
    north, north_high, east, east_high = sides
    lying, standing = count(north) + count(north_high), count(east) + count(east_high)
    if lying + standing == 1:
        return long_walls_across(sides) if long else sides
    if long and lying == 2 and standing == 0:
        return north & north >> 1, north_high & north_high >> 1, NONE, NONE
    if long and lying == 0 and standing == 2:
        return NONE, NONE, east & (east >> 9 | east_high << 54), east_high & east_high >> 9
    return NONE, NONE, NONE, NONE


@inner("UniTuple(uint64, 13)(uint64[::1], int64)")
def bundle_of(row: Row, player: int) -> Bundle:
    """Return the bundle of all shortest ways of a player whose pawn is on the board.

    Returns: the sides that they cross: north (low, high) and east (low, high); the walls each of
        which cuts them all: lying and standing; the squares that they reach after one step, and
        after two; their number of steps, or `NO_WAY`, and then the sets are empty.
    """
    long = rules_of(row) == QUORIDOR
    passages = passages_of(row)
    last, last_high, before, before_high, older, older_high, steps = rings_of(row, player)
    low, high = set_of(pawn_of(row, player))
    north = north_high = east = east_high = NONE
    lying = lying_high = standing = standing_high = NONE
    one = one_high = two = two_high = NONE
    levels = np.int64(0) if steps == NO_WAY else np.int64(steps)
    for level in range(levels):
        after, after_high = spread(passages, low, high)
        after, after_high = after & before, after_high & before_high
        sides = sides_between(passages, low, high, after, after_high)
        parting = walls_that_part(sides, long)
        north, north_high = north | sides[0], north_high | sides[1]
        east, east_high = east | sides[2], east_high | sides[3]
        lying, lying_high = lying | parting[0], lying_high | parting[1]
        standing, standing_high = standing | parting[2], standing_high | parting[3]
        if level == 0:
            one, one_high = after, after_high
        elif level == 1:
            two, two_high = after, after_high
        low, high = after, after_high
        before, before_high, older, older_high, last, last_high = (
            older,
            older_high,
            last,
            last_high,
            before,
            before_high,
        )
    return (
        north,
        north_high,
        east,
        east_high,
        lying,
        lying_high,
        standing,
        standing_high,
        one,
        one_high,
        two,
        two_high,
        steps,
    )


@inner("int64(uint64[::1], int64, int64, int64)")
def steps_with_wall(row: Row, player: int, axis: int, square: int) -> int:
    """Return the steps of a player to the goal if a wall stood; -1 if there were no way."""
    low, high = set_of(square)
    if rules_of(row) == QUORIDOR:
        more, more_high = set_of(square + (NARROW if axis else 1))
        low, high = low | more, high | more_high
    north, north_high, east, east_high = passages_of(row)
    if axis:
        east, east_high = east & ~low, east_high & ~high
    else:
        north, north_high = north & ~low, north_high & ~high
    goal, goal_high = goal_of(row, player)
    return count_steps((north, north_high, east, east_high), pawn_of(row, player), goal, goal_high)
