"""The symmetries of Corridor, which depend on the number of players.

Two players face each other: left and right can be swapped, and so can the players. Four players sit
around the board and move clockwise: the board can be rotated, but not mirrored, because that would
reverse the turn order. With three players one side is empty, and there is no symmetry.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Final

from trine.core.contract.position import Symmetries, Symmetry, identity
from trine.games.corridor.position import Position
from trine.games.corridor.rules import Action, Axis, Choice, Move, Pass, Wall


class _Transform:
    """A symmetry of a board of some size: first mirrored, then rotated clockwise."""

    def __init__(self, size: int, length: int, quarters: int, mirrored: bool) -> None:
        """Store the length of walls, and the number of quarter turns."""
        self.size, self.length, self.quarters, self.mirrored = size, length, quarters, mirrored

    def square(self, file: int, rank: int) -> tuple[int, int]:
        last = self.size - 1
        if self.mirrored:
            file = last - file
        for _ in range(self.quarters):
            file, rank = rank, last - file
        return file, rank

    def number(self, square: int) -> int:
        """Return the image of a square's number; codes such as `UNCHOSEN` are unchanged."""
        if square < 0:
            return square
        file, rank = self.square(square % self.size, square // self.size)
        return rank * self.size + file

    def wall(self, wall: Wall) -> Wall:
        """Return the image of a wall, by the images of the squares on both sides of it."""
        along = range(self.length)
        if wall.axis == "h":
            beside = [(wall.file + far, wall.rank + up) for far in along for up in (0, 1)]
        else:
            beside = [(wall.file + side, wall.rank + far) for far in along for side in (0, 1)]
        images = [self.square(*square) for square in beside]
        axis: Axis = wall.axis if self.quarters % 2 == 0 else "v" if wall.axis == "h" else "h"
        return Wall(min(file for file, _ in images), min(rank for _, rank in images), axis)


def _position(image: _Transform, players: tuple[int, ...], position: Position) -> Position:
    came_from = [players.index(player) for player in range(len(players))]
    owners: Mapping[Wall, int] = {
        image.wall(wall): players[owner] for wall, owner in position.owners.items()
    }
    return replace(
        position,
        pawns=tuple(image.number(position.pawns[player]) for player in came_from),
        hands=tuple(position.hands[player] for player in came_from),
        walls=tuple(sorted(map(image.wall, position.walls))),
        mover=players[position.mover],
        owners=owners,
    )


def _action(image: _Transform, action: Action) -> Action:
    match action:
        case Move(file, rank):
            return Move(*image.square(file, rank))
        case Choice(file, rank):
            return Choice(*image.square(file, rank))
        case Wall():
            return image.wall(action)
        case Pass():
            return action


_TRANSFORMS: Final[Mapping[int, tuple[tuple[str, int, bool], ...]]] = {
    2: (("mirror", 0, True), ("turn 180", 2, False), ("mirror turn 180", 2, True)),
    3: (),
    4: (("turn 90", 1, False), ("turn 180", 2, False), ("turn 270", 3, False)),
}
"""By the number of players: names, quarter turns, and whether the board is mirrored."""


@cache
def _all(size: int, length: int, players: int) -> Symmetries:
    found = [identity(players)]
    for name, quarters, mirrored in _TRANSFORMS[players]:
        image = _Transform(size, length, quarters, mirrored)
        seats = tuple((player + quarters * players // 4) % players for player in range(players))
        found.append(
            Symmetry(name, seats, partial(_position, image, seats), partial(_action, image))
        )
    return tuple(found)


def symmetries(position: Position) -> Symmetries:
    return _all(position.size, position.rules.wall_length, position.players)
