"""Board themes: paints, marks, type and the order of layers, by the roles of a scene.

This module is the only definition. `trine.play.draw.drawing` uses it directly; for web pages
``scripts/theme`` writes it to ``house/web/static/board/theme.js``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import msgspec
from msgspec import structs

from trine.core.scene.scene import Figure, Shape, ellipse

LAYERS: Final = (
    "board.areas",
    "areas",
    "board.cells",
    "tints",
    "board.lines",
    "walls",
    "marks",
    "board.ornaments",
    "pieces",
    "badges",
    "board.labels",
    "labels",
    "targets",
)
"""The layers of a picture, from the bottom up: fields of a scene and of its board. Marks have three
layers: ``tints``, ``marks`` (their forms, under the pieces) and ``badges``."""


@dataclass(frozen=True)
class Paint:
    """The four colours of a material, in SVG notation."""

    body: str
    shade: str
    light: str
    ink: str


def _brackets(reach: float, length: float) -> str:
    """Return the SVG path of four corners around the middle."""
    path = ""
    for right, down in ((1, -1), (-1, -1), (1, 1), (-1, 1)):
        x, y = right * reach, down * reach
        path += f"M{x - right * length:g} {y:g}L{x:g} {y:g}L{x:g} {y - down * length:g}"
    return path


_CROSS: Final = "M-18 -18L18 18M18 -18L-18 18"

FORMS: Final[Mapping[str, Figure]] = {
    "tint": (Shape(ellipse(0, 0, 40), "body"),),
    "dot": (Shape(ellipse(0, 0, 7), "ink"),),
    "corners": (Shape(_brackets(44.5, 13), stroke="ink", width=4),),
    "circle": (Shape(ellipse(0, 0, 46), stroke="ink", width=4),),
    "ring": (
        Shape(ellipse(0, 0, 45.5), stroke="light", width=9),
        Shape(ellipse(0, 0, 45.5), stroke="body", width=6),
    ),
    "target": (Shape(ellipse(0, 0, 13), "body"),),
    "cross": (Shape(_CROSS, stroke="light", width=14), Shape(_CROSS, stroke="body", width=9)),
    "count": (Shape(ellipse(0, 0, 15), "light", "ink", 2),),
}
"""The forms of marks and numbers, around the middle of a cell. ``tint`` is for points, since whole
squares are tinted; ``circle`` replaces ``corners`` on cells without corners."""


@dataclass(frozen=True)
class Grain:
    """A wood grain: a path on a tile that repeats seamlessly. Units: hundredths of a scene unit."""

    path: str
    tile: tuple[float, float]
    width: float


FIBRES: Final = Grain(
    "M8 0C14 90 2 150 8 240S12 360 8 420M20 0C22 60 30 130 24 210S14 340 20 420"
    "M33 0C29 100 39 190 35 280S30 390 33 420M47 0C52 70 42 170 46 250S52 370 47 420"
    "M58 0C55 120 62 220 58 300S57 400 58 420",
    tile=(64, 420),
    width=1.2,
)


@dataclass(frozen=True)
class BoardTheme:
    """The look of each role; roles without an entry look like ``other``."""

    paints: Mapping[str, Paint]
    marks: Mapping[str, tuple[str, ...]]
    """The `FORMS` of each mark on its cell: ``tint``, ``dot``, ``corners``, ``ring``. A mark
    without an entry has its badge, or a ring if it has no badge."""
    forms: Mapping[str, Figure] = field(default_factory=lambda: FORMS)
    grain: Grain = FIBRES
    grained: frozenset[str] = frozenset()
    """The roles of areas that show a grain, drawn with the shade colour of the role's paint."""
    faded: frozenset[str] = frozenset()  # the roles of pieces that are drawn pale
    widths: Mapping[str, float] = field(default_factory=dict)
    """The width of lines of a role, in units; other roles have `thin`."""
    thin: float = 0.03  # the width of lines without an entry in `widths`, in units
    seam: float = 1 / 3  # the width of the owner's colour on a wall, as a share of the wall
    edges: Mapping[str, float] = field(default_factory=lambda: {"area": 0.05, "cell": 0.015})
    """The width of the line around areas and squares, in units."""
    pale: float = 0.4  # the opacity of faded pieces
    badge: float = 0.3  # size of a badge, in units: guess
    stacked: float = 0.08  # the distance of a piece of a stack above the one below, in units: guess
    stack_limit: int = 5
    """A higher stack is drawn with this height, and with its true height as a number."""
    count: tuple[float, float] = (0.32, 0.24)
    """A stack number's distance from the middle, right and down, and type size, in units: guess."""
    letter: float = 0.52
    """The size of the type of a letter in place of a drawing, as a share of the piece: guess."""
    font: str = "Georgia, 'DejaVu Serif', 'Times New Roman', serif"

    def paint(self, role: str) -> Paint:
        return self.paints.get(role) or self.paints["other"]

    def colour(self, role: str, name: str) -> str:
        return "none" if name == "none" else str(getattr(self.paint(role), name))

    def as_data(self) -> dict[str, Any]:
        """Return the theme as JSON data: its fields by name, and the `LAYERS`.

        >>> WOOD.as_data()["paints"]["gold"]["body"], WOOD.as_data()["marks"]["last-to"]
        ('#f2c24a', ('tint', 'corners'))
        """
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data | {
            "layers": list(LAYERS),
            "grained": sorted(self.grained),
            "faded": sorted(self.faded),
            "forms": {
                name: [structs.asdict(shape) for shape in form] for name, form in self.forms.items()
            },
        }


WOOD: Final = BoardTheme(
    paints={
        "other": Paint("#b9b2a4", "#8d8779", "#f3efe6", "#35302a"),
        "board": Paint("#b78a58", "#a0753f", "#d9b684", "#6b4826"),
        "field": Paint("#5a3d20", "#5a3d20", "#8a6238", "#5a3d20"),
        "tray": Paint("#ac804d", "#9c7344", "#d9b684", "#8a6238"),
        "tray-to-move": Paint("#ac804d", "#9c7344", "#f6e6c8", "#f3dfb8"),
        "slot": Paint("none", "none", "none", "none"),
        "square": Paint("#eedcb8", "#e4cea4", "#f6ead0", "#b59868"),
        "point": Paint("#7a5a34", "#7a5a34", "#7a5a34", "#7a5a34"),
        "trap": Paint("#c2a172", "#8d6a43", "#dcc294", "#5f4426"),
        "field-light": Paint("#eedcb8", "#e4cea4", "#f6ead0", "#5a3d20"),
        "line": Paint("#8a6a40", "#8a6a40", "#8a6a40", "#7a5a34"),
        "wall": Paint("#5f3a1e", "#3f2512", "#8a5c36", "#2c190b"),
        "coordinate": Paint("#4a3118", "#4a3118", "#4a3118", "#38230e"),
        "legend": Paint("#faf3e3", "#e3d3b0", "#fff6e0", "#3a2a18"),
        "target": Paint("#3d6b4f", "#28562a", "#ffffff", "#28562a"),
        "count": Paint("#2e1b08", "#2e1b08", "#fff6e0", "#2e1b08"),
        "gold": Paint("#f2c24a", "#d59a22", "#fff6d8", "#4a2c0a"),
        "silver": Paint("#46525f", "#7a8896", "#eef2f6", "#171d24"),
        "white": Paint("#f5efe2", "#cfc6b3", "#ffffff", "#2b2620"),
        "black": Paint("#35312d", "#57514b", "#efe9df", "#0f0d0b"),
        "red": Paint("#b4462f", "#84301f", "#f7e2d8", "#3a120a"),
        "blue": Paint("#3c6a94", "#284b6b", "#dfebf5", "#10202f"),
        "last-from": Paint("#d3d2a6", "#6f7440", "#f6ead0", "#6f7440"),
        "last-to": Paint("#d3d2a6", "#6f7440", "#f6ead0", "#6f7440"),
        "frozen": Paint("#2f7fae", "#bfe0f0", "#eef8fd", "#1b5478"),
        "capturable": Paint("#b8321f", "#7d1d10", "#fdeae5", "#8e2213"),
        "dislodgeable": Paint("#8a5a00", "#6b4600", "#fff2d6", "#7a5000"),
        "goal": Paint("#3d7a3a", "#28562a", "#e7f4e3", "#2c5f2c"),
        "named": Paint("#3d6b4f", "#28562a", "#ffffff", "#28562a"),
        "sole": Paint("#7a3f86", "#5a2c64", "#f5e6f8", "#5a2c64"),
        "towering": Paint("#3d7a3a", "#28562a", "#e7f4e3", "#2c5f2c"),
        "safe": Paint("#2f7fae", "#bfe0f0", "#eef8fd", "#1b5478"),
        "way": Paint("#cfdcc0", "#7f9a62", "#eef4e6", "#55703a"),
        "trapped": Paint("#b8321f", "#7d1d10", "#fdeae5", "#8e2213"),
    },
    marks={
        "last-from": ("tint", "dot"),
        "last-to": ("tint", "corners"),
        "capturable": ("ring",),
        "goal": ("ring",),
        "named": ("ring",),
        "way": ("tint",),
    },
    grained=frozenset({"board"}),
    faded=frozenset({"step-used"}),
    widths={"wall": 0.14},
)
"""Maple and walnut, brass and pewter; gold is bright and silver dark, also in grey print."""

NIGHT: Final = replace(
    WOOD,
    paints={
        **WOOD.paints,
        "board": Paint("#5f4226", "#543819", "#8a6238", "#35220f"),
        "field": Paint("#22160b", "#22160b", "#4d3520", "#22160b"),
        "tray": Paint("#4f361e", "#432d18", "#8a6238", "#35220f"),
        "tray-to-move": Paint("#4f361e", "#432d18", "#f0d8a8", "#c79f62"),
        "square": Paint("#b89a6c", "#ab8d5f", "#c9ae82", "#8a6d43"),
        "point": Paint("#a98558", "#a98558", "#a98558", "#a98558"),
        "trap": Paint("#8a6a44", "#5c4124", "#a98558", "#35220f"),
        "field-light": Paint("#b89a6c", "#ab8d5f", "#c9ae82", "#22160b"),
        "line": Paint("#6e5029", "#6e5029", "#6e5029", "#5a3d20"),
        "wall": Paint("#3a2110", "#28150a", "#6e4526", "#160b04"),
        "coordinate": Paint("#e3cfa8", "#e3cfa8", "#e3cfa8", "#e3cfa8"),
        "legend": Paint("#26221c", "#1c1915", "#3a342b", "#ece4d6"),
        "target": Paint("#1f4f36", "#163a27", "#e7f4e3", "#163a27"),
        "count": Paint("#f0e2c4", "#f0e2c4", "#2f1f10", "#f0e2c4"),
        "white": Paint("#e9e0cd", "#c2b69e", "#f7f1e3", "#2b2620"),
        "black": Paint("#26221f", "#4b443d", "#d9d1c4", "#0b0908"),
        "last-from": Paint("#999a5c", "#4a4e22", "#c9ae82", "#43471c"),
        "last-to": Paint("#999a5c", "#4a4e22", "#c9ae82", "#43471c"),
        "way": Paint("#93a27a", "#5c7445", "#b7c4a2", "#3a5026"),
    },
)
"""`WOOD` for dark pages: darker wood, with brass and pewter unchanged."""
PAPER: Final = replace(
    WOOD,
    grained=frozenset(),
    paints={
        **WOOD.paints,
        "board": Paint("#e6e0d2", "#d8d0bf", "#f3efe5", "#b3a993"),
        "field": Paint("#8b8372", "#8b8372", "#b3a993", "#8b8372"),
        "tray": Paint("#dbd4c4", "#cfc7b5", "#f3efe5", "#b3a993"),
        "tray-to-move": Paint("#dbd4c4", "#cfc7b5", "#f3efe5", "#4d4638"),
        "square": Paint("#fbf9f3", "#f1ede3", "#ffffff", "#cbc3b2"),
        "trap": Paint("#ddd6c6", "#a89f8c", "#efeadf", "#6d6554"),
        "field-light": Paint("#fbf9f3", "#f1ede3", "#ffffff", "#8b8372"),
        "line": Paint("#a69c88", "#a69c88", "#a69c88", "#a69c88"),
        "point": Paint("#8b8372", "#8b8372", "#8b8372", "#8b8372"),
        "wall": Paint("#4a4335", "#332e24", "#6d6554", "#1f1b14"),
        "coordinate": Paint("#4d4638", "#4d4638", "#4d4638", "#4d4638"),
        "count": Paint("#3a342a", "#3a342a", "#fbf9f3", "#3a342a"),
        "last-from": Paint("#e4e6c4", "#6f7440", "#f6ead0", "#6f7440"),
        "last-to": Paint("#e4e6c4", "#6f7440", "#f6ead0", "#6f7440"),
    },
)
"""Paper and ink: only lines, for small screens and bright light."""
SLATE: Final = replace(
    PAPER,
    paints={
        **PAPER.paints,
        "board": Paint("#2b2d31", "#25272a", "#3b3e44", "#17181a"),
        "field": Paint("#141517", "#141517", "#2b2d31", "#141517"),
        "tray": Paint("#222427", "#1d1f21", "#3b3e44", "#17181a"),
        "tray-to-move": Paint("#222427", "#1d1f21", "#3b3e44", "#d6d8db"),
        "square": Paint("#8d9096", "#81848a", "#a0a3a8", "#65686d"),
        "trap": Paint("#5b5e63", "#3b3e44", "#74777c", "#222427"),
        "field-light": Paint("#8d9096", "#81848a", "#a0a3a8", "#141517"),
        "line": Paint("#54575c", "#54575c", "#54575c", "#54575c"),
        "point": Paint("#54575c", "#54575c", "#54575c", "#54575c"),
        "wall": Paint("#1f2023", "#141517", "#3b3e44", "#0c0d0e"),
        "coordinate": Paint("#d6d8db", "#d6d8db", "#d6d8db", "#d6d8db"),
        "count": Paint("#e9ebee", "#e9ebee", "#222427", "#e9ebee"),
        "target": Paint("#0f3d25", "#0f3d25", "#e7f4e3", "#0f3d25"),
        "last-from": Paint("#8b9468", "#43471c", "#a0a3a8", "#383c14"),
        "last-to": Paint("#8b9468", "#43471c", "#a0a3a8", "#383c14"),
    },
)
"""`PAPER` for dark pages: slate and chalk."""
THEMES: Final[Mapping[str, tuple[BoardTheme, BoardTheme]]] = {
    "wood": (WOOD, NIGHT),
    "paper": (PAPER, SLATE),
}
"""The themes by name, each for light and for dark pages."""
