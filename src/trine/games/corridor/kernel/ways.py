"""Ways through open sides: floods, and all shortest ways of a player at once.

One step of a flood moves a whole set at once. A flood from the goal finds the squares one step away
from it, two, three, until it meets the pawn: its *rings*. The rings of neighbours differ by one at
most, so rings need to be distinguished only modulo three, and three sets hold them all. Walking
back from the pawn, always into the next ring, gives *levels*: the squares that shortest ways reach
after one step, after two, and so on.
"""

from __future__ import annotations

from trine.core.compiled.jit import inner
from trine.games.corridor.board import EAST as EAST_SIDE
from trine.games.corridor.board import NORTH as NORTH_SIDE
from trine.games.corridor.board import SOUTH, WEST
from trine.games.corridor.kernel.kinds import (
    AT,
    SIDE_SETS,
    Rings,
    Sides,
    Taken,
    all_unknown,
    empty,
    for_both,
    one,
    read,
    template,
)
from trine.games.corridor.kernel.row import (
    GOALS,
    NARROW,
    QUORIDOR,
    Row,
    pawn_of,
    players_of,
    rules_of,
    size_of,
)
from trine.games.corridor.kernel.squares import (
    Squares,
    clean,
    count_in,
    east_of,
    has,
    north_of,
    south_of,
    west_of,
)

# --- reading a row -------------------------------------------------------------------------------


@template("Sides(Row)", forceinline=True)
def open_sides(row: Row) -> Sides:
    """Return the open sides of squares."""
    return Sides(read(row, AT.north), read(row, AT.east))


@template("Squares(Row, int64)", forceinline=True)
def goal_of(row: Row, player: int) -> Squares:
    """Return the goal squares of a player."""
    side = GOALS[players_of(row), player]
    return read(SIDE_SETS, (4 * size_of(row) + side) * AT.words)


@template("int64(Row, int64)")
def doors_of(row: Row, square: int) -> int:
    """Return the open sides of a square, as bits in the order of the sides."""
    north, east = read(row, AT.north), read(row, AT.east)
    south = square >= AT.stride and has(north, square - AT.stride)
    west = square >= 1 and has(east, square - 1)
    return (
        south << SOUTH
        | west << WEST
        | has(north, square) << NORTH_SIDE
        | has(east, square) << EAST_SIDE
    )


@template("Squares(int64, int64, boolean)", forceinline=True)
def shut_by(axis: int, square: int, long: bool) -> Squares:
    """Return the squares whose sides a wall shuts."""
    if long:
        return one(square) | one(square + (AT.stride if axis else 1))
    return one(square)


@template("Sides(Sides, int64, int64, boolean)", forceinline=True)
def with_wall(sides: Sides, axis: int, square: int, long: bool) -> Sides:
    """Return the open sides after a wall."""
    if axis:
        return Sides(sides.north, sides.east - shut_by(axis, square, long))
    return Sides(sides.north - shut_by(axis, square, long), sides.east)


# --- floods --------------------------------------------------------------------------------------


@template("Squares(Sides, Squares)", forceinline=True)
def spread(sides: Sides, squares: Squares) -> Squares:
    """Return a set with all squares that are one step away through open sides."""
    return (
        squares
        | north_of(squares & sides.north)
        | south_of(squares) & sides.north
        | east_of(squares & sides.east)
        | west_of(squares) & sides.east
    )


@template("boolean(Sides, int64, Squares)", forceinline=True)
def can_reach(sides: Sides, square: int, goal: Squares) -> bool:
    """Return whether a way leads from a square to a set of squares."""
    reached = one(square)
    while not reached & goal:
        wider = spread(sides, reached)
        if wider == reached:
            return False
        reached = wider
    return True


@template("int64(Sides, int64, Squares)")
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


@template("int64(Row, int64)")
def distance(row: Row, player: int) -> int:
    """Return the fewest steps from a player's pawn to its goal, or -1 if there is no way."""
    return count_steps(open_sides(row), pawn_of(row, player), goal_of(row, player))


@template("int64(Row, int64, int64, int64)")
def distance_with_wall(row: Row, player: int, axis: int, square: int) -> int:
    """Return the same if a wall stood."""
    sides = with_wall(open_sides(row), axis, square, rules_of(row) == QUORIDOR)
    return count_steps(sides, pawn_of(row, player), goal_of(row, player))


# --- rings and levels ----------------------------------------------------------------------------


@template("Rings(Sides, Squares, Squares)", forceinline=True)
def rings_between(sides: Sides, goal: Squares, pawn: Squares) -> Rings:
    """Return the rings around a goal, up to a pawn."""
    reached = last = goal
    before = older = empty()
    steps = 0
    while not reached & pawn:
        wider = spread(sides, reached)
        new = clean(wider - reached)
        if not new:
            return Rings(last, before, older, -1)
        reached = wider
        steps += 1
        last, before, older = older | new, last, before
    return Rings(last, before, older, steps)


@template("Rings(Row, int64)", forceinline=True)
def rings_of(row: Row, player: int) -> Rings:
    """Return the rings around the goal of a player, up to the pawn, which must be on the board."""
    return rings_between(open_sides(row), goal_of(row, player), one(pawn_of(row, player)))


@template("Rings(Rings)", forceinline=True)
def nearer(rings: Rings) -> Rings:
    """Return the rings as seen after one step towards the goal."""
    return Rings(rings.before, rings.older, rings.last, rings.steps - 1)


@template("Squares(Sides, Rings, Squares)", forceinline=True)
def next_level(sides: Sides, rings: Rings, level: Squares) -> Squares:
    """Return the squares that shortest ways reach one step after those of a level."""
    return spread(sides, level) & rings.before


@template("Taken(Sides, Rings, Squares)", forceinline=True)
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


@template("Sides(Sides, int64, Squares)")
def find_way(sides: Sides, square: int, goal: Squares) -> Sides:
    """Return the sides that a shortest way from a square to a set of squares crosses.

    Returns: all bits if there is no way.
    """
    pawn = one(square)
    rings = rings_between(sides, goal, pawn)
    if rings.steps < 0:
        return Sides(all_unknown(), all_unknown())
    way = a_way(sides, rings, pawn)
    return Sides(way.north | south_of(way.south), way.east | west_of(way.west))


@template("Sides(Sides, Squares, Squares)", forceinline=True)
def sides_between(sides: Sides, squares: Squares, other: Squares) -> Sides:
    """Return the open sides between the squares of two disjoint sets."""
    return Sides(
        (squares & south_of(other) | other & south_of(squares)) & sides.north,
        (squares & west_of(other) | other & west_of(squares)) & sides.east,
    )


# --- traps ---------------------------------------------------------------------------------------


@template("int64(Sides, Squares)", forceinline=True)
def exits(sides: Sides, squares: Squares) -> int:
    """Return the number of open sides that lead out of a set of squares."""
    return count_in((squares ^ south_of(squares)) & sides.north) + count_in(
        (squares ^ west_of(squares)) & sides.east
    )


@template("int64(Sides, Squares, Squares, int64)")
def fewest_exits(sides: Sides, squares: Squares, aim: Squares, fewest: int) -> int:
    """Return the fewest open sides out of the area of a flood, before it reaches an aim.

    That many walls, one square long, are enough to separate the two; fewer may be.

    Args: ``fewest`` is a number known to be enough. The flood ends once it is 2 or less.
    """
    while fewest > 2 and not squares & aim:
        fewest = min(fewest, exits(sides, clean(squares)))
        wider = spread(sides, squares)
        if wider == squares:
            return 0
        squares = wider
    return fewest


@template("boolean(Sides, Rings, Squares, Squares)")
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
        wider = clean(
            reached
            | north_of(reached & sides.north - way.north)
            | south_of(reached - way.south) & sides.north
            | east_of(reached & sides.east - way.east)
            | west_of(reached - way.west) & sides.east
        )
        if wider == reached:
            return True
        reached = wider
    return False


# --- for boards of all sizes ---------------------------------------------------------------------

_narrow_distance, _wide_distance = for_both(distance)
_narrow_doors, _wide_doors = for_both(doors_of)


@inner("int64(uint64[::1], int64)", forceinline=True)
def steps_of(row: Row, player: int) -> int:
    """Return the fewest steps from a pawn to its goal, or -1 if there is no way."""
    return _narrow_distance(row, player) if size_of(row) <= NARROW else _wide_distance(row, player)


@inner("int64(uint64[::1], int64)", forceinline=True)
def doors(row: Row, square: int) -> int:
    """Return the open sides of a square, as bits in the order of the sides."""
    return _narrow_doors(row, square) if size_of(row) <= NARROW else _wide_doors(row, square)
