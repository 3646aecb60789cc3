"""The legal walls of Quoridor, all found at once; and those that would be a Great Wall.

Walls are named by their middles, so a set of walls is a set of points. Three sieves prove most of
them legal without a search, each for all in a few operations:

1. A wall can part the board only where it closes a ring: it has three points, and two of them must
   be touched already by walls or by the border.
2. It must cross a known way of some player, else that way stays open.
3. Two of its points must be touched by the *same* line of walls; the border counts as one.

Only the walls that pass all three are tried: placed, followed by a search for a way.
"""

from __future__ import annotations

from numba import int64, void

from trine.core.compiled.jit import kernel_only
from trine.games.corridor.board import EAST as EAST_SIDE
from trine.games.corridor.board import NORTH as NORTH_SIDE
from trine.games.corridor.board import SIDES, SOUTH, WEST
from trine.games.corridor.kernel.row import (
    EDGES,
    HORIZONTAL,
    JOINED,
    PATHS,
    STRIDE,
    UNKNOWN,
    VERTICAL,
    Row,
    is_playing,
    pawn_of,
    players_of,
    size_of,
)
from trine.games.corridor.kernel.shortest_paths import (
    can_reach,
    find_path,
    goal_of,
    long_walls_across,
    open_sides,
    spread,
    with_wall,
)
from trine.games.corridor.kernel.squares import (
    BORDER,
    BORDER_SETS,
    LINE_SETS,
    ROW,
    SIDE_PAIR,
    SIDE_SETS,
    SQUARES,
    Border,
    Sides,
    Squares,
    east_of,
    empty,
    first_of,
    has,
    north_of,
    one,
    read,
    south_of,
    west_of,
    without_first,
    write,
)

# --- points and squares --------------------------------------------------------------------------


@kernel_only(SQUARES(ROW, int64), forceinline=True)
def border_set(row: Row, side: int) -> Squares:
    """Return the points next to a side of the board; those of all the board for the number 4."""
    return read(BORDER_SETS, 2 * (5 * size_of(row) + side))


@kernel_only(BORDER(ROW), forceinline=True)
def border_of(row: Row) -> Border:
    return Border(border_set(row, 0), border_set(row, 1), border_set(row, 2), border_set(row, 3))


# --- the sieves ----------------------------------------------------------------------------------


@kernel_only(SQUARES(SQUARES), forceinline=True)
def beside(walls: Squares) -> Squares:
    """Return the points to the west and to the east of some, and others off the board."""
    return east_of(walls) | west_of(walls)


@kernel_only(SIDE_PAIR(SQUARES, SQUARES, SQUARES), forceinline=True)
def places_free(places: Squares, horizontal: Squares, vertical: Squares) -> Sides:
    """Return the places where a wall can lie, and stand, without overlapping or crossing."""
    free = places & ~(horizontal | vertical)
    return Sides(free & ~beside(horizontal), free & ~(north_of(vertical) | south_of(vertical)))


@kernel_only(SQUARES(SQUARES, SQUARES), forceinline=True)
def points_touched(horizontal: Squares, vertical: Squares) -> Squares:
    """Return the grid points that walls touch; some off the board may be among them."""
    return horizontal | beside(horizontal) | vertical | north_of(vertical) | south_of(vertical)


@kernel_only(SIDE_PAIR(SQUARES, BORDER), forceinline=True)
def touching_twice(points: Squares, border: Border) -> Sides:
    """Return the lying, and the standing walls with two of their three points in a set.

    The border belongs to the set if its points are given, and not if they are empty.
    """
    left = east_of(points) | border.west
    right = west_of(points) | border.east
    below = north_of(points) | border.south
    above = south_of(points) | border.north
    return Sides(left & right | points & (left | right), below & above | points & (below | above))


@kernel_only(SQUARES(SQUARES, SIDE_PAIR, SQUARES), forceinline=True)
def connected_points(points: Squares, walls: Sides, board: Squares) -> Squares:
    """Return all points that lines of walls connect with a set of points of the board.

    Points off the board may be among them.
    """
    east = (walls.north | west_of(walls.north)) & board
    north = walls.east | south_of(walls.east)
    while True:
        wider = (
            points
            | east_of(points & east)
            | west_of(points) & east
            | north_of(points & north)
            | south_of(points) & north
        )
        if wider == points:
            return points
        points = wider


@kernel_only(SIDE_PAIR(ROW, SIDE_PAIR))
def closing_rings(row: Row, tried: Sides) -> Sides:
    """Return those of some walls that have two points in one line of walls."""
    border, board = border_of(row), border_set(row, 4)
    walls = Sides(read(row, HORIZONTAL), read(row, VERTICAL))
    points = points_touched(walls.north, walls.east) & board
    line = connected_points(
        walls.north & (border.west | border.east) | walls.east & (border.south | border.north),
        walls,
        board,
    )
    closing = touching_twice(line, border)
    horizontal, vertical = closing.north & tried.north, closing.east & tried.east
    points &= ~line
    while points and (tried.north & ~horizontal | tried.east & ~vertical):
        line = connected_points(points & ~without_first(points), walls, board)
        closing = touching_twice(line, Border(empty(), empty(), empty(), empty()))
        horizontal |= closing.north & tried.north
        vertical |= closing.east & tried.east
        points &= ~line
    return Sides(horizontal, vertical)


@kernel_only(SQUARES(ROW, SIDE_PAIR, int64, int64, SQUARES))
def trapping_one(row: Row, sides: Sides, player: int, axis: int, risky: Squares) -> Squares:
    """Return those of some walls of an axis that leave a player no way to the goal."""
    goal, pawn = goal_of(row, player), pawn_of(row, player)
    shut = risky
    while risky:
        rest = without_first(risky)
        after = with_wall(sides, axis, first_of(risky), True)
        if can_reach(after, pawn, goal):
            shut &= ~risky | rest
        risky = rest
    return shut


@kernel_only(SIDE_PAIR(ROW, SIDE_PAIR))
def trapping(row: Row, walls: Sides) -> Sides:
    """Return those of some walls that leave a player no way to the goal."""
    sides = open_sides(row)
    horizontal = vertical = empty()
    for player in range(players_of(row)):
        if not is_playing(row, player):
            continue
        at = PATHS + 4 * player
        if row[at] == UNKNOWN:
            path = find_path(sides, pawn_of(row, player), goal_of(row, player))
            across = long_walls_across(path)
            write(row, at, across.north)
            write(row, at + 2, across.east)
        risky = walls.north & read(row, at) & ~horizontal
        horizontal |= trapping_one(row, sides, player, 0, risky)
        risky = walls.east & read(row, at + 2) & ~vertical
        vertical |= trapping_one(row, sides, player, 1, risky)
    return Sides(horizontal, vertical)


@kernel_only(SIDE_PAIR(ROW), forceinline=True)
def quoridor_walls(row: Row) -> Sides:
    """Return the walls that can be placed."""
    horizontal, vertical = read(row, HORIZONTAL), read(row, VERTICAL)
    free = places_free(border_set(row, 4), horizontal, vertical)
    points = points_touched(horizontal, vertical) & border_set(row, 4)
    touching = touching_twice(points, border_of(row))
    crossing = crossing_upright = empty()
    for player in range(players_of(row)):
        if is_playing(row, player):
            at = PATHS + 4 * player
            crossing |= read(row, at)
            crossing_upright |= read(row, at + 2)
    risky = Sides(
        free.north & touching.north & crossing,
        free.east & touching.east & crossing_upright,
    )
    if risky.north | risky.east:
        risky = closing_rings(row, risky)
        if risky.north | risky.east:
            shut = trapping(row, risky)
            return Sides(free.north & ~shut.north, free.east & ~shut.east)
    return free


# --- Great Wall: lines of walls that join sides of the board --------------------------------------
#
# Lines of walls are sets of inner grid points, a point named after the square north-east of it; so
# they grow by the same flood that squares do.


@kernel_only(int64(ROW, int64))
def side_joined_with(row: Row, point: int) -> int:
    """Return the side of the board that lines of walls join with an inner grid point, or -1."""
    for side in SIDES:
        if has(read(row, JOINED + 2 * side), point):
            return side
    return -1


@kernel_only(void(ROW, int64, int64))
def join_line(row: Row, side: int, point: int) -> None:
    """Join with a side all inner points that walls connect with a point."""
    at, sides = 4 * size_of(row), open_sides(row)
    horizontal = read(LINE_SETS, at) & ~sides.north
    vertical = read(LINE_SETS, at + 2) & ~sides.east
    # A lying wall begins at the corner north-west of its square, a standing one south-east of it.
    lines = Sides(east_of(vertical), north_of(horizontal))
    points = one(point)
    while True:
        wider = spread(lines, points)
        if wider == points:
            break
        points = wider
    at = JOINED + 2 * side
    write(row, at, read(row, at) | points)


@kernel_only(void(ROW, int64, int64))
def join(row: Row, axis: int, square: int) -> None:
    """Update the points joined with each side, after a wall."""
    edges = EDGES[size_of(row), square]
    if axis:
        start, start_side, end_side = square + 1, SOUTH, NORTH_SIDE
    else:
        start, start_side, end_side = square + STRIDE, WEST, EAST_SIDE
    end = square + STRIDE + 1
    at_start = start_side if edges >> start_side & 1 else side_joined_with(row, start)
    at_end = end_side if edges >> end_side & 1 else side_joined_with(row, end)
    if at_start >= 0 and at_end < 0:
        join_line(row, at_start, end)
    elif at_end >= 0 and at_start < 0:
        join_line(row, at_end, start)


@kernel_only(SIDE_PAIR(ROW))
def great_walls(row: Row) -> Sides:
    """Return the walls that would join two sides of the board."""
    # For all places at once: the sides that the two ends of a wall there are joined with.
    west = east = both = empty()
    south = north = same = empty()
    for side in SIDES:
        joined = read(row, JOINED + 2 * side)
        border = read(SIDE_SETS, 2 * (4 * size_of(row) + side))
        start, upright = south_of(joined), west_of(joined)
        end = west_of(start)
        stop = end
        if side == WEST:
            start |= border
        elif side == EAST_SIDE:
            end |= border
        elif side == SOUTH:
            upright |= border
        else:
            stop |= border
        west |= start
        east |= end
        both |= start & end
        south |= upright
        north |= stop
        same |= upright & stop
    return Sides(west & east & ~both, south & north & ~same)
