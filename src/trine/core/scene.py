"""The scene of a position: its picture as plain data, for any renderer of any game.

A room says which things stand where and what they are called; the renderer and its theme decide how
a role looks (colours, line styles, font) and the order of the layers. So a renderer knows no game,
a room knows no pixels, and ``scene.as_data()`` goes to a web page as JSON as it is.

A scene has two halves. The `Board` stays the same from turn to turn: squares, lines, coordinates,
figures, and the spots that can be pointed at. The rest of the `Scene` changes: pieces, walls,
marks, counts, words. So a board is sent once and kept under its `Board.digest`, and only the other
half travels with each turn.

The schema, as `Board.as_data` and `Scene.as_data` give it, is that of the dataclasses below, field
for field:

- Lengths are *units*: 1 is the distance between neighbouring cells. x runs right, y runs down, and
  the picture begins at (0, 0). A point is a pair of numbers.
- Texts have been said in one language and are strings; an empty string means that there is none.
- A *role* names the kind of a thing ("trap", "gold", "last-from"). A renderer draws an unknown role
  in a plain way. Roles of all games share one vocabulary:

  ======== ============================================================================
  areas    board, field, tray, tray-to-move
  cells    square, trap, point, slot
  lines    line
  walls    wall
  players  gold, silver, white, black, red, blue: the colour of the pieces
  pieces   piece, hand, captured, shown, step, step-used, arrow, fresh, way
  marks    last-from, last-to, frozen, capturable, dislodgeable, goal
  labels   coordinate, count
  ======== ============================================================================

- Within each field, later things lie above earlier ones. The order between the fields stands in the
  theme of the renderer: `trine.draw.theme.LAYERS`.
- A *figure* named like the role of a cell or of a mark is its ornament or its badge.
- A *spot* is a place that can be pointed at, by its id: a cell, a slot of a hand, the place of a
  wall. The door `Room.picks` names spots and buttons. Spots may be larger than the drawing there,
  and may overlap; the nearest one is meant.
- A *key* stays with a piece from scene to scene while the piece moves, so that a renderer can move
  it there: see `trine.core.keys`. A wall does not move, and its id is its key.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache, cached_property, lru_cache
from typing import Any, Final

from trine.core.text import Text, verbatim

SCHEMA: Final = 2
"""The version of the schema; it changes when a renderer must change."""

Point = tuple[float, float]
Say = Callable[[Text], str]
"""A function that says a text in one language, as `trine.core.language.Language.say` does."""
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
"""A drawing that is used many times; its first shape lies below."""


@dataclass(frozen=True)
class ScenePlayer:
    """An owner of pieces; the index in `Board.players` is the number in turn order."""

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

    def __hash__(self) -> int:
        return hash((self.points, self.owner, self.id))


@dataclass(frozen=True)
class Piece:
    """A piece or a stack of pieces, on a cell or beside the board."""

    at: Point
    figure: str
    """The drawing on top; without one the label is drawn there, if there is a label."""
    base: str = ""
    """The drawing below it, which a stack repeats: a coin, a disc; empty for none."""
    owner: int | None = None
    cell: str = ""
    """The cell that it stands on; empty for none."""
    key: str = ""
    """Its name from scene to scene; different from the key of every other piece. Empty for an
    ornament of the board."""
    role: str = "piece"
    scale: float = 1
    """The size of its figures in units."""
    height: int = 1
    """The number of pieces stacked here; a renderer shows it from 2 on."""
    label: Text = NOTHING
    """Its name in a piece set, or in notation if none was asked for."""
    tooltip: Text = NOTHING
    marks: tuple[str, ...] = ()
    """The roles of its marks, such as ``frozen``."""

    def __hash__(self) -> int:
        return hash((self.at, self.figure, self.key))


@dataclass(frozen=True)
class Mark:
    """A mark on a cell; `Piece.marks` is the same for a piece."""

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
    """The meaning of a role that appears in the scene, for a legend."""

    role: str
    text: Text


@dataclass(frozen=True)
class Spot:
    """A place that can be pointed at: an upright rectangle, apart from what is drawn there."""

    id: str
    at: Point
    size: Point
    """Its width and height in units."""
    label: Text
    """Its name, for people who cannot see it; the piece that stands there has its own."""
    preview: Line | None = None
    """The wall that would stand there, without its owner."""


@dataclass(frozen=True)
class Button:
    """A thing that can be pointed at and has no place on the board, such as the end of a turn."""

    id: str
    """A string that begins with ``#``, unlike the id of any spot."""
    label: Text


@dataclass(frozen=True)
class Board:
    """The half of a scene that stays the same from turn to turn, seen from one seat.

    Guarantee: cells have different ids, and so have spots and buttons; ids of buttons, and no
        others, begin with ``#``.

    >>> cell = Cell("a1", "square", (0.5, 0.5), ((0, 0), (1, 0), (1, 1), (0, 1)))
    >>> Board((1, 1), (cell,)).as_data()["cells"]
    [{'id': 'a1', 'role': 'square', 'at': [0.5, 0.5], 'outline': [[0, 0], [1, 0], [1, 1], [0, 1]]}]
    """

    size: Point
    """Width and height of the picture."""
    cells: tuple[Cell, ...]
    seat: int = 0
    """The player whose side is the lower edge of the picture: a number in turn order."""
    players: tuple[ScenePlayer, ...] = ()
    areas: tuple[Area, ...] = ()
    lines: tuple[Line, ...] = ()
    ornaments: tuple[Piece, ...] = ()
    """Drawings that never change."""
    labels: tuple[Label, ...] = ()
    spots: tuple[Spot, ...] = ()
    buttons: tuple[Button, ...] = ()
    figures: Mapping[str, Figure] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if len({cell.id for cell in self.cells}) != len(self.cells):
            raise ValueError("two cells of a scene have the same id")
        ids = [*(spot.id for spot in self.spots), *(button.id for button in self.buttons)]
        if len(self.ids) != len(ids):
            raise ValueError("two spots or buttons of a scene have the same id")
        if [name for name in ids if name.startswith("#")] != ids[len(self.spots) :]:
            raise ValueError("the ids of buttons begin with #, and those of spots do not")
        self.check_pieces(self.ornaments)

    def check_pieces(self, pieces: tuple[Piece, ...]) -> None:
        """Raise an error if pieces name things that the board does not have.

        Raises:
            ValueError: they name a cell, a figure or a player that the board does not have.
        """
        for piece in pieces:
            if piece.cell and piece.cell not in self.by_id:
                raise ValueError(f"the scene has no cell {piece.cell!r}")
            for figure in (piece.figure, piece.base):
                if figure and figure not in self.figures:
                    raise ValueError(f"the scene has no figure {figure!r}")
            if piece.owner is not None and piece.owner not in range(len(self.players)):
                raise ValueError(f"the scene has no player {piece.owner}")

    @cached_property
    def by_id(self) -> Mapping[str, Cell]:
        """The cells by their ids."""
        return {cell.id: cell for cell in self.cells}

    @cached_property
    def ids(self) -> frozenset[str]:
        """The ids of all spots and buttons, which can be pointed at."""
        things: tuple[Spot | Button, ...] = (*self.spots, *self.buttons)
        return frozenset(thing.id for thing in things)

    @cached_property
    def digest(self) -> str:
        """A short name of the board's contents, the same for equal boards.

        Texts count as they are before they are said, so a cache needs the language beside it.
        """
        written = json.dumps(self.as_data(), sort_keys=True)
        return hashlib.sha256(written.encode()).hexdigest()[:16]

    def as_data(self, say: Say = str) -> dict[str, Any]:
        """Return the board as JSON knows it: objects, arrays, strings, numbers, null.

        Returns: the schema's version under ``schema``, and the fields under their names.
        """
        return {"schema": SCHEMA, **_plain(self, say)}


@dataclass(frozen=True)
class Scene:
    """The picture of one position: a board, and the things that stand on it.

    Guarantee: pieces and marks name cells of the board, targets name spots or buttons of it; pieces
        name players and figures of it, and have different keys.

    >>> empty = Board((1, 1), ())
    >>> Scene(empty, verbatim("one"), verbatim("an empty square")).as_data()["title"]
    'one'
    """

    board: Board
    title: Text
    alt: Text
    """The whole position in words, for people who cannot see it."""
    status: Text = NOTHING
    """A line below the picture, such as the result of the play."""
    areas: tuple[Area, ...] = ()
    walls: tuple[Line, ...] = ()
    marks: tuple[Mark, ...] = ()
    pieces: tuple[Piece, ...] = ()
    labels: tuple[Label, ...] = ()
    legend: tuple[Meaning, ...] = ()
    targets: tuple[str, ...] = ()
    """The spots and buttons that can be pointed at now."""

    def __post_init__(self) -> None:
        self.board.check_pieces(self.pieces)
        for mark in self.marks:
            if mark.cell not in self.board.by_id:
                raise ValueError(f"the scene has no cell {mark.cell!r}")
        if strange := set(self.targets) - self.board.ids:
            raise ValueError(f"the scene has no spot or button {min(strange)!r}")
        keys = [piece.key for piece in self.pieces if piece.key]
        if len(set(keys)) != len(keys):
            raise ValueError("two pieces of a scene have the same key")

    def as_data(self, say: Say = str) -> dict[str, Any]:
        """Return the half that changes, as JSON knows it.

        Returns: the schema's version under ``schema``, the digest of the board under ``board``, and
            the other fields under their names.
        """
        parts = {name: getattr(self, name) for name in _names(Scene)}
        return {"schema": SCHEMA, **_plain(parts | {"board": self.board.digest}, say)}


_PLAIN: Final = frozenset((str, float, int, bool, type(None)))


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(part.name for part in fields(kind))


def _plain(value: Any, say: Say) -> Any:
    """Return a value as JSON knows it; what is plain already is not looked at any further."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is Text:
        return say(value)
    if kind is tuple:
        return [item if type(item) in _PLAIN else _plain(item, say) for item in value]
    if isinstance(value, Mapping):
        return {name: _plain(item, say) for name, item in value.items()}
    return _kept_fields(value, say) if kind in (Piece, Line) else _fields(value, say)


def _fields(value: Any, say: Say) -> dict[str, Any]:
    data = {}
    for name in _names(value.__class__):
        item = getattr(value, name)
        data[name] = item if type(item) in _PLAIN else _plain(item, say)
    return data


@lru_cache(maxsize=4096)
def _kept_fields(value: Piece | Line, say: Say) -> dict[str, Any]:
    """The fields of what mostly is where it was in the scene before; nobody may change them."""
    return _fields(value, say)


def spot_of(cell: Cell, label: Text, size: Point = (1, 1)) -> Spot:
    """Return the spot of a cell; by default it is as large as the distance between cells."""
    return Spot(cell.id, cell.at, size, label)


def box(left: float, top: float, width: float, height: float) -> tuple[Point, ...]:
    """The corners of an upright rectangle.

    >>> box(0, 0, 2, 1)
    ((0, 0), (2, 0), (2, 1), (0, 1))
    """
    right, bottom = left + width, top + height
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def ellipse(x: float, y: float, across: float, down: float | None = None) -> str:
    """Return the path of an ellipse, or of a circle, from its middle and its radii.

    >>> ellipse(0, 0, 5)
    'M-5 0A5 5 0 1 1 5 0A5 5 0 1 1 -5 0Z'
    """
    down = across if down is None else down
    arc = f"A{across:g} {down:g} 0 1 1"
    return f"M{x - across:g} {y:g}{arc} {x + across:g} {y:g}{arc} {x - across:g} {y:g}Z"
