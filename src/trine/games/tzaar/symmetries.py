"""The twelve symmetries of TZAAR: the hexagon turned in steps of 60 degrees, mirrored or not."""

from dataclasses import replace
from functools import cache, partial
from typing import Final

from trine.core.contract.position import Symmetries, Symmetry, identity
from trine.games.tzaar.board import COORDINATES, POINTS, SIDES
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import Action, Capture, Pass, Placement, Stacking

Places = tuple[int, ...]  # Shapes: point. The image of each point

_CENTRE: Final = (4, 8)


def _rotate(column: int, height: int) -> tuple[int, int]:
    """Return the coordinates after a turn by 60 degrees, clockwise, relative to the centre."""
    return (column + height) // 2, (height - 3 * column) // 2


def _places(turns: int, mirrored: bool) -> Places:
    point_at = {place: point for point, place in enumerate(COORDINATES)}
    places = []
    for at_column, at_height in COORDINATES:
        column, height = at_column - _CENTRE[0], at_height - _CENTRE[1]
        if mirrored:
            column = -column
        for _ in range(turns):
            column, height = _rotate(column, height)
        places.append(point_at[column + _CENTRE[0], height + _CENTRE[1]])
    return tuple(places)


def _position(places: Places, position: Position) -> Position:
    came_from = [places.index(point) for point in POINTS]
    return replace(
        position,
        tops="".join(position.tops[point] for point in came_from),
        heights=tuple(position.heights[point] for point in came_from),
    )


def _action(places: Places, action: Action) -> Action:
    match action:
        case Capture(origin, target):
            return Capture(places[origin], places[target])
        case Stacking(origin, target):
            return Stacking(places[origin], places[target])
        case Placement(kind, point):
            return Placement(kind, places[point])
        case Pass():
            return action


def _symmetry(turns: int, mirrored: bool) -> Symmetry:
    places = _places(turns, mirrored)
    words = ["mirror"] * mirrored + [f"turn {60 * turns}"] * (turns > 0)
    return Symmetry(" ".join(words), SIDES, partial(_position, places), partial(_action, places))


@cache
def _all() -> Symmetries:
    others = (
        _symmetry(turns, mirrored)
        for mirrored in (False, True)
        for turns in range(6)
        if turns or mirrored
    )
    return (identity(len(SIDES)), *others)


def symmetries(position: Position) -> Symmetries:
    return _all()
