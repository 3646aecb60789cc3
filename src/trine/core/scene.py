"""The scene of a position: what is to be seen, as plain data, for any renderer of any game.

A room says what stands where and what it is called; how a role looks (colours, line styles, font)
is the business of the renderer and its theme. So a renderer knows no game, a room knows no pixels,
and ``scene.as_data()`` goes to a web page as JSON as it is.

The schema, as `Scene.as_data` gives it, is that of the dataclasses below, field for field:

- Lengths are *units*: 1 is the distance between neighbouring cells. x runs right, y runs down, and
  the picture begins at (0, 0). A point is a pair of numbers.
- Texts have been said in one language and are strings; an empty string means that there is none.
- A *role* is a name for what a thing is ("trap", "gold", "last-from"). A renderer draws a role that
  it does not know in a plain way. Roles of all games share one vocabulary:

  ======== ============================================================================
  areas    board, field, tray, tray-to-move
  cells    square, trap, point, slot
  lines    line, wall, gap
  players  gold, silver, white, black, red, blue: what the pieces are made of
  pieces   piece, hand, captured, step, step-used
  marks    last-from, last-to, frozen, capturable, dislodgeable, goal
  labels   coordinate, count
  ======== ============================================================================

- What is drawn first lies below: areas, cells, lines, marks, pieces, labels; within each in order.
- A *figure* named like the role of a cell or of a mark is its ornament or its badge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from trine.core.text import Text, verbatim

SCHEMA: Final = 1
"""The version of the schema; it changes when a renderer must change."""

Point = tuple[float, float]
Say = Callable[[Text], str]
"""Says a text in one language, as `trine.core.language.Language.say` does."""
NOTHING: Final = verbatim("")


@dataclass(frozen=True)
class Shape:
    """One closed or open path of a figure.

    Units: hundredths of the figure's size; (0, 0) is its middle, so most lie within ±50.
    """

    path: str
    """Path data as SVG and the canvas of a browser read it: ``M0-10 L8 6 H-8 Z``."""
    fill: str = "none"
    """One of the four paints of a theme, ``body``, ``shade``, ``light`` or ``ink``, or ``none``."""
    stroke: str = "none"
    """The same for the line along the path; its ends and corners are round."""
    width: float = 2
    """The width of that line."""


Figure = tuple[Shape, ...]
"""A drawing used again and again; the first shape lies below."""


@dataclass(frozen=True)
class Player:
    """Who owns pieces; the place in `Scene.players` is the number in turn order."""

    role: str
    name: Text


@dataclass(frozen=True)
class Area:
    """A surface that things lie on: the board, a tray beside it."""

    role: str
    outline: tuple[Point, ...]


@dataclass(frozen=True)
class Cell:
    """A square or a point, by the id that notation gives it."""

    id: str
    role: str
    at: Point
    outline: tuple[Point, ...] = ()
    """The corners of a square; empty for a point where lines meet."""


@dataclass(frozen=True)
class Line:
    """A straight stretch or a chain of them: a line of the board, a wall."""

    role: str
    points: tuple[Point, ...]
    owner: int | None = None
    id: str = ""
    tooltip: Text = NOTHING


@dataclass(frozen=True)
class Piece:
    """A piece or a stack of pieces, on a cell or beside the board."""

    at: Point
    figure: str
    """The drawing on top; empty for none."""
    base: str = ""
    """The drawing below it, which a stack repeats: a coin, a disc; empty for none."""
    owner: int | None = None
    cell: str = ""
    """Where it stands; empty for what no one can point at."""
    role: str = "piece"
    scale: float = 1
    """The size of its figures in units."""
    height: int = 1
    """How many pieces are stacked here; a renderer shows it from 2 on."""
    label: Text = NOTHING
    """What it is called in notation, for a renderer without figures."""
    tooltip: Text = NOTHING
    marks: tuple[str, ...] = ()
    """Roles of what is to be said about it, such as ``frozen``."""


@dataclass(frozen=True)
class Mark:
    """Something to be said about a cell; `Piece.marks` is the same for a piece."""

    role: str
    cell: str


@dataclass(frozen=True)
class Label:
    """Words at a place, centred on it."""

    text: Text
    at: Point
    role: str = "coordinate"
    size: float = 0.28
    """The height of the type in units."""


@dataclass(frozen=True)
class Meaning:
    """What a role that appears in the scene means, for a legend."""

    role: str
    text: Text


@dataclass(frozen=True)
class Scene:
    """All that is to be seen of one position.

    Guarantee: cells have different ids; pieces, marks and targets name cells that are there,
        pieces name players and figures that are there.

    >>> cell = Cell("a1", "square", (0.5, 0.5), ((0, 0), (1, 0), (1, 1), (0, 1)))
    >>> Scene((1, 1), verbatim("one"), verbatim("an empty square"), (cell,)).as_data()["cells"]
    [{'id': 'a1', 'role': 'square', 'at': [0.5, 0.5], 'outline': [[0, 0], [1, 0], [1, 1], [0, 1]]}]
    """

    size: Point
    """Width and height of the picture."""
    title: Text
    alt: Text
    """The whole position in words, for who cannot see it."""
    cells: tuple[Cell, ...]
    players: tuple[Player, ...] = ()
    areas: tuple[Area, ...] = ()
    lines: tuple[Line, ...] = ()
    marks: tuple[Mark, ...] = ()
    pieces: tuple[Piece, ...] = ()
    labels: tuple[Label, ...] = ()
    legend: tuple[Meaning, ...] = ()
    targets: tuple[str, ...] = ()
    """The cells that do something when they are pointed at now."""
    figures: Mapping[str, Figure] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        cells = {cell.id for cell in self.cells}
        if len(cells) != len(self.cells):
            raise ValueError("two cells of a scene have the same id")
        named = [piece.cell for piece in self.pieces if piece.cell]
        for cell in (*named, *(mark.cell for mark in self.marks), *self.targets):
            if cell not in cells:
                raise ValueError(f"the scene has no cell {cell!r}")
        for piece in self.pieces:
            if missing := {piece.figure, piece.base} - {"", *self.figures}:
                raise ValueError(f"the scene has no figure {missing.pop()!r}")
            if piece.owner is not None and piece.owner not in range(len(self.players)):
                raise ValueError(f"the scene has no player {piece.owner}")

    def as_data(self, say: Say = str) -> dict[str, Any]:
        """The scene as JSON knows it: objects, arrays, strings, numbers, null.

        Returns: the schema's version under ``schema``, and the fields under their names.

        >>> Scene((0, 0), verbatim("none"), verbatim("nothing"), ()).as_data()["title"]
        'none'
        """
        return {"schema": SCHEMA, **_plain(self, say)}


def _plain(value: Any, say: Say) -> Any:
    if isinstance(value, Text):
        return say(value)
    if isinstance(value, tuple):
        return [_plain(item, say) for item in value]
    if isinstance(value, Mapping):
        return {name: _plain(item, say) for name, item in value.items()}
    if hasattr(value, "__dataclass_fields__"):
        return {part.name: _plain(getattr(value, part.name), say) for part in fields(value)}
    return value


def box(left: float, top: float, width: float, height: float) -> tuple[Point, ...]:
    """The corners of an upright rectangle.

    >>> box(0, 0, 2, 1)
    ((0, 0), (2, 0), (2, 1), (0, 1))
    """
    right, bottom = left + width, top + height
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def ellipse(x: float, y: float, across: float, down: float | None = None) -> str:
    """The path of an ellipse, or of a circle, from its middle and its radii.

    >>> ellipse(0, 0, 5)
    'M-5 0A5 5 0 1 1 5 0A5 5 0 1 1 -5 0Z'
    """
    down = across if down is None else down
    arc = f"A{across:g} {down:g} 0 1 1"
    return f"M{x - across:g} {y:g}{arc} {x + across:g} {y:g}{arc} {x - across:g} {y:g}Z"
