"""Great Wall: lines of walls that join sides of the board.

Lines of walls are sets of inner grid points, a point named after the square north-east of it; so
they grow by the same flood that squares do (`trine.games.corridor.kernel.ways`).
"""

from __future__ import annotations

from numba import int64, void

from trine.core.compiled.jit import inner
from trine.games.corridor.board import EAST as EAST_SIDE
from trine.games.corridor.board import NORTH as NORTH_SIDE
from trine.games.corridor.board import SIDES, SOUTH, WEST
from trine.games.corridor.kernel.row import EDGES, JOINED, STRIDE, Row, size_of
from trine.games.corridor.kernel.squares import (
    LINE_SETS,
    ROW,
    SIDE_PAIR,
    SIDE_SETS,
    Sides,
    east_of,
    empty,
    has,
    north_of,
    one,
    read,
    south_of,
    west_of,
    write,
)
from trine.games.corridor.kernel.ways import open_sides, spread


@inner(int64(ROW, int64))
def side_joined_with(row: Row, point: int) -> int:
    """Return the side of the board that lines of walls join with an inner grid point, or -1."""
    for side in SIDES:
        if has(read(row, JOINED + 2 * side), point):
            return side
    return -1


@inner(void(ROW, int64, int64))
def join_line(row: Row, side: int, point: int) -> None:
    """Join with a side all inner points that walls connect with a point."""
    at, sides = 4 * size_of(row), open_sides(row)
    lying = read(LINE_SETS, at) & ~sides.north
    standing = read(LINE_SETS, at + 2) & ~sides.east
    # A lying wall begins at the corner north-west of its square, a standing one south-east of it.
    lines = Sides(east_of(standing), north_of(lying))
    points = one(point)
    while True:
        wider = spread(lines, points)
        if wider == points:
            break
        points = wider
    at = JOINED + 2 * side
    write(row, at, read(row, at) | points)


@inner(void(ROW, int64, int64))
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


@inner(SIDE_PAIR(ROW))
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
