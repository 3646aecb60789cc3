"""Bundles of shortest ways: the walls that cut them, and their first steps."""

from __future__ import annotations

from numba import boolean, int64

from trine.core.compiled.jit import inner
from trine.games.corridor.kernel.row import QUORIDOR, Row, pawn_of, rules_of
from trine.games.corridor.kernel.squares import (
    BUNDLE,
    ROW,
    SIDE_PAIR,
    SQUARES,
    Bundle,
    Sides,
    Squares,
    count_in,
    empty,
    one,
    south_of,
    west_of,
)
from trine.games.corridor.kernel.ways import (
    long_walls_across,
    nearer,
    next_level,
    open_sides,
    rings_of,
    sides_between,
)


@inner(SIDE_PAIR(SIDE_PAIR, boolean), forceinline=True)
def walls_that_part(sides: Sides, long: bool) -> Sides:
    """Return the walls each of which shuts all of some sides."""
    lying, standing = count_in(sides.north), count_in(sides.east)
    if lying + standing == 1:
        return long_walls_across(sides) if long else sides
    if long and lying == 2 and standing == 0:
        return Sides(sides.north & west_of(sides.north), empty())
    if long and lying == 0 and standing == 2:
        return Sides(empty(), sides.east & south_of(sides.east))
    return Sides(empty(), empty())


@inner(SIDE_PAIR(SIDE_PAIR, SIDE_PAIR), forceinline=True)
def joined(sides: Sides, more: Sides) -> Sides:
    """Return all sides of two sets."""
    return Sides(sides.north | more.north, sides.east | more.east)


@inner(SQUARES(SIDE_PAIR, int64), forceinline=True)
def along(sides: Sides, axis: int) -> Squares:
    """Return the sides, or the walls, of an axis."""
    return sides.east if axis else sides.north


@inner(BUNDLE(ROW, int64))
def bundle_of(row: Row, player: int) -> Bundle:
    """Return the bundle of all shortest ways of a player whose pawn is on the board."""
    long = rules_of(row) == QUORIDOR
    sides, rings = open_sides(row), rings_of(row, player)
    steps = rings.steps
    level = one(pawn_of(row, player))
    first = second = empty()
    crossed = parting = Sides(empty(), empty())
    while rings.steps > 0:
        after = next_level(sides, rings, level)
        between = sides_between(sides, level, after)
        crossed = joined(crossed, between)
        parting = joined(parting, walls_that_part(between, long))
        if rings.steps == steps:
            first = after
        elif rings.steps == steps - 1:
            second = after
        level = after
        rings = nearer(rings)
    return Bundle(crossed, parting, first, second, steps)
