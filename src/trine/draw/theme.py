"""The look of the roles of a scene in a picture: paints, marks, type, and the order of layers.

This is the only place that defines it. `trine.draw.svg` draws by it; a web page gets it as data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

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
"""The layers of a picture, from the bottom up: fields of a scene and of its board. Marks come in
three parts: their tints, their forms under the pieces, and their badges."""


@dataclass(frozen=True)
class Paint:
    """The four paints of a material, as SVG writes colours."""

    body: str
    shade: str
    light: str
    ink: str


@dataclass(frozen=True)
class Theme:
    """The look of roles. A role that is missing looks like the role ``other``."""

    paints: Mapping[str, Paint]
    marks: Mapping[str, tuple[str, ...]]
    """The forms of a mark on its cell: ``tint``, ``dot``, ``corners``, ``ring``. A mark that is
    missing has its badge; one without a badge has a ring."""
    grained: frozenset[str] = frozenset()
    """The roles of areas that show a grain, in the shade of their paint."""
    faded: frozenset[str] = frozenset()
    """The roles of pieces that are drawn pale."""
    widths: Mapping[str, float] = field(default_factory=dict)
    """The width of lines of a role, in units; others are `thin`."""
    thin: float = 0.03
    """The width of other lines, in units."""
    badge: float = 0.3
    """The size of a badge, in units: guess."""
    stacked: float = 0.08
    """The distance of a piece of a stack above the one below, in units: guess."""
    stack_limit: int = 5
    """Higher stacks are drawn as high as this one; the number beside them tells."""
    font: str = "Georgia, 'DejaVu Serif', 'Times New Roman', serif"

    def paint(self, role: str) -> Paint:
        """The paints of a role."""
        return self.paints.get(role) or self.paints["other"]

    def colour(self, role: str, name: str) -> str:
        """The colour that a shape asks for by the name of a paint."""
        return "none" if name == "none" else str(getattr(self.paint(role), name))

    def as_data(self) -> dict[str, Any]:
        """The theme as JSON knows it, its fields under their names, and the `LAYERS`.

        >>> WOOD.as_data()["paints"]["gold"]["body"], WOOD.as_data()["marks"]["last-to"]
        ('#f2c24a', ['tint', 'corners'])
        """
        data = {part.name: getattr(self, part.name) for part in fields(self)}
        return data | {
            "layers": list(LAYERS),
            "paints": {role: dict(vars(paint)) for role, paint in self.paints.items()},
            "marks": {role: list(forms) for role, forms in self.marks.items()},
            "widths": dict(self.widths),
            "grained": sorted(self.grained),
            "faded": sorted(self.faded),
        }


WOOD: Final = Theme(
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
        "coordinate": Paint("#4a3118", "#4a3118", "#4a3118", "#3f2812"),
        "legend": Paint("#faf3e3", "#e3d3b0", "#fff6e0", "#3a2a18"),
        "target": Paint("#3d6b4f", "#28562a", "#ffffff", "#28562a"),
        "count": Paint("#3f2812", "#3f2812", "#fff6e0", "#3f2812"),
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
        "way": ("tint",),
    },
    grained=frozenset({"board"}),
    faded=frozenset({"step-used"}),
    widths={"wall": 0.14},
)
"""Maple and walnut, brass and pewter: gold is bright, silver dark, in grey print too."""
