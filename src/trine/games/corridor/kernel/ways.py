"""Ways through open sides: floods, and all shortest ways of a player at once.

One step of a flood moves a whole set at once. A flood from the goal finds the squares one step away
from it, two, three, until it meets the pawn: its *rings*. The rings of neighbours differ by one at
most, so rings need to be distinguished only modulo three, and three sets hold them all. Walking
back from the pawn, always into the next ring, gives *levels*: the squares that shortest ways reach
after one step, after two, and so on.
"""

from __future__ import annotations

from numba import boolean, int64

from trine.core.compiled.jit import inner
from trine.games.corridor.board import EAST as EAST_SIDE
from trine.games.corridor.board import NORTH as NORTH_SIDE
from trine.games.corridor.board import SOUTH, WEST
from trine.games.corridor.kernel.row import (
    EAST_OPEN,
    GOALS,
    NORTH_OPEN,
    QUORIDOR,
    STRIDE,
    Row,
    pawn_of,
    players_of,
    rules_of,
    size_of,
)
from trine.games.corridor.kernel.squares import (
    RINGS,
    ROW,
    SIDE_PAIR,
    SIDE_SETS,
    SQUARES,
    TAKEN,
    Rings,
    Sides,
    Squares,
    Taken,
    count_in,
    east_of,
    empty,
    has,
    north_of,
    one,
    read,
    south_of,
    west_of,
)

# --- reading a row -------------------------------------------------------------------------------


@inner(SIDE_PAIR(ROW), forceinline=True)
def open_sides(row: Row) -> Sides:
    """Return the open sides of squares."""
    return Sides(read(row, NORTH_OPEN), read(row, EAST_OPEN))


@inner(SQUARES(ROW, int64), forceinline=True)
def goal_of(row: Row, player: int) -> Squares:
    """Return the goal squares of a player."""
    side = GOALS[players_of(row), player]
    return read(SIDE_SETS, 2 * (4 * size_of(row) + side))


@inner(int64(ROW, int64))
def doors(row: Row, square: int) -> int:
    """Return the open sides of a square, as bits in the order of the sides."""
    north, east = read(row, NORTH_OPEN), read(row, EAST_OPEN)
    south = square >= STRIDE and has(north, square - STRIDE)
    west = square >= 1 and has(east, square - 1)
    return (
        south << SOUTH
        | west << WEST
        | has(north, square) << NORTH_SIDE
        | has(east, square) << EAST_SIDE
    )


@inner(SQUARES(int64, int64, boolean), forceinline=True)
def shut_by(axis: int, square: int, long: bool) -> Squares:
    """Return the squares whose sides a wall shuts."""
    if long:
        return one(square) | one(square + (STRIDE if axis else 1))
    return one(square)


@inner(SIDE_PAIR(SIDE_PAIR, int64, int64, boolean), forceinline=True)
def with_wall(sides: Sides, axis: int, square: int, long: bool) -> Sides:
    """Return the open sides after a wall."""
    if axis:
        return Sides(sides.north, sides.east & ~shut_by(axis, square, long))
    return Sides(sides.north & ~shut_by(axis, square, long), sides.east)


@inner(SIDE_PAIR(SIDE_PAIR), forceinline=True)
def long_walls_across(sides: Sides) -> Sides:
    """Return the walls, two squares long, that shut any of some sides."""
    return Sides(sides.north | west_of(sides.north), sides.east | south_of(sides.east))


# --- floods --------------------------------------------------------------------------------------


@inner(SQUARES(SIDE_PAIR, SQUARES), forceinline=True)
def spread(sides: Sides, squares: Squares) -> Squares:
    """Return a set with all squares that are one step away through open sides."""
    return (
        squares
        | north_of(squares & sides.north)
        | south_of(squares) & sides.north
        | east_of(squares & sides.east)
        | west_of(squares) & sides.east
    )


@inner(boolean(SIDE_PAIR, int64, SQUARES), forceinline=True)
def can_reach(sides: Sides, square: int, goal: Squares) -> bool:
    """Return whether a way leads from a square to a set of squares."""
    reached = one(square)
    while not reached & goal:
        wider = spread(sides, reached)
        if wider == reached:
            return False
        reached = wider
    return True


@inner(int64(SIDE_PAIR, int64, SQUARES))
def count_steps(sides: Sides, square: int, goal: Squares) -> int:
    """Return the fewest steps from a square to a set of squares, or -1 if there is no way."""
    reached = one(square)
    steps = 0
    while not reached & goal:
        wider = spread(sides, reached)
        if wider == reached:
            return -1
        reached = wider
        steps += 1
    return steps


@inner(int64(ROW, int64))
def steps_of(row: Row, player: int) -> int:
    """Return the fewest steps from a player's pawn to its goal, or -1 if there is no way."""
    return count_steps(open_sides(row), pawn_of(row, player), goal_of(row, player))


@inner(int64(ROW, int64, int64, int64))
def distance_with_wall(row: Row, player: int, axis: int, square: int) -> int:
    """Return the same if a wall stood."""
    sides = with_wall(open_sides(row), axis, square, rules_of(row) == QUORIDOR)
    return count_steps(sides, pawn_of(row, player), goal_of(row, player))


# --- rings and levels ----------------------------------------------------------------------------


@inner(RINGS(SIDE_PAIR, SQUARES, SQUARES), forceinline=True)
def rings_between(sides: Sides, goal: Squares, pawn: Squares) -> Rings:
    """Return the rings around a goal, up to a pawn."""
    reached = last = goal
    before = older = empty()
    steps = 0
    while not reached & pawn:
        wider = spread(sides, reached)
        new = wider & ~reached
        if not new:
            return Rings(last, before, older, -1)
        reached = wider
        steps += 1
        last, before, older = older | new, last, before
    return Rings(last, before, older, steps)


@inner(RINGS(ROW, int64), forceinline=True)
def rings_of(row: Row, player: int) -> Rings:
    """Return the rings around the goal of a player, up to the pawn, which must be on the board."""
    return rings_between(open_sides(row), goal_of(row, player), one(pawn_of(row, player)))


@inner(RINGS(RINGS), forceinline=True)
def nearer(rings: Rings) -> Rings:
    """Return the rings as seen after one step towards the goal."""
    return Rings(rings.before, rings.older, rings.last, rings.steps - 1)


@inner(SQUARES(SIDE_PAIR, RINGS, SQUARES), forceinline=True)
def next_level(sides: Sides, rings: Rings, level: Squares) -> Squares:
    """Return the squares that shortest ways reach one step after those of a level."""
    return spread(sides, level) & rings.before


@inner(TAKEN(SIDE_PAIR, RINGS, SQUARES), forceinline=True)
def a_way(sides: Sides, rings: Rings, pawn: Squares) -> Taken:
    """Return one of the shortest ways; there must be one."""
    here = pawn
    north = south = east = west = empty()
    while rings.steps > 0:
        below = south_of(here) & sides.north & rings.before
        above = north_of(here & sides.north) & rings.before
        left = west_of(here) & sides.east & rings.before
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
            here = east_of(here)
        rings = nearer(rings)
    return Taken(north, south, east, west)


@inner(SIDE_PAIR(SIDE_PAIR, int64, SQUARES))
def find_way(sides: Sides, square: int, goal: Squares) -> Sides:
    """Return the sides that a shortest way from a square to a set of squares crosses.

    Returns: all bits if there is no way.
    """
    pawn = one(square)
    rings = rings_between(sides, goal, pawn)
    if rings.steps < 0:
        return Sides(~empty(), ~empty())
    way = a_way(sides, rings, pawn)
    return Sides(way.north | south_of(way.south), way.east | west_of(way.west))


@inner(SIDE_PAIR(SIDE_PAIR, SQUARES, SQUARES), forceinline=True)
def sides_between(sides: Sides, squares: Squares, other: Squares) -> Sides:
    """Return the open sides between the squares of two disjoint sets."""
    return Sides(
        (squares & south_of(other) | other & south_of(squares)) & sides.north,
        (squares & west_of(other) | other & west_of(squares)) & sides.east,
    )


# --- traps ---------------------------------------------------------------------------------------


@inner(int64(SIDE_PAIR, SQUARES), forceinline=True)
def exits(sides: Sides, squares: Squares) -> int:
    """Return the number of open sides that lead out of a set of squares."""
    return count_in((squares ^ south_of(squares)) & sides.north) + count_in(
        (squares ^ west_of(squares)) & sides.east
    )


@inner(int64(SIDE_PAIR, SQUARES, SQUARES, int64))
def fewest_exits(sides: Sides, squares: Squares, aim: Squares, fewest: int) -> int:
    """Return the fewest open sides out of the area of a flood, before it reaches an aim.

    That many walls, one square long, are enough to separate the two; fewer may be.

    Args: ``fewest`` is a number known to be enough. The flood ends once it is 2 or less.
    """
    while fewest > 2 and not squares & aim:
        fewest = min(fewest, exits(sides, squares))
        wider = spread(sides, squares)
        if wider == squares:
            return 0
        squares = wider
    return fewest


@inner(boolean(SIDE_PAIR, RINGS, SQUARES, SQUARES))
def one_wall_parts(sides: Sides, rings: Rings, pawn: Squares, goal: Squares) -> bool:
    """Return whether one wall, one square long, can leave a pawn without a way, if it has one.

    It can unless there are two ways without a common side. A second way is searched by a flood
    that must not take the steps of the first way, but may go back along them.

    Source: L. R. Ford and D. R. Fulkerson, "Maximal flow through a network" (1956).
    """
    if rings.steps < 0:
        return False
    way = a_way(sides, rings, pawn)
    reached = pawn
    while not reached & goal:
        wider = (
            reached
            | north_of(reached & sides.north & ~way.north)
            | south_of(reached & ~way.south) & sides.north
            | east_of(reached & sides.east & ~way.east)
            | west_of(reached & ~way.west) & sides.east
        )
        if wider == reached:
            return True
        reached = wider
    return False
