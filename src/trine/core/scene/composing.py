"""Scenes composed from the data of a game: places on a board, keys of pieces, marks, the legend.

A key is a name that a piece keeps while it moves from scene to scene. A position does not record
which of two equal cats has moved, so a program that shows a play updates the keys after each action
by `RoomView.movements`, and restores the earlier keys when the action is taken back.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from trine.core.scene import scene
from trine.core.text.sentence import Text, text, verbatim

if TYPE_CHECKING:
    from trine.core.contract.position import Action, Position
    from trine.core.contract.room import Room, RoomView

Keys = Mapping[str, str]
"""By cell, the key of the piece there: the name of the piece's first cell. On a cell that is not
listed, the piece has the cell's name as its key."""
Movement = tuple[str, str]
"""The cells that one piece moves from and to; empty for a piece that enters or leaves the board."""

FIRST_KEYS: Final[Keys] = MappingProxyType({})
"""The keys at the beginning of a play, or of a position shown by itself."""


def carry_keys(room: Room, position: Position, action: Action, keys: Keys) -> Keys:
    """Return the keys after a legal action, moved along with the pieces.

    >>> from trine.games import open_room
    >>> tzaar = open_room("tzaar")
    >>> start = tzaar.rules.start("open", {})
    >>> capture = start.legal_actions()[0]
    >>> str(capture), dict(carry_keys(tzaar, start, capture, FIRST_KEYS))
    ('a5xa4', {'a4': 'a5'})
    """
    return carried(room.view.movements(position, action), keys)


def carried(movements: Iterable[Movement], keys: Keys) -> Keys:
    after = dict(keys)
    for origin, target in movements:
        key = after.pop(origin, origin) if origin else _new_key(target, after)
        if target:
            after[target] = key
    return MappingProxyType({cell: key for cell, key in after.items() if key != cell})


def _new_key(cell: str, keys: Keys) -> str:
    """Return the key of a piece that enters a cell: the cell's name, made unique if it is taken."""
    taken, key = set(keys.values()), cell
    while key in taken:
        key += "'"
    return key


def movements_of(
    view: RoomView, position: Position, actions: Iterable[Action]
) -> tuple[Sequence[Movement], ...]:
    movements = []
    for action in actions:
        movements.append(view.movements(position, action))
        position = position.play_unchecked(action)
    return tuple(movements)


class Geometry(NamedTuple):
    """A projection of a board's coordinates, right and up, to places, right and down.

    >>> whole = Geometry(corner=(0, 0), extent=(8, 8))
    >>> whole.place(1, 2), whole._replace(turns=2).place(1, 2)
    ((1, 6), (7, 2))
    """

    corner: scene.Point  # the place of the upper left corner of the board
    extent: tuple[int, int]
    """The coordinates of the upper right corner; the lower left one has (0, 0)."""
    unit: scene.Point = (1, 1)  # the distance of neighbouring coordinates, across and down
    turns: int = 0  # number of quarter turns that bring the viewer's side to the bottom

    def place(self, right: float, up: float) -> scene.Point:
        width, height = self.extent
        for _ in range(self.turns):
            right, up, width, height = height - up, right, height, width
        (left, top), (across, down) = self.corner, self.unit
        return scene.place(left + across * right, top + down * (height - up))

    def spot(self, right: float, up: float) -> tuple[int, int]:
        """Return a column and a line of a terminal."""
        column, line = self.place(right, up)
        return int(column), int(line)


class Squares(NamedTuple):
    """The squares of a square board, with their names, and coordinates below and on the left.

    >>> corners = Squares(("a1", "b1", "a2", "b2"), Geometry((0.5, 0.3), (2, 2)))
    >>> corners.place(0), corners._replace(geometry=Geometry((0.5, 0.3), (2, 2), turns=2)).place(0)
    ((1.0, 1.8), (2.0, 0.8))
    """

    names: tuple[str, ...]
    """The names of the squares: a1 first, then along the rank, then the next rank."""
    geometry: Geometry
    """The projection of corners of squares; (0, 0) is the lower left corner of a1."""

    @property
    def width(self) -> int:
        """The number of files, and of ranks."""
        return math.isqrt(len(self.names))

    def place(self, square: int) -> scene.Point:
        """The middle of a square."""
        rank, file = divmod(square, self.width)
        return self.geometry.place(file + 0.5, rank + 0.5)

    def cell(self, square: int, role: str = "square", size: float = 1) -> scene.Cell:
        x, y = at = self.place(square)
        return scene.Cell(
            self.names[square], role, at, scene.box(x - size / 2, y - size / 2, size, size)
        )

    def coordinates(self, below: float = 0.25, beside: float = 0.25) -> Iterator[scene.Label]:
        """The names of files and ranks, at distances below the board and on its left."""
        left, top = self.geometry.corner
        for square in range(0, len(self.names), self.width + 1):  # a1, b2 … name all once
            (x, y), name = self.place(square), self.names[square]
            for words in (name[0], name[1:]):
                if words.isalpha() is (self.geometry.turns % 2 == 0):
                    yield scene.Label(verbatim(words), (x, top + self.width + below))
                else:
                    yield scene.Label(verbatim(words), (left - beside, y))


LAST_MEANINGS: Final[Mapping[str, Text]] = {
    "last-from": text("left in the last turn"),
    "last-to": text("reached in the last turn"),
}
"""The meanings of the marks of a last turn, in every game."""


class SceneLook(NamedTuple):
    """The options of a scene, as documented at `RoomView.scene`."""

    seat: int = 0
    last: Collection[str] = ()
    marks: Mapping[str, Collection[str]] = {}
    targets: Collection[str] = ()
    pieces: str = ""
    keys: Keys = FIRST_KEYS


def compose(
    look: SceneLook,
    board: scene.Board,
    mover: int,
    title: Text,
    alt: Text,
    pieces: Sequence[scene.Piece],
    *,
    walls: Iterable[scene.Line] = (),
    labels: Iterable[scene.Label] = (),
    meanings: Mapping[str, Text] = LAST_MEANINGS,
    implied: Mapping[str, Collection[str]] = {},
    always: Iterable[str] = (),
) -> scene.Scene:
    """Return the scene of a position.

    Args: ``meanings`` are the roles that the legend explains, in its order. ``implied`` are the
        marks to omit from a cell that has the mark of the key, or, for the key ``""``, always.
        ``always`` are roles that the legend explains even if nothing in the scene has them.
    """
    marks = tuple(_marks(look, board, pieces, implied))
    used = {mark.role for mark in marks}.union(*(piece.marks for piece in pieces))
    used |= board.roles.union(always) | {piece.role for piece in pieces}
    trays = [area.outline for area in board.areas if area.role == "tray"]
    return scene.Scene(
        board=board,
        title=title,
        alt=alt,
        areas=(scene.Area("tray-to-move", trays[mover]),) if trays else (),
        walls=tuple(walls),
        marks=marks,
        pieces=tuple(pieces),
        labels=tuple(labels),
        legend=tuple(
            scene.Meaning(role, words) for role, words in meanings.items() if role in used
        ),
        targets=tuple(sorted(look.targets)),
    )


def _marks(
    look: SceneLook,
    board: scene.Board,
    pieces: Sequence[scene.Piece],
    implied: Mapping[str, Collection[str]],
) -> Iterator[scene.Mark]:
    standing = {piece.cell for piece in pieces if piece.role == "piece"}
    for name in sorted(board.by_id.keys() & look.last):
        yield scene.Mark("last-to" if name in standing else "last-from", name)
    for name in sorted(look.marks):
        roles = set(look.marks[name])
        for role in sorted(roles.difference(*(implied.get(known, ()) for known in ("", *roles)))):
            yield scene.Mark(role, name)
