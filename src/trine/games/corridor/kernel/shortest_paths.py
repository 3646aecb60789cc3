"""Paths through open sides: floods (breadth-first search), and all shortest paths of a player.

One step of a flood moves a whole set at once. A flood from the goal finds *rings*, the squares at
a distance of one step, two, three and so on, until it meets the pawn. The rings of neighbouring
squares differ by one at most; so rings need to be distinguished only modulo three, and three sets
hold them all. Walking back from the pawn, always into the next ring, gives *levels*: the squares
that shortest paths reach after one step, after two, and so on.
"""

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Row
from trine.core.compiled.jit import kernel_only
from trine.games.corridor.board import EAST as EAST_SIDE
from trine.games.corridor.board import NORTH as NORTH_SIDE
from trine.games.corridor.board import SOUTH, WEST
from trine.games.corridor.kernel import layout, sets

# --- reading a row -------------------------------------------------------------------------------


@kernel_only()
def open_sides_of(row: Row, square: int) -> int:
    """Return the open sides of a square, as bits in the order of the sides."""
    north, east = sets.read(row, layout.NORTH_OPEN), sets.read(row, layout.EAST_OPEN)
    south = square >= layout.STRIDE and sets.has(north, square - layout.STRIDE)
    west = square >= 1 and sets.has(east, square - 1)
    return (
        south << SOUTH
        | west << WEST
        | sets.has(north, square) << NORTH_SIDE
        | sets.has(east, square) << EAST_SIDE
    )


@kernel_only(forceinline=True)
def closed_by(axis: int, square: int, long: bool) -> sets.Squares:
    """Return the squares whose north side, for axis 0, or east side a wall closes."""
    if long:
        return sets.one(square) | sets.one(square + (layout.STRIDE if axis else 1))
    return sets.one(square)


@kernel_only(forceinline=True)
def with_wall(sides: sets.Sides, axis: int, square: int, long: bool) -> sets.Sides:
    if axis:
        return sets.Sides(sides.north, sides.east & ~closed_by(axis, square, long))
    return sets.Sides(sides.north & ~closed_by(axis, square, long), sides.east)


@kernel_only(forceinline=True)
def long_walls_across(sides: sets.Sides) -> sets.Sides:
    """Return the walls two squares long that close any side of a set."""
    return sets.Sides(
        sides.north | sets.west_of(sides.north), sides.east | sets.south_of(sides.east)
    )


@kernel_only(forceinline=True)
def spread(sides: sets.Sides, squares: sets.Squares) -> sets.Squares:
    """Return a set with all squares one step away from it through open sides."""
    return (
        squares
        | sets.north_of(squares & sides.north)
        | sets.south_of(squares) & sides.north
        | sets.east_of(squares & sides.east)
        | sets.west_of(squares) & sides.east
    )


@kernel_only()
def count_steps(sides: sets.Sides, square: int, goal: sets.Squares) -> int:
    """Return the fewest steps from a square to a set of squares, or -1 if there is no path."""
    reached = sets.one(square)
    steps = 0
    while not reached & goal:
        wider = spread(sides, reached)
        if wider == reached:
            return -1
        reached = wider
        steps += 1
    return steps


@kernel_only()
def steps_of(row: Row, player: int) -> int:
    """Return the fewest steps from a player's pawn to its goal, or -1 if there is no path."""
    return count_steps(sets.open_sides(row), layout.pawn_of(row, player), sets.goal_of(row, player))


@kernel_only()
def distance_with_wall(row: Row, player: int, axis: int, square: int) -> int:
    """Return the fewest steps to a player's goal with one wall more, or -1 if there is no path."""
    sides = with_wall(sets.open_sides(row), axis, square, layout.rules_of(row) == layout.QUORIDOR)
    return count_steps(sides, layout.pawn_of(row, player), sets.goal_of(row, player))


# --- rings and levels ----------------------------------------------------------------------------


@kernel_only(forceinline=True)
def rings_between(sides: sets.Sides, goal: sets.Squares, pawn: sets.Squares) -> sets.Rings:
    """Return the rings around a goal, out to a pawn."""
    reached = last = goal
    before = older = sets.empty()
    steps = 0
    while not reached & pawn:
        wider = spread(sides, reached)
        new = wider & ~reached
        if not new:
            return sets.Rings(last, before, older, -1)
        reached = wider
        steps += 1
        last, before, older = older | new, last, before
    return sets.Rings(last, before, older, steps)


@kernel_only(forceinline=True)
def rings_of(row: Row, player: int) -> sets.Rings:
    """Return the rings around a player's goal, out to the pawn, which must be on the board."""
    return rings_between(
        sets.open_sides(row), sets.goal_of(row, player), sets.one(layout.pawn_of(row, player))
    )


@kernel_only(forceinline=True)
def nearer(rings: sets.Rings) -> sets.Rings:
    """Return the rings for a pawn one step nearer to the goal."""
    return sets.Rings(rings.before, rings.older, rings.last, rings.steps - 1)


@kernel_only(forceinline=True)
def next_level(sides: sets.Sides, rings: sets.Rings, level: sets.Squares) -> sets.Squares:
    """Return the level after a level: the squares that shortest paths reach one step later."""
    return spread(sides, level) & rings.before


@kernel_only(forceinline=True)
def any_path(sides: sets.Sides, rings: sets.Rings, pawn: sets.Squares) -> sets.PawnPath:
    """Return one of the shortest paths; there must be one."""
    here = pawn
    north = south = east = west = sets.empty()
    while rings.steps > 0:
        below = sets.south_of(here) & sides.north & rings.before
        above = sets.north_of(here & sides.north) & rings.before
        left = sets.west_of(here) & sides.east & rings.before
        if below:
            south |= here
            here = below
        elif above:
            north |= here
            here = above
        elif left:
            west |= here
            here = left
        else:
            east |= here
            here = sets.east_of(here)
        rings = nearer(rings)
    return sets.PawnPath(north, south, east, west)


@kernel_only()
def find_path(sides: sets.Sides, square: int, goal: sets.Squares) -> sets.Sides:
    """Return the sides that a shortest path to a set crosses; all sides if there is no path."""
    pawn = sets.one(square)
    rings = rings_between(sides, goal, pawn)
    if rings.steps < 0:
        return sets.all_sides()
    path = any_path(sides, rings, pawn)
    return sets.Sides(path.north | sets.south_of(path.south), path.east | sets.west_of(path.west))


@kernel_only(forceinline=True)
def sides_between(sides: sets.Sides, squares: sets.Squares, other: sets.Squares) -> sets.Sides:
    """Return the open sides between the squares of two disjoint sets."""
    return sets.Sides(
        (squares & sets.south_of(other) | other & sets.south_of(squares)) & sides.north,
        (squares & sets.west_of(other) | other & sets.west_of(squares)) & sides.east,
    )


# --- traps ---------------------------------------------------------------------------------------


@kernel_only(forceinline=True)
def exits(sides: sets.Sides, squares: sets.Squares) -> int:
    """Return the number of open sides that lead out of a set of squares."""
    return sets.count_in((squares ^ sets.south_of(squares)) & sides.north) + sets.count_in(
        (squares ^ sets.west_of(squares)) & sides.east
    )


@kernel_only()
def fewest_exits(sides: sets.Sides, squares: sets.Squares, aim: sets.Squares, fewest: int) -> int:
    """Return the fewest open sides out of the area of a flood, before it reaches an aim.

    That many walls, each one square long, would separate the flood's start from the aim; fewer may
    be enough.
    ``fewest`` is a number known to be enough. The flood ends once the number is 2 or less.
    """
    while fewest > 2 and not squares & aim:
        fewest = min(fewest, exits(sides, squares))
        wider = spread(sides, squares)
        if wider == squares:
            return 0
        squares = wider
    return fewest


@kernel_only()
def one_wall_cuts(
    sides: sets.Sides, rings: sets.Rings, pawn: sets.Squares, goal: sets.Squares
) -> bool:
    """Return whether one wall, one square long, can trap a pawn that is not trapped yet.

    It can unless two paths have no side in common (the minimum cut is 1). A flood looks for an
    augmenting path: it must not repeat the steps of the first path, but may go back along them.

    Source: L. R. Ford and D. R. Fulkerson, "Maximal flow through a network" (1956).
    """
    if rings.steps < 0:
        return False
    path = any_path(sides, rings, pawn)
    reached = pawn
    while not reached & goal:
        wider = (
            reached
            | sets.north_of(reached & sides.north & ~path.north)
            | sets.south_of(reached & ~path.south) & sides.north
            | sets.east_of(reached & sides.east & ~path.east)
            | sets.west_of(reached & ~path.west) & sides.east
        )
        if wider == reached:
            return True
        reached = wider
    return False


@kernel_only(forceinline=True)
def cutting_walls(sides: sets.Sides, long: bool) -> sets.Sides:
    """Return the walls that each close all sides of a set."""
    horizontal, vertical = sets.count_in(sides.north), sets.count_in(sides.east)
    if horizontal + vertical == 1:
        return long_walls_across(sides) if long else sides
    if long and horizontal == 2 and vertical == 0:
        return sets.Sides(sides.north & sets.west_of(sides.north), sets.empty())
    if long and horizontal == 0 and vertical == 2:
        return sets.Sides(sets.empty(), sides.east & sets.south_of(sides.east))
    return sets.no_sides()


@kernel_only()
def bundle_of(row: Row, player: int) -> sets.Bundle:
    """Return the bundle of all shortest paths of a player whose pawn is on the board."""
    long = layout.rules_of(row) == layout.QUORIDOR
    sides, rings = sets.open_sides(row), rings_of(row, player)
    steps = rings.steps
    level = sets.one(layout.pawn_of(row, player))
    first = second = sets.empty()
    crossed = cutting = sets.no_sides()
    while rings.steps > 0:
        after = next_level(sides, rings, level)
        between = sides_between(sides, level, after)
        crossed = sets.joined(crossed, between)
        cutting = sets.joined(cutting, cutting_walls(between, long))
        if rings.steps == steps:
            first = after
        elif rings.steps == steps - 1:
            second = after
        level = after
        rings = nearer(rings)
    return sets.Bundle(crossed, cutting, first, second, steps)


# --- counts on shortest paths --------------------------------------------------------------------
#
# Both the terms and the inputs of a net need the steps to the goal and the number of short walls
# that trap. `count_paths` counts them together with the numbers that only terms need. The
# evaluation caches the two in the row, with the key of the position, because the inputs of a net
# are computed right after it, if at all.

MAX_SIDES: Final = 4  # maximum number of open sides of a square, and so of walls to trap a pawn
EXITS_AT: Final = 16
"""The lowest bit of the exits in a cached word; the steps are in the bits below."""


@kernel_only(forceinline=True)
def exits_between(
    sides: sets.Sides, rings: sets.Rings, pawn: sets.Squares, goal: sets.Squares
) -> int:
    """Return a number of short walls that is enough to trap a pawn that is not trapped yet.

    Guarantee: 1 if and only if one wall is enough; else fewer walls than returned may be enough.
    """
    if one_wall_cuts(sides, rings, pawn, goal):
        return 1
    outward = fewest_exits(sides, pawn, goal, MAX_SIDES)
    return max(2, fewest_exits(sides, goal, pawn, outward))


@kernel_only(forceinline=True)
def count_paths(row: Row, player: int) -> sets.PathCounts:
    """Return the counts for a player whose pawn is on the board."""
    sides, goal = sets.open_sides(row), sets.goal_of(row, player)
    pawn = sets.one(layout.pawn_of(row, player))
    rings = around = rings_between(sides, goal, pawn)
    if rings.steps < 0:
        return sets.PathCounts(-1, 0, 0.0, False, 0)
    level = pawn
    thin, fork, squares = 0.0, 0, 0
    while rings.steps > 0:
        level = next_level(sides, rings, level)
        squares = sets.count_in(level)
        thin += 1.0 / squares
        if rings.steps == around.steps:
            fork = squares
        rings = nearer(rings)
    exits = 0
    if layout.rules_of(row) != layout.QUORIDOR:
        exits = exits_between(sides, around, pawn, goal)
    return sets.PathCounts(around.steps, exits, thin, fork > 1, squares)


@kernel_only(forceinline=True)
def cache_counts(row: Row, player: int, steps: int, exits: int) -> None:
    """Cache a player's steps and exits; they become valid when the caller sets `COUNTED_KEY`."""
    row[layout.STATE + player] = np.uint64(steps + 1 | exits << EXITS_AT)


@kernel_only()
def steps_and_exits(row: Row, player: int) -> tuple[int, int]:
    """Return a player's steps and exits, from the cache in the row if it holds them."""
    if row[layout.COUNTED_KEY] != row[layout.KEY]:
        found = count_paths(row, player)
        return found.steps, found.exits
    cached = np.int64(row[layout.STATE + player])
    return (cached & (1 << EXITS_AT) - 1) - 1, cached >> EXITS_AT
