"""The scene of a position: its picture as plain data, for any renderer of any game.

A game defines which things are where and what they are called; the renderer and its theme decide
how a role looks (colours, line styles, font) and the order of the layers. So a renderer works for
any game, games contain no pixels, and scenes are sent to web pages as JSON without changes.

A scene has two parts. The `Board` stays the same from turn to turn: squares, lines, coordinates,
figures, and the spots that can be pointed at. The `View` changes: pieces, walls, marks, counts,
words. So a board is sent once and cached under its `Board.digest`, and each turn sends only the
view.

The JSON schema of both follows the classes below, field for field; `msgspec` omits fields that
have their default values:

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
  marks    last-from, last-to, frozen, capturable, dislodgeable, goal, named
  labels   coordinate, count
  ======== ============================================================================

- Within each field, later things are drawn above earlier ones. The order of the fields is in the
  theme of the renderer: `trine.play.draw.board_theme.LAYERS`.
- A *figure* named like the role of a cell or of a mark is its ornament or its badge.
- A *spot* is a place that can be pointed at, by its id: a cell, a slot of a hand, the place of a
  wall. `RoomView.picks` names spots and buttons. Spots may be larger than the drawing there,
  and may overlap; the nearest one is meant.
- A *key* stays with a piece from scene to scene while the piece moves, so that a renderer can move
  it there: see `trine.core.scene.composing`. A wall does not move, and its id is its key.
"""

import hashlib
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final

import msgspec

from trine.core.text.sentence import NOTHING, Text

Point = tuple[float, float]
Say = Callable[[Text], str]
"""A function that translates a text, such as `trine.core.text.language.Language.say`."""
LENGTH_DECIMALS: Final = 4  # the decimals of a length: more than can be seen


NAMED: Final = "named"
"""The role of the mark on cells that the words beside a board name, in every game."""


class Part(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A part of a scene; never in a reference cycle, so the garbage collector skips it."""


class Shape(Part, frozen=True):
    """A closed or open path of a figure.

    Units: hundredths of the figure's size; (0, 0) is its middle, so most coordinates lie within
        ±50.
    """

    path: str  # SVG path data, which browser canvases read too: ``M0-10 L8 6 H-8 Z``
    fill: str = "none"
    """A paint of the theme, ``body``, ``shade``, ``light`` or ``ink``, or ``none``."""
    stroke: str = "none"
    """The paint of the path's line, as for `fill`; the line's ends and corners are round."""
    width: float = 2  # the width of the line along the path


Figure = tuple[Shape, ...]  # a drawing used many times; its first shape is the lowest


class ScenePlayer(Part, frozen=True):
    """An owner of pieces; the index in `Board.players` is the index in turn order."""

    role: str
    name: Text


class Area(Part, frozen=True):
    """A surface under other things: the board, a tray beside it."""

    role: str
    outline: tuple[Point, ...]


class Cell(Part, frozen=True):
    """A square or a point, with its id in notation."""

    id: str
    role: str
    at: Point
    outline: tuple[Point, ...] = ()  # the corners of a square; empty for a point where lines meet


class Line(Part, frozen=True):
    """A line or polyline: a line of the board, a wall."""

    role: str
    points: tuple[Point, ...]
    owner: int | None = None
    id: str = ""
    tooltip: Text = NOTHING


class Piece(Part, frozen=True):
    """A piece or a stack of pieces, on a cell or beside the board."""

    at: Point | None = None
    """The piece's place, if it is not the middle of its cell: see `Board.place_of`."""
    figure: str = ""  # the figure on top; if empty, the label is drawn, if there is one
    base: str = ""
    """The figure below the one on top, repeated for a stack: a coin, a disc; empty for none."""
    owner: int | None = None
    cell: str = ""  # the cell under the piece; empty for none
    key: str = ""
    """The piece's name from scene to scene, if that is not its cell; unique among the pieces.
    Ornaments of the board have none."""
    role: str = "piece"
    scale: float = 1  # size of the piece's figures in units
    height: int = 1  # number of pieces in the stack; shown from 2 on
    label: Text = NOTHING
    """The piece's name in the piece set, or in notation if no piece set was requested."""
    tooltip: Text = NOTHING
    marks: tuple[str, ...] = ()  # the roles of marks on the piece, such as ``frozen``

    @property
    def name(self) -> str:
        return self.key or self.cell


class Mark(Part, frozen=True):
    """A mark on a cell; `Piece.marks` is the same for a piece."""

    role: str
    cell: str


class Label(Part, frozen=True):
    """Words centred on a point."""

    text: Text
    at: Point
    role: str = "coordinate"
    size: float = 0.28  # the font size in units


class Meaning(Part, frozen=True):
    """The meaning of a role in the scene, for a legend."""

    role: str
    text: Text


class Spot(Part, frozen=True):
    """A place that can be pointed at: an upright rectangle, independent of what is drawn there."""

    id: str
    at: Point
    size: Point  # width and height in units
    label: Text  # the spot's name, for screen readers; a piece on the spot has its own
    preview: Line | None = None  # the wall that could be put on the spot, without its owner


class Button(Part, frozen=True):
    """A button for an action that has no place on the board, such as the end of a turn."""

    id: str  # a string that begins with ``#``, unlike the ids of spots
    label: Text
    declines: bool = False
    """Whether a click gives up actions, like a pass; a page should confirm it, or not focus it."""


class Board(Part, frozen=True, dict=True, gc=True):
    """The part of a scene that stays the same from turn to turn, seen from one seat.

    Guarantee: the ids of cells are unique, and so are those of spots and buttons together; ids of
        buttons, and no others, begin with ``#``.

    >>> cell = Cell("a1", "square", (0.5, 0.5), ((0, 0), (1, 0), (1, 1), (0, 1)))
    >>> plain(Board((1, 1), (cell,)))["cells"][0]["at"]
    [0.5, 0.5]
    """

    size: Point  # width and height of the picture
    cells: tuple[Cell, ...]
    seat: int = 0  # the player whose side is at the bottom of the picture: an index in turn order
    players: tuple[ScenePlayer, ...] = ()
    areas: tuple[Area, ...] = ()
    lines: tuple[Line, ...] = ()
    ornaments: tuple[Piece, ...] = ()  # drawings that never change
    labels: tuple[Label, ...] = ()
    spots: tuple[Spot, ...] = ()
    buttons: tuple[Button, ...] = ()
    figures: Mapping[str, Figure] = {}

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
        """Raise `ValueError` if pieces name things that the board lacks."""
        for piece in pieces:
            if piece.cell and piece.cell not in self.by_id:
                raise ValueError(f"the scene has no cell {piece.cell!r}")
            if not piece.cell and piece.at is None:
                raise ValueError(f"the piece {piece.name!r} of the scene stands nowhere")
            for figure in (piece.figure, piece.base):
                if figure and figure not in self.figures:
                    raise ValueError(f"the scene has no figure {figure!r}")
            if piece.owner is not None and piece.owner not in range(len(self.players)):
                raise ValueError(f"the scene has no player {piece.owner}")

    def place_of(self, piece: Piece) -> Point:
        """The place of a piece: its own, or the middle of its cell."""
        return self.by_id[piece.cell].at if piece.at is None else piece.at

    @cached_property
    def by_id(self) -> Mapping[str, Cell]:
        return {cell.id: cell for cell in self.cells}

    @cached_property
    def roles(self) -> frozenset[str]:
        return frozenset(cell.role for cell in self.cells)

    @cached_property
    def ids(self) -> frozenset[str]:
        things: tuple[Spot | Button, ...] = (*self.spots, *self.buttons)
        return frozenset(thing.id for thing in things)

    @cached_property
    def digest(self) -> str:
        """A short hash of the board's contents, equal for equal boards.

        It is computed from untranslated texts, so a cache key needs the language as well.
        """
        written = msgspec.json.encode(self, enc_hook=str, order="deterministic")
        return hashlib.sha256(written).hexdigest()[:16]


class Contents(Part, frozen=True):
    """The part of a scene that changes from turn to turn."""

    title: Text
    alt: Text  # the whole position in words, for screen readers
    status: Text = NOTHING  # a line below the picture, such as the result of the play
    areas: tuple[Area, ...] = ()
    walls: tuple[Line, ...] = ()
    marks: tuple[Mark, ...] = ()
    pieces: tuple[Piece, ...] = ()
    labels: tuple[Label, ...] = ()
    legend: tuple[Meaning, ...] = ()
    targets: tuple[str, ...] = ()  # the spots and buttons that can be pointed at now


class View(Contents, frozen=True, kw_only=True):
    """The contents of a scene as sent to pages, which have cached its board."""

    board: str  # the digest of the board


class Scene(Contents, frozen=True, kw_only=True):
    """The picture of one position.

    Guarantee: pieces and marks name cells of the board, targets name its spots or buttons; pieces
        name its players and figures, and have unique keys.

    >>> empty = Board((1, 1), ())
    >>> from trine.core.text.sentence import verbatim
    >>> plain(Scene(verbatim("one"), verbatim("an empty square"), board=empty).view)["title"]
    'one'
    """

    board: Board

    def __post_init__(self) -> None:
        self.board.check_pieces(self.pieces)
        for mark in self.marks:
            if mark.cell not in self.board.by_id:
                raise ValueError(f"the scene has no cell {mark.cell!r}")
        if strange := set(self.targets) - self.board.ids:
            raise ValueError(f"the scene has no spot or button {min(strange)!r}")
        keys = [key for piece in self.pieces if (key := piece.name)]
        if len(set(keys)) != len(keys):
            raise ValueError("two pieces of a scene have the same key")

    @property
    def view(self) -> View:
        """The scene with the digest of its board in place of the board."""
        return View(**{**msgspec.structs.asdict(self), "board": self.board.digest})


def plain(value: object, say: Say = str) -> Any:
    """A board, a view, or any other part, as JSON data with translated texts.

    >>> from trine.core.text.sentence import verbatim
    >>> plain(Label(verbatim("a"), (0.5, 9)))
    {'text': 'a', 'at': [0.5, 9]}
    """
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=say))


def spot_of(cell: Cell, label: Text, size: Point = (1, 1)) -> Spot:
    """Return the spot of a cell, by default one unit wide and high."""
    return Spot(cell.id, cell.at, size, label)


def box(left: float, top: float, width: float, height: float) -> tuple[Point, ...]:
    """The corners of an upright rectangle.

    >>> box(0, 0, 2, 1)
    ((0, 0), (2, 0), (2, 1), (0, 1))
    """
    right, bottom = left + width, top + height
    return (place(left, top), place(right, top), place(right, bottom), place(left, bottom))


def place(x: float, y: float) -> Point:
    """Return a point rounded to the decimals that matter, to save bytes.

    >>> place(0.1 + 0.2, 5)
    (0.3, 5)
    """
    return (round(x, LENGTH_DECIMALS), round(y, LENGTH_DECIMALS))


def ellipse(x: float, y: float, across: float, down: float | None = None) -> str:
    """Return the path of an ellipse, or of a circle, from its middle and its radii.

    >>> ellipse(0, 0, 5)
    'M-5 0A5 5 0 1 1 5 0A5 5 0 1 1 -5 0Z'
    """
    down = across if down is None else down
    arc = f"A{across:g} {down:g} 0 1 1"
    return f"M{x - across:g} {y:g}{arc} {x + across:g} {y:g}{arc} {x - across:g} {y:g}Z"
