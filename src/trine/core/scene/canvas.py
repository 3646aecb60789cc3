"""Boards as text: spans with roles, coloured by the terminal, and a canvas to write them on."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple
from unicodedata import east_asian_width

from trine.core.scene.composing import Geometry
from trine.core.text.sentence import Text


class Span(NamedTuple):
    """A piece of text, and its roles."""

    text: str
    roles: str = ""  # names separated by spaces, such as ``gold trap``


Row = tuple[Span, ...]


@dataclass(frozen=True)
class Look:
    """The options of a text board."""

    pieces: str = "letters"  # the piece set, one of the game's `piece_sets`
    flipped: bool = False  # whether the board is seen from the second player's side
    last: frozenset[str] = frozenset()  # the cells that the last turn changed
    marks: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Further marks by cell, as in `Insight.marks`."""
    targets: frozenset[str] = frozenset()
    """Actions in notation; the board shows their places if it can."""


class Sign(NamedTuple):
    """A sign on the board, and its meaning."""

    sign: str
    roles: str
    meaning: Text


@dataclass(frozen=True)
class TextBoard:
    """The rows of a board, and a legend of its signs."""

    rows: tuple[Row, ...]
    legend: tuple[Sign, ...] = ()

    def __str__(self) -> str:
        return "\n".join("".join(span.text for span in row).rstrip() for row in self.rows)


class Signs(NamedTuple):
    """The signs on both sides of a piece, the most urgent first; ``roles`` is the mark shown."""

    left: tuple[Sign, ...] = ()
    right: tuple[Sign, ...] = ()

    def shown(self, marks: Collection[str]) -> tuple[Sign | None, Sign | None]:
        left, right = (
            next((sign for sign in side if sign.roles in marks), None)
            for side in (self.left, self.right)
        )
        return left, right


class Canvas:
    """Rows of characters with roles, written in any order.

    >>> canvas = Canvas()
    >>> canvas.write(2, 1, "ab"), canvas.write(3, 1, "c")
    (4, 4)
    >>> ["".join(span.text for span in row) for row in canvas.rows()]
    ['', '  ac']
    """

    def __init__(self) -> None:
        self._lines: dict[int, dict[int, Span]] = {}
        self.used: dict[Sign, None] = {}  # the signs written, in the order of their first use

    def write(self, column: int, line: int, words: str, roles: str = "") -> int:
        """Write text over what is there; return the column after it."""
        written = self._lines.setdefault(line, {})
        for letter in words:
            written[column] = Span(letter, roles)
            column += 1
            if east_asian_width(letter) == "W":  # a wide character takes two columns
                written[column] = Span("", roles)
                column += 1
        return column

    def sign(self, column: int, line: int, sign: Sign, letter: str, ground: str) -> None:
        self.write(column, line, letter, f"{ground} {sign.roles}")
        self.used[sign] = None

    def rows(self) -> tuple[Row, ...]:
        """Return the rows, with neighbouring characters of equal roles joined."""
        return tuple(tuple(_join(self._lines.get(at, {}))) for at in range(max(self._lines) + 1))


def write_coordinates(
    canvas: Canvas, names: Sequence[str], wide: int, flipped: bool
) -> dict[str, tuple[int, int]]:
    """Write the names of files and ranks around a square board whose squares are ``wide``.

    Returns: the column and line of the pieces of each square.
    """
    size = math.isqrt(len(names))
    files = "".join(name[0].center(wide) for name in sorted(names[:size], reverse=flipped))
    for line in (0, size + 1):
        canvas.write(0, line, f"    {files}", "coordinate")
    for line in range(1, size + 1):
        rank = line if flipped else size + 1 - line
        canvas.write(0, line, f"{rank:3} ", "coordinate")
        canvas.write(4 + size * wide, line, f" {rank}", "coordinate")
    geometry = Geometry((5, 1), (size - 1, size - 1), (wide, 1), 2 * flipped)
    return {name: geometry.spot(at % size, at // size) for at, name in enumerate(names)}


def _join(written: dict[int, Span]) -> Iterator[Span]:
    spans = (written.get(column, Span(" ")) for column in range(max(written, default=-1) + 1))
    for roles, stretch in groupby(spans, key=lambda span: span.roles):
        yield Span("".join(span.text for span in stretch), roles)
