"""The picture of a board of squares: its places, cells and coordinates, from either side."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from trine.core.scene.scene import Cell, Label, Point, box, place
from trine.core.text.sentence import verbatim


class Squares(NamedTuple):
    """A square board with one-unit squares, and coordinates below and on the left.

    >>> corners = Squares(("a1", "b1", "a2", "b2"), left=0.5, top=0.3)
    >>> corners.place(0), corners._replace(turned=True).place(0)
    ((1.0, 1.8), (2.0, 0.8))
    """

    names: tuple[str, ...]
    """The names of the squares: a1 first, then along the rank, then the next rank."""
    left: float
    top: float
    """The upper left corner of the board; coordinates are centred in the remaining margins."""
    turned: bool = False
    """Whether the board is seen from the second player's side, with a1 in the upper right
    corner."""

    @property
    def width(self) -> int:
        """The number of files, and of ranks."""
        return math.isqrt(len(self.names))

    def place(self, square: int) -> Point:
        seen = len(self.names) - 1 - square if self.turned else square
        rank, file = divmod(seen, self.width)
        return place(self.left + file + 0.5, self.top + self.width - rank - 0.5)

    def cell(self, square: int, role: str = "square") -> Cell:
        x, y = at = self.place(square)
        return Cell(self.names[square], role, at, box(x - 0.5, y - 0.5, 1, 1))

    def coordinates(self) -> Iterator[Label]:
        """The letters below the board, and the numbers on its left."""
        for square in range(
            0, len(self.names), self.width + 1
        ):  # a1, b2 … give each letter and number once
            (x, y), name = self.place(square), self.names[square]
            yield Label(verbatim(name[0]), (x, self.top + self.width + 0.25))
            yield Label(verbatim(name[1:]), (self.left / 2, y))
