"""Connected lines of walls, and the rule of the Great Wall.

Walls are connected where they meet at a grid point. So a line of walls is a way from point to point
along walls, and the points are the squares of a board one larger: the code that finds ways between
walls (`trine.games.corridor.ways`) also finds lines of walls.

Source: Russian, "установка преграды запрещена, если в результате получится непрерывная стена от
края до края (назовем это правило – правилом Большой стены)". **Reading**: two different sides of
the board, opposite or neighbouring; both ends on one side, and closed loops, are allowed, since a
pawn may be shut in without breaking the rule.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, pairwise
from typing import NamedTuple

from trine.games.corridor.board import SIDES, side_set, square_at
from trine.games.corridor.rules import Footprint, Wall
from trine.games.corridor.ways import Passages, reachable, shortest_way


def along_walls(size: int, walls: Iterable[Wall]) -> Passages:
    """Return the passages from grid point to grid point along walls one square long.

    Nothing passes along the border of the board, for no wall stands there.
    """
    north = east = 0
    for wall in walls:
        if wall.axis == "h":
            east |= 1 << square_at(size + 1, wall.file, wall.rank + 1)
        else:
            north |= 1 << square_at(size + 1, wall.file + 1, wall.rank)
    return Passages(size + 1, north, east)


def joined_points(size: int, walls: Iterable[Wall]) -> tuple[int, ...]:
    """Return, for each side of the board, the set of grid points that walls join with it."""
    along = along_walls(size, walls)
    return tuple(reachable(along, side_set(size + 1, side)) for side in SIDES)


def joins_two_sides(joined: Iterable[int], wall: Footprint) -> bool:
    """Return whether a new wall would join two sides, given the points joined with each so far."""
    return sum(1 for points in joined if points & wall.points) > 1


class GreatWall(NamedTuple):
    """A line of walls from one side of the board to another."""

    sides: tuple[int, int]
    walls: tuple[Wall, ...]
    """The walls of the line, from the first side to the second."""


def find_great_wall(size: int, walls: Iterable[Wall]) -> GreatWall | None:
    """Return the shortest line of walls that joins two sides of the board, or None.

    >>> wall = find_great_wall(9, [Wall(0, 0, "h"), Wall(0, 0, "v"), Wall(4, 4, "h")])
    >>> [str(part) for part in wall.walls]
    ['a1v', 'a1h']
    """
    along = along_walls(size, walls)
    found = []
    for sides in combinations(SIDES, 2):
        # The corner points of the board lie on two sides at once, but no wall ends there.
        start, goal = (side_set(size + 1, side) for side in sides)
        corners = start & goal
        if way := shortest_way(along, start & ~corners, goal & ~corners):
            found.append(
                GreatWall(sides, tuple(_wall_between(size, *ends) for ends in pairwise(way)))
            )
    return min(found, key=lambda line: len(line.walls), default=None)


def _wall_between(size: int, point: int, other: int) -> Wall:
    """Return the wall between two neighbouring grid points."""
    low, high = sorted((point, other))
    file, rank = low % (size + 1), low // (size + 1)
    if high == low + 1:
        return Wall(file, rank - 1, "h")
    return Wall(file - 1, rank, "v")
