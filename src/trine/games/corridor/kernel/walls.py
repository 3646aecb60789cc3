"""The legal walls of Quoridor, found as sets; and the walls that would complete a Great Wall.

Walls are named by their middles, so a set of walls is a set of points. Three sieves prove most
walls legal without a search, each for all walls in a few operations. A wall can trap a player only

1. if it closes a ring: walls or the border already touch two of its three points;
2. if it crosses a known path of some player, since otherwise that path stays open;
3. if *one* line of walls touches two of its points; the border counts as one line.

Walls that meet all three conditions are tried one by one, each with a search for a path.
"""

from trine.core.compiled.arrays import Row
from trine.core.compiled.jit import kernel_only
from trine.games.corridor.board import EAST as EAST_SIDE
from trine.games.corridor.board import NORTH as NORTH_SIDE
from trine.games.corridor.board import SIDES, SOUTH, WEST
from trine.games.corridor.kernel import layout, sets, shortest_paths


@kernel_only(forceinline=True)
def border_set(row: Row, side: int) -> sets.Squares:
    """Return the points next to a side of the board; all points if ``side`` is 4."""
    return sets.read(sets.BORDER_SETS, 2 * (5 * layout.size_of(row) + side))


@kernel_only(forceinline=True)
def border_of(row: Row) -> sets.Border:
    return sets.Border(
        border_set(row, 0), border_set(row, 1), border_set(row, 2), border_set(row, 3)
    )


# --- the sieves ----------------------------------------------------------------------------------


@kernel_only(forceinline=True)
def beside(walls: sets.Squares) -> sets.Squares:
    """Return the points to the west and to the east of walls; some may be off the board."""
    return sets.east_of(walls) | sets.west_of(walls)


@kernel_only(forceinline=True)
def places_free(
    places: sets.Squares, horizontal: sets.Squares, vertical: sets.Squares
) -> sets.Sides:
    """Return the places for horizontal and for vertical walls that overlap and cross no wall."""
    free = places & ~(horizontal | vertical)
    return sets.Sides(
        free & ~beside(horizontal), free & ~(sets.north_of(vertical) | sets.south_of(vertical))
    )


@kernel_only(forceinline=True)
def points_touched(horizontal: sets.Squares, vertical: sets.Squares) -> sets.Squares:
    """Return the grid points that walls touch; some may be off the board."""
    return (
        horizontal
        | beside(horizontal)
        | vertical
        | sets.north_of(vertical)
        | sets.south_of(vertical)
    )


@kernel_only(forceinline=True)
def touching_twice(points: sets.Squares, border: sets.Border) -> sets.Sides:
    """Return the walls with two of their three points in a set or on the border, if given."""
    left = sets.east_of(points) | border.west
    right = sets.west_of(points) | border.east
    below = sets.north_of(points) | border.south
    above = sets.south_of(points) | border.north
    return sets.Sides(
        left & right | points & (left | right), below & above | points & (below | above)
    )


@kernel_only(forceinline=True)
def connected_points(points: sets.Squares, walls: sets.Sides, board: sets.Squares) -> sets.Squares:
    """Return a set with all points that lines of walls connect to it; some may be off the board."""
    east = (walls.north | sets.west_of(walls.north)) & board
    north = walls.east | sets.south_of(walls.east)
    while True:
        wider = (
            points
            | sets.east_of(points & east)
            | sets.west_of(points) & east
            | sets.north_of(points & north)
            | sets.south_of(points) & north
        )
        if wider == points:
            return points
        points = wider


@kernel_only()
def closing_rings(row: Row, tried: sets.Sides) -> sets.Sides:
    """Return the walls of ``tried`` that touch one line of walls at two points.

    The border, with all lines that touch it, counts as one line.
    """
    border, board = border_of(row), border_set(row, 4)
    walls = sets.walls_on_board(row)
    points = points_touched(walls.north, walls.east) & board
    line = connected_points(
        walls.north & (border.west | border.east) | walls.east & (border.south | border.north),
        walls,
        board,
    )
    closing = sets.common(touching_twice(line, border), tried)
    points &= ~line
    no_border = sets.Border(sets.empty(), sets.empty(), sets.empty(), sets.empty())
    while points and sets.are_any(sets.without(tried, closing)):
        line = connected_points(points & ~sets.without_first(points), walls, board)
        closing = sets.joined(closing, sets.common(touching_twice(line, no_border), tried))
        points &= ~line
    return closing


@kernel_only()
def trapping_one(
    row: Row, sides: sets.Sides, player: int, axis: int, risky: sets.Squares
) -> sets.Squares:
    """Return the walls of ``risky``, all of one axis, that would trap a player."""
    goal, pawn = sets.goal_of(row, player), layout.pawn_of(row, player)
    found = risky
    while risky:
        rest = sets.without_first(risky)
        after = shortest_paths.with_wall(sides, axis, sets.first_of(risky), True)
        if shortest_paths.count_steps(after, pawn, goal) >= 0:
            found &= ~risky | rest
        risky = rest
    return found


@kernel_only()
def trapping(row: Row, walls: sets.Sides) -> sets.Sides:
    """Return the walls of a set that would trap some player."""
    sides = sets.open_sides(row)
    horizontal = vertical = sets.empty()
    for player in range(layout.players_of(row)):
        if not layout.is_playing(row, player):
            continue
        at = layout.PATHS + 4 * player
        if row[at] == layout.UNKNOWN:
            path = shortest_paths.find_path(
                sides, layout.pawn_of(row, player), sets.goal_of(row, player)
            )
            sets.write_pair(row, at, shortest_paths.long_walls_across(path))
        risky = walls.north & sets.read(row, at) & ~horizontal
        horizontal |= trapping_one(row, sides, player, 0, risky)
        risky = walls.east & sets.read(row, at + 2) & ~vertical
        vertical |= trapping_one(row, sides, player, 1, risky)
    return sets.Sides(horizontal, vertical)


@kernel_only(forceinline=True)
def quoridor_walls(row: Row) -> sets.Sides:
    """Return the walls that are legal in Quoridor if the player to move has one in hand."""
    horizontal, vertical = sets.walls_on_board(row)
    free = places_free(border_set(row, 4), horizontal, vertical)
    points = points_touched(horizontal, vertical) & border_set(row, 4)
    touching = touching_twice(points, border_of(row))
    crossing = sets.no_sides()
    for player in range(layout.players_of(row)):
        if layout.is_playing(row, player):
            crossing = sets.joined(crossing, sets.read_pair(row, layout.PATHS + 4 * player))
    risky = sets.common(sets.common(free, touching), crossing)
    if sets.are_any(risky):
        risky = closing_rings(row, risky)
        if sets.are_any(risky):
            return sets.without(free, trapping(row, risky))
    return free


# --- Great Wall: lines of walls that join sides of the board -------------------------------------
#
# A line of walls is a set of inner grid points. A point has the number of the square north-east of
# it, so one flood serves squares and points.


@kernel_only()
def side_joined_with(row: Row, point: int) -> int:
    """Return the side of the board that lines of walls join with an inner grid point, or -1."""
    for side in SIDES:
        if sets.has(sets.read(row, layout.JOINED + 2 * side), point):
            return side
    return -1


@kernel_only()
def join_line(row: Row, side: int, point: int) -> None:
    """Join all inner points that walls connect with a point to a side of the board."""
    at, sides = 4 * layout.size_of(row), sets.open_sides(row)
    horizontal = sets.read(sets.LINE_SETS, at) & ~sides.north
    vertical = sets.read(sets.LINE_SETS, at + 2) & ~sides.east
    # A horizontal wall begins at the north-west corner of its square, a vertical one at its
    # south-east corner.
    lines = sets.Sides(sets.east_of(vertical), sets.north_of(horizontal))
    points = sets.one(point)
    while True:
        wider = shortest_paths.spread(lines, points)
        if wider == points:
            break
        points = wider
    at = layout.JOINED + 2 * side
    sets.write(row, at, sets.read(row, at) | points)


@kernel_only()
def join(row: Row, axis: int, square: int) -> None:
    """Update the points joined with each side after a wall is placed."""
    edges = layout.EDGES[layout.size_of(row), square]
    if axis:
        start, start_side, end_side = square + 1, SOUTH, NORTH_SIDE
    else:
        start, start_side, end_side = square + layout.STRIDE, WEST, EAST_SIDE
    end = square + layout.STRIDE + 1
    at_start = start_side if edges >> start_side & 1 else side_joined_with(row, start)
    at_end = end_side if edges >> end_side & 1 else side_joined_with(row, end)
    if at_start >= 0 and at_end < 0:
        join_line(row, at_start, end)
    elif at_end >= 0 and at_start < 0:
        join_line(row, at_end, start)


@kernel_only()
def great_walls(row: Row) -> sets.Sides:
    """Return the walls that would join two sides of the board."""
    # For all places: whether each end of a wall there would touch a side or a line points to one.
    # A wall whose ends both touch the same side is legal.
    west = east = same_horizontal = sets.empty()
    south = north = same_vertical = sets.empty()
    for side in SIDES:
        points = sets.read(row, layout.JOINED + 2 * side)
        border = sets.read(sets.SIDE_SETS, 2 * (4 * layout.size_of(row) + side))
        start, bottom = sets.south_of(points), sets.west_of(points)
        end = sets.west_of(start)
        top = end
        if side == WEST:
            start |= border
        elif side == EAST_SIDE:
            end |= border
        elif side == SOUTH:
            bottom |= border
        else:
            top |= border
        west |= start
        east |= end
        same_horizontal |= start & end
        south |= bottom
        north |= top
        same_vertical |= bottom & top
    return sets.Sides(west & east & ~same_horizontal, south & north & ~same_vertical)
