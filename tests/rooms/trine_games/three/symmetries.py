"""The eight symmetries of the square. The players cannot be swapped: a board tells who began."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial

from trine.core.contract.symmetry import Symmetries, Symmetry, identity
from trine_games.three.board import SIZE, WIDTH
from trine_games.three.position import Position
from trine_games.three.rules import Mark

Places = tuple[int, ...]
"""The image of each square."""


def _position(places: Places, position: Position) -> Position:
    board = "".join(position.board[places.index(square)] for square in range(SIZE))
    return replace(position, board=board)


def _action(places: Places, action: Mark) -> Mark:
    return Mark(places[action.square])


def _places(turns: int, mirrored: bool) -> Places:
    places = []
    for square in range(SIZE):
        rank, file = divmod(square, WIDTH)
        file = WIDTH - 1 - file if mirrored else file
        for _ in range(turns):
            file, rank = rank, WIDTH - 1 - file
        places.append(rank * WIDTH + file)
    return tuple(places)


@cache
def _all() -> Symmetries:
    found = [identity(2)]
    for turns, mirrored in [(turns, mirrored) for mirrored in (False, True) for turns in range(4)]:
        if turns or mirrored:
            places = _places(turns, mirrored)
            name = "mirror " * mirrored + f"turn {90 * turns}"
            found.append(
                Symmetry(name, (0, 1), partial(_position, places), partial(_action, places))
            )
    return tuple(found)


def symmetries(position: Position) -> Symmetries:
    """The symmetries of a position, the identity first."""
    return _all()
