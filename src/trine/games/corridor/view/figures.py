"""The drawings of Corridor: a pawn, the arrows, the badges. Paths only, no rules.

An arrow points to the goal of its player. It is drawn on pawns, walls and goals, so that players
can be told apart without colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from trine.core.scene.scene import Figure, Shape, ellipse

DIRECTIONS: Final = ("up", "right", "down", "left")


def turned(path: str, quarters: int) -> str:
    """Return a path of straight lines, rotated clockwise about the middle by quarter turns.

    >>> turned("M0 -20L15 10", 1)
    'M20 0L-10 15'
    """
    for _ in range(quarters):
        corners = path.removeprefix("M").removesuffix("Z").split("L")
        pairs = [map(float, corner.split()) for corner in corners]
        closed = "Z" if path.endswith("Z") else ""
        path = "M" + "L".join(f"{-y + 0:g} {x:g}" for x, y in pairs) + closed
    return path


ARROW: Final = "M0 -30L27 8L14 8L14 28L-14 28L-14 8L-27 8Z"
"""The outline of an arrow that points up."""
CHEVRON: Final = "M-34 20L0 -20L34 20"

PAWN: Final[Figure] = (
    Shape(ellipse(0, 2, 46), "ink"),
    Shape(ellipse(0, 0, 45), "shade", "ink", 2.4),
    Shape(ellipse(0, 0, 35), "body", "ink", 1.6),
    Shape("M-25 -14A29 29 0 0 1 14 -25", "none", "light", 3.4),
)
"""A wooden pawn, seen from above."""

FIGURES: Final[Mapping[str, Figure]] = {
    "pawn": PAWN,
    **{
        f"arrow-{name}": (Shape(turned(ARROW, quarters), "light", "ink", 3),)
        for quarters, name in enumerate(DIRECTIONS)
    },
    **{
        f"chevron-{name}": (
            Shape(turned(CHEVRON, quarters), "none", "ink", 30),
            Shape(turned(CHEVRON, quarters), "none", "light", 17),
        )
        for quarters, name in enumerate(DIRECTIONS)
    },
    "fresh": (Shape(ellipse(0, 0, 45), "light", "ink", 10), Shape(ellipse(0, 0, 20), "ink")),
    "way": (Shape(ellipse(0, 0, 40), "body", "ink", 12),),
    "trapped": (
        Shape(ellipse(0, 0, 44), "light", "ink", 7),
        Shape("M-18 -38V38M0 -42V42M18 -38V38", "none", "ink", 7),
    ),
}
"""All drawings of the game, by name."""
