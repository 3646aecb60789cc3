"""The geometry of boards: coordinates of cells as places of a picture, or of a terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from trine.core.scene.scene import Cell, Label, Point, box, place
from trine.core.text.sentence import verbatim


class Geometry(NamedTuple):
    """A board's coordinates, which run right and up, projected to places that run right and down.

    >>> whole = Geometry(corner=(0, 0), extent=(8, 8))
    >>> whole.place(1, 2), whole._replace(turns=2).place(1, 2)
    ((1, 6), (7, 2))
    """

    corner: Point
    """The place of the upper left corner of the board."""
    extent: tuple[int, int]
    """The coordinates of the upper right corner; the lower left one has (0, 0)."""
    unit: Point = (1, 1)
    """The distance of neighbouring coordinates, across and down."""
    turns: int = 0
    """The number of quarter turns that bring the viewer's side to the bottom."""

    def place(self, right: float, up: float) -> Point:
        width, height = self.extent
        for _ in range(self.turns):
            right, up, width, height = height - up, right, height, width
        (left, top), (across, down) = self.corner, self.unit
        return place(left + across * right, top + down * (height - up))

    def spot(self, right: float, up: float) -> tuple[int, int]:
        """Return a column and a line of a terminal."""
        column, line = self.place(right, up)
        return int(column), int(line)


class Squares(NamedTuple):
    """A square board whose squares have names, with coordinates below and on the left.

    >>> corners = Squares(("a1", "b1", "a2", "b2"), Geometry((0.5, 0.3), (2, 2)))
    >>> corners.place(0), corners._replace(geometry=Geometry((0.5, 0.3), (2, 2), turns=2)).place(0)
    ((1.0, 1.8), (2.0, 0.8))
    """

    names: tuple[str, ...]
    """The names of the squares: a1 first, then along the rank, then the next rank."""
    geometry: Geometry
    """The geometry of the corners of squares."""

    @property
    def width(self) -> int:
        """The number of files, and of ranks."""
        return math.isqrt(len(self.names))

    def place(self, square: int) -> Point:
        """The middle of a square."""
        rank, file = divmod(square, self.width)
        return self.geometry.place(file + 0.5, rank + 0.5)

    def cell(self, square: int, role: str = "square", size: float = 1) -> Cell:
        x, y = at = self.place(square)
        return Cell(self.names[square], role, at, box(x - size / 2, y - size / 2, size, size))

    def coordinates(self, below: float = 0.25, beside: float = 0.25) -> Iterator[Label]:
        """The names of files and ranks, at distances below the board and on its left."""
        left, top = self.geometry.corner
        for square in range(0, len(self.names), self.width + 1):  # a1, b2 … name all once
            (x, y), name = self.place(square), self.names[square]
            for words in (name[0], name[1:]):
                if words.isalpha() is (self.geometry.turns % 2 == 0):
                    yield Label(verbatim(words), (x, top + self.width + below))
                else:
                    yield Label(verbatim(words), (left - beside, y))
