"""The drawings of TZAAR: discs, the marks on them, and badges. Paths only, no rules.

The kinds are told apart as on the real pieces: a Tott is plain, a Tzarra has a dark middle, a Tzaar
has a star in a ring. White's marks are dark, Black's bright, so that the sides differ in
brightness and the kinds in form, in grey print too.
"""

import math
from collections.abc import Mapping
from typing import Final

from trine.core.scene.scene import Figure, Shape, ellipse

DISCS: Final = ("disc-white", "disc-black")
"""The names of the discs of both sides; a stack shows several discs."""
MARKINGS: Final = ("ink", "light")  # the colours of the marks on the discs of White and of Black


def star(points: int, outer: float, inner: float) -> str:
    """Return the path of a star whose first point is at the top.

    >>> star(4, 10, 5)
    'M0 -10L3.54 -3.54L10 0L3.54 3.54L0 10L-3.54 3.54L-10 0L-3.54 -3.54Z'
    """
    corners = []
    for index in range(2 * points):
        angle = math.pi * index / points
        reach = inner if index % 2 else outer
        x, y = round(reach * math.sin(angle), 2) + 0.0, round(-reach * math.cos(angle), 2) + 0.0
        corners.append(f"{x:g} {y:g}")
    return f"M{'L'.join(corners)}Z"


def _disc(side: int) -> Figure:
    """Return a turned disc: a bevelled rim around a flat face."""
    rim = "light" if side == 0 else "shade"
    return (
        Shape(ellipse(0, 0, 46), "shade" if side == 0 else "body", "ink", 3),
        Shape(ellipse(0, 0, 41.5), "none", rim, 2.4),
        Shape(ellipse(0, 0, 37), "body"),
    )


def _tott(side: int) -> Figure:
    """Return the edge of the face; the other two kinds have further shapes."""
    return (Shape(ellipse(0, 0, 37), "none", "shade", 1.6),)


def _tzarra(side: int) -> Figure:
    return (*_tott(side), Shape(ellipse(0, 0, 15.5), MARKINGS[side]))


def _tzaar(side: int) -> Figure:
    """Return a star of eight points, the crown, in a ring."""
    return (
        *_tott(side),
        Shape(ellipse(0, 0, 30.5), "none", MARKINGS[side], 4.6),
        Shape(star(8, 23, 10), MARKINGS[side], MARKINGS[side], 1.6),
    )


KIND_FIGURES: Final = {"T": _tott, "Y": _tzarra, "Z": _tzaar}


def _badge(*glyph: Shape) -> Figure:
    return (Shape(ellipse(0, 0, 44), "light", "ink", 7), *glyph)


BADGES: Final[Mapping[str, Figure]] = {
    "capturable": _badge(Shape("M-19 -19L19 19M-19 19L19 -19", "none", "body", 12)),
    "sole": _badge(Shape(star(5, 32, 13), "ink")),
    "towering": _badge(Shape("M0 28V-20M-19 -4L0 -24L19 -4", "none", "ink", 10)),
    "safe": _badge(Shape("M0 -28L23 -20V0C23 14 12 24 0 30C-12 24 -23 14 -23 0V-20Z", "ink")),
}
"""Signs for marks, by the role of the mark: a cross, a star, an arrow upward, a shield."""

FIGURES: Final[Mapping[str, Figure]] = {
    **{name: _disc(side) for side, name in enumerate(DISCS)},
    **{kind: draw(0) for kind, draw in KIND_FIGURES.items()},
    **{kind.lower(): draw(1) for kind, draw in KIND_FIGURES.items()},
    **BADGES,
}
"""All drawings of the game by name; the mark on a disc has the letter of the piece."""
