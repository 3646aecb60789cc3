"""The drawings of Arimaa: six animals, two coins, the trap, the badges. Paths only, no rules.

A head looks out of a coin. The animals differ in their outline first (ears and trunk, hump, mane,
hanging ears, pointed ears, long ears), so that they can be told apart at the size of a letter.
The coin's rim carries as many studs as the animal is strong. Gold's coin is round, Silver's has
eight corners; with their brightness that tells the sides apart without any colour.
"""

import math
import re
from collections.abc import Mapping
from typing import Final

from trine.core.scene.scene import Figure, Shape, ellipse
from trine.games.arimaa.board import KINDS, STRENGTH

OUTLINE: Final = 2.6  # the width of the line around a head


# --- symmetric paths, drawn once -----------------------------------------------------------------


def _points(path: str) -> list[tuple[float, float]]:
    numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", path)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def mirrored(path: str) -> str:
    """Return the mirror image of a path in the middle line; only for M, L, C, Q and Z.

    >>> mirrored("M4 -8C2 -22 6 -42 14 -44Z")
    'M-4 -8C-2 -22 -6 -42 -14 -44Z'
    """
    pairs = re.compile(r"(-?\d+(?:\.\d+)?)([ ,]+-?\d+(?:\.\d+)?)")
    return pairs.sub(lambda pair: f"{-float(pair[1]):g}{pair[2]}", path)


def whole(half: str) -> str:
    """Return a closed outline, given its right half: cubic curves down from the top of the middle.

    >>> whole("M0 -9C5 -9 9 -5 9 0C9 5 5 9 0 9")
    'M0 -9C5 -9 9 -5 9 0C9 5 5 9 0 9C-5 9 -9 5 -9 0C-9 -5 -5 -9 0 -9Z'
    """
    back = [f"{-x + 0:g} {y:g}" for x, y in reversed(_points(half))][1:]
    curves = [" ".join(back[start : start + 3]) for start in range(0, len(back), 3)]
    return f"{half}C{'C'.join(curves)}Z"


def _head(path: str, fill: str = "light") -> Shape:
    return Shape(path, fill, "ink", OUTLINE)


def _line(path: str, width: float = 2) -> Shape:
    return Shape(path, "none", "ink", width)


def _both(path: str) -> str:
    return path + mirrored(path)


def _eyes(x: float, y: float, across: float, down: float) -> Shape:
    return Shape(ellipse(-x, y, across, down) + ellipse(x, y, across, down), "ink")


# --- the animals ---------------------------------------------------------------------------------

ELEPHANT: Final[Figure] = (
    _head(_both("M13 -20C17 -30 31 -31 37 -20C42 -7 37 11 28 16C21 18 14 11 12 2Z")),
    Shape(_both("M19 -16C23 -23 30 -22 33 -14C35 -4 32 6 26 10C21 9 18 2 17 -4Z"), "shade"),
    _head(
        "M-9 0C-9 14 -9 23 -5 29C0 37 15 36 17 26C17 22 12 21 11 25C10 28 7 27 8 22C9 15 9 8 9 0Z"
    ),
    _head(whole("M0 -34C12 -34 19 -26 19 -15C19 -5 15 4 9 6C5 7 3 7 0 7")),
    _head(_both("M9 7C10 16 15 23 24 25C20 19 18 12 17 2Z")),
    Shape("M-7.7 3C-4 9 4 9 7.7 3L7.7 12L-7.7 12Z", "light"),
    _line("M-6 15C-3 17 3 17 6 15M-5 22C-2 24 2 24 5 22"),
    _eyes(9, -10, 2.8, 3.4),
)

CAMEL: Final[Figure] = (
    _head("M-7 10L-4 27L1 27L3 10ZM8 10L9 27L14 27L17 10Z", "shade"),
    _line("M28 -2C31 2 32 7 31 12", 2.6),
    _head(
        "M-17 -33C-23 -35 -28 -33 -31 -28C-35 -25 -38 -19 -35 -16C-32 -13 -27 -15 -22 -17"
        "C-22 -9 -23 -1 -19 5C-18 8 -17 11 -17 14L-17 29L-9.5 29L-7 15C-1 17 8 17 15 14L17 29"
        "L24.5 29L25 13C29 8 31 1 28 -4C26 -9 21 -11 18 -16C15 -23 11 -30 6 -30C0 -30 -2 -23 -4 -16"
        "C-6 -10 -10 -7 -11 -11C-11 -18 -9 -29 -17 -33Z"
    ),
    Shape(
        "M6 -28.6C10.5 -28.6 13.5 -22.5 16 -16.5C12 -13 10 -18 8 -13C5 -17 2 -13 -1.8 -17"
        "C0 -23.5 1.5 -28.6 6 -28.6Z",
        "shade",
    ),
    _head("M-17 -32C-19 -36 -17 -40 -13 -41C-10 -37 -10 -32 -13 -29Z", "shade"),
    Shape(ellipse(-23.5, -26.5, 2.8), "ink"),
    _line("M-35 -20C-32 -18.5 -29 -19.5 -27 -21.5"),
)

HORSE: Final[Figure] = (
    _head("M3 -31C22 -29 37 -8 30 22L18 33C25 16 20 2 8 -8Z", "shade"),
    _head(
        "M2 -40C6 -36 8 -31 7 -27C19 -16 25 4 19 32C8 37 -8 37 -16 32C-15 19 0 13 1 1"
        "C-4 7 -10 8 -14 9C-17 14 -20 19 -27 18C-34 17 -37 9 -34 3C-30 -6 -22 -14 -18 -24"
        "C-14 -30 -9 -33 -4 -33C-3 -36 0 -39 2 -40Z"
    ),
    Shape(ellipse(-12, -16, 3, 3.4), "ink"),
    Shape(ellipse(-28.5, 7, 2, 2.4), "ink"),
    _line("M-32 13C-27 13 -23 11 -20 8"),
    _line("M1 1C4 -4 4 -10 1 -14"),
    _line("M15 -3C17 5 17.5 13 16.5 20M10 4C12 10 12 17 11 23", 1.8),
)

DOG: Final[Figure] = (
    _head(whole("M0 -29C12 -29 20 -24 21 -12C22 -2 18 5 17 12C15 24 10 32 0 32")),
    Shape("M4 -27.700C13 -28 20 -23 19.8 -12C18 -1 8 0 4 -6C1 -13 2 -22 4 -27.700Z", "shade"),
    _head(
        _both(
            "M12 -27C20 -34 31 -28 34 -15C36 -2 35 10 29 13C22 14 21 3 19 -8C18 -16 16 -22 12 -27Z"
        ),
        "shade",
    ),
    _head("M-5 20C-5 31 5 31 5 20Z", "body"),
    _line("M0 12L0 18M0 18C-2 23 -10 22 -11 17M0 18C2 23 10 22 11 17"),
    Shape(whole("M0 2C5 2 8.5 4 8.5 7.500C8.5 11.5 4 14.5 0 14.5"), "ink"),
    _eyes(10, -8, 3, 3.6),
)

CAT: Final[Figure] = (
    _head(
        whole("M0 -14C5 -14 9 -15 13 -17C16 -24 21 -31 25 -34C29 -25 29 -13 29 -3C31 16 18 29 0 29")
    ),
    Shape(
        _both(
            "M17.5 -17C19 -21 21.5 -25 23.5 -27C25.5 -21 25.5 -14 25.5 -9C23 -13 20.5 -15 17.5 -17Z"
        ),
        "shade",
    ),
    _eyes(11, -1, 3.2, 5),
    Shape("M-4.5 8.500L4.5 8.500L0 13Z", "ink", "ink", 1.5),
    _line("M0 13C0 19 -8 20 -10 16M0 13C0 19 8 20 10 16"),
    _line("M17 9L36 5M17 14L36 15M-17 9L-36 5M-17 14L-36 15", 1.6),
    _line("M0 -13L0 -6M-7 -13.500L-6 -8M7 -13.500L6 -8", 2.2),
)

RABBIT: Final[Figure] = (
    _head(_both("M2 -4C-1 -20 2 -37 11 -38C20 -38 20 -18 13 -1Z")),
    Shape(_both("M6.5 -8C4.5 -19 7 -32 11.3 -33C15.5 -32 15 -18 11 -7Z"), "shade"),
    _head(whole("M0 -7C13 -7 22 2 23 14C24 25 13 32 0 32")),
    _eyes(10, 10, 2.8, 3.6),
    Shape("M-3.8 16.500L3.8 16.500L0 20.500Z", "ink", "ink", 1.5),
    _line(
        "M0 20L0 23.500M0 23.500C-2 26.5 -6.5 26.5 -7.5 23.500M0 23.500C2 26.5 6.5 26.5 7.5 23.5"
    ),
)

ANIMALS: Final[Mapping[str, Figure]] = {
    "E": ELEPHANT,
    "M": CAMEL,
    "H": HORSE,
    "D": DOG,
    "C": CAT,
    "R": RABBIT,
}
"""The drawing of each kind of piece."""

COINS: Final = ("round", "cut")  # the forms of the coins of Gold and Silver


def _octagon(reach: float) -> str:
    """Return a regular octagon, flat at the bottom."""
    near = reach * math.tan(math.pi / 8)
    corners = [(near, -reach), (reach, -near), (reach, near), (near, reach)]
    corners += [(-x, -y) for x, y in corners]
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + "Z"


def _studs(count: int) -> str:
    """Return small discs on the lower rim, spread from its middle."""
    angles = [math.radians(90 + 12 * (index - (count - 1) / 2)) for index in range(count)]
    return "".join(
        ellipse(round(42.7 * math.cos(angle), 2), round(42.7 * math.sin(angle), 2), 1.9)
        for angle in angles
    )


def _coin(form: str, studs: int) -> Figure:
    if form == "round":
        rim, face = ellipse(0, 0, 47), ellipse(0, 0, 38.5)
    else:
        rim, face = _octagon(45.5), _octagon(37.5)
    coin = (Shape(rim, "shade", "ink", 2.4), Shape(face, "body"))
    return (*coin, Shape(_studs(studs), "light")) if studs else coin


TRAP: Final[Figure] = (
    Shape("M-44 -44H44V44H-44Z", "none", "shade", 1.6),
    Shape("M-44 -44H-22L-44 -22ZM44 -44H22L44 -22ZM-44 44H-22L-44 22ZM44 44H22L44 22Z", "shade"),
    Shape("M0 -40L40 0L0 40L-40 0Z", "light", "shade", 1.6),
    Shape(ellipse(0, 0, 24), "shade", "ink", 1.6),
    Shape(ellipse(0, 0, 17), "ink"),
)


def _badge(*glyph: Shape) -> Figure:
    return (Shape(ellipse(0, 0, 44), "light", "ink", 7), *glyph)


BADGES: Final[Mapping[str, Figure]] = {
    "frozen": _badge(
        Shape("M0 -30V30M-26 -15L26 15M-26 15L26 -15", "none", "body", 8),
        Shape("M-9 -27L0 -19L9 -27M-9 27L0 19L9 27", "none", "body", 5),
    ),
    "capturable": _badge(Shape("M-19 -19L19 19M-19 19L19 -19", "none", "body", 12)),
    "dislodgeable": _badge(
        Shape("M-26 0H26M-14 -13L-27 0L-14 13M14 -13L27 0L14 13", "none", "body", 9)
    ),
    "goal": _badge(
        Shape("M-14 28V-26", "none", "body", 9), Shape("M-12 -27L24 -14L-12 0Z", "body")
    ),
}
"""Signs for marks, by the role of the mark."""

FIGURES: Final[Mapping[str, Figure]] = {
    **ANIMALS,
    **{form: _coin(form, 0) for form in COINS},
    **{f"{form}-{kind}": _coin(form, STRENGTH[kind]) for form in COINS for kind in KINDS},
    "trap": TRAP,
    **BADGES,
}
"""All drawings of the game by name; ``round-E`` is the coin of Gold's elephant."""
