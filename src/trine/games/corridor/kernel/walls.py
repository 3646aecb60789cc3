"""The legal walls of Quoridor, all found at once.

Walls are named by their middles, so a set of walls is a set of points; on narrow boards that is one
word. Three sieves prove most walls legal without a search, each for all walls in a few operations:

1. A wall can part the board only where it closes a ring: it has three points, and two of them must
   be touched already by walls or by the border.
2. It must cross a known way of some player, else that way stays open.
3. Two of its points must be touched by the *same* line of walls; the border counts as one.

Only the walls that pass all three are tried: placed, followed by a search for a way.
"""

from __future__ import annotations

from trine.games.corridor.kernel.kinds import (
    AT,
    BORDER_SETS,
    CUTS,
    Border,
    Sides,
    Walls,
    first_file,
    last_file,
    no_points,
    read_points,
    template,
)
from trine.games.corridor.kernel.row import UNKNOWN, Row, is_playing, pawn_of, players_of, size_of
from trine.games.corridor.kernel.squares import (
    Squares,
    east_of,
    first_of,
    north_of,
    south_of,
    west_of,
    without_first,
    write,
)
from trine.games.corridor.kernel.ways import can_reach, find_way, goal_of, open_sides, with_wall

# --- points and squares --------------------------------------------------------------------------


@template("Points(Row, int64)", forceinline=True)
def border_set(row: Row, side: int) -> Squares:
    """Return the points next to a side of the board; those of all the board for the number 4."""
    return read_points(BORDER_SETS, (5 * size_of(row) + side) * AT.point_words)


@template("Border(Row)", forceinline=True)
def border_of(row: Row) -> Border:
    """Return the points next to each side of the board."""
    return Border(border_set(row, 0), border_set(row, 1), border_set(row, 2), border_set(row, 3))


@template("int64(int64)", forceinline=True)
def square_of(point: int) -> int:
    """Return the square by which a wall is named, given its middle."""
    return point + point // AT.point_stride * (AT.stride - AT.point_stride)


@template("int64(int64)", forceinline=True)
def point_of(square: int) -> int:
    """Return the middle of a long wall, given the square by which it is named."""
    return square - square // AT.stride * (AT.stride - AT.point_stride)


# --- the sieves ----------------------------------------------------------------------------------


@template("Points(Points)", forceinline=True)
def beside(walls: Squares) -> Squares:
    """Return the points to the west and to the east of some."""
    return east_of(walls) - first_file() | west_of(walls) - last_file()


@template("Walls(Points, Points, Points)", forceinline=True)
def places_free(places: Squares, lying: Squares, standing: Squares) -> Walls:
    """Return the places where a wall can lie, and stand, without overlapping or crossing."""
    free = places - (lying | standing)
    return Walls(free - beside(lying), free - (north_of(standing) | south_of(standing)))


@template("Points(Points, Points)", forceinline=True)
def points_touched(lying: Squares, standing: Squares) -> Squares:
    """Return the grid points that walls touch; some on the border may be among them."""
    return lying | beside(lying) | standing | north_of(standing) | south_of(standing)


@template("Walls(Points, Border)", forceinline=True)
def touching_twice(points: Squares, border: Border) -> Walls:
    """Return the lying, and the standing walls with two of their three points in a set.

    The border belongs to the set if its points are given, and not if they are empty.
    """
    left = east_of(points) - first_file() | border.west
    right = west_of(points) - last_file() | border.east
    below = north_of(points) | border.south
    above = south_of(points) | border.north
    return Walls(left & right | points & (left | right), below & above | points & (below | above))


@template("Points(Points, Walls)", forceinline=True)
def connected_points(points: Squares, walls: Walls) -> Squares:
    """Return all inner points that lines of walls connect with a set of points."""
    east = (walls.lying | west_of(walls.lying)) - last_file()
    north = walls.standing | south_of(walls.standing)
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


@template("Walls(Row, Walls)")
def closing_rings(row: Row, tried: Walls) -> Walls:
    """Return those of some walls that have two points in one line of walls."""
    border = border_of(row)
    walls = Walls(read_points(row, AT.lying), read_points(row, AT.standing))
    points = points_touched(walls.lying, walls.standing) & border_set(row, 4)
    line = connected_points(
        walls.lying & (border.west | border.east) | walls.standing & (border.south | border.north),
        walls,
    )
    closing = touching_twice(line, border)
    lying, standing = closing.lying & tried.lying, closing.standing & tried.standing
    points -= line
    while points and (tried.lying - lying | tried.standing - standing):
        line = connected_points(points - without_first(points), walls)
        closing = touching_twice(line, Border(no_points(), no_points(), no_points(), no_points()))
        lying |= closing.lying & tried.lying
        standing |= closing.standing & tried.standing
        points -= line
    return Walls(lying, standing)


@template("Points(Squares, int64)", forceinline=True)
def walls_across(sides: Squares, axis: int) -> Squares:
    """Return the walls of an axis that shut any of some sides."""
    walls = no_points()
    while sides:
        walls |= read_points(CUTS, (axis * AT.stride**2 + first_of(sides)) * AT.point_words)
        sides = without_first(sides)
    return walls


@template("Points(Row, Sides, int64, int64, Points)")
def shutting_off_one(row: Row, sides: Sides, player: int, axis: int, risky: Squares) -> Squares:
    """Return those of some walls of an axis that leave a player no way to the goal."""
    goal, pawn = goal_of(row, player), pawn_of(row, player)
    shut = risky
    while risky:
        rest = without_first(risky)
        after = with_wall(sides, axis, square_of(first_of(risky)), True)
        if can_reach(after, pawn, goal):
            shut -= risky - rest
        risky = rest
    return shut


@template("Walls(Row, Walls)")
def shutting_off(row: Row, walls: Walls) -> Walls:
    """Return those of some walls that leave a player no way to the goal."""
    sides = open_sides(row)
    lying = standing = no_points()
    for player in range(players_of(row)):
        if not is_playing(row, player):
            continue
        at = AT.ways + 2 * AT.point_words * player
        if row[at] == UNKNOWN:
            way = find_way(sides, pawn_of(row, player), goal_of(row, player))
            write(row, at, walls_across(way.north, 0))
            write(row, at + AT.point_words, walls_across(way.east, 1))
        risky = walls.lying & read_points(row, at) - lying
        lying |= shutting_off_one(row, sides, player, 0, risky)
        risky = walls.standing & read_points(row, at + AT.point_words) - standing
        standing |= shutting_off_one(row, sides, player, 1, risky)
    return Walls(lying, standing)


@template("Walls(Row)", forceinline=True)
def quoridor_walls(row: Row) -> Walls:
    """Return the walls that can be placed."""
    lying, standing = read_points(row, AT.lying), read_points(row, AT.standing)
    free = places_free(border_set(row, 4), lying, standing)
    points = points_touched(lying, standing) & border_set(row, 4)
    touching = touching_twice(points, border_of(row))
    crossing = crossing_upright = no_points()
    for player in range(players_of(row)):
        if is_playing(row, player):
            at = AT.ways + 2 * AT.point_words * player
            crossing |= read_points(row, at)
            crossing_upright |= read_points(row, at + AT.point_words)
    risky = Walls(
        free.lying & touching.lying & crossing,
        free.standing & touching.standing & crossing_upright,
    )
    if risky.lying | risky.standing:
        risky = closing_rings(row, risky)
        if risky.lying | risky.standing:
            shut = shutting_off(row, risky)
            return Walls(free.lying - shut.lying, free.standing - shut.standing)
    return free
