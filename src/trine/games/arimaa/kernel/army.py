"""One side of a view by kinds, with the worth of its pieces."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from trine.core.compiled.bits import Word, count
from trine.games.arimaa.kernel.perspective import PERSPECTIVE, Perspective
from trine.games.arimaa.kernel.row import inlined

Q: Final = 1.447530126
G: Final = 0.6314442034
FIRST_RABBIT: Final = 0.12507009891301202
"""The cost of the first rabbit lost, which is the unit of material. Source: HarLog."""
NO_RABBIT: Final = -2.0
"""Units: as logarithms; stands for the logarithm of a side without rabbits. Guess."""

OFFICER: Final = np.array(
    [2 / Q / FIRST_RABBIT] + [1 / (Q + above) / FIRST_RABBIT for above in range(1, 9)], np.float32
)
"""Shapes: number of stronger enemy pieces. The value of a piece other than a rabbit."""
CROWD: Final = np.array(
    [
        G * (math.log(product) if product else NO_RABBIT) / FIRST_RABBIT
        for product in range(8 * 16 + 1)
    ],
    np.float32,
)
"""Shapes: number of rabbits times number of pieces. Their value together."""

Kinds = tuple[Word, Word, Word, Word, Word, Word]
KINDS: Final = "UniTuple(uint64, 6)"
"""Sets of elephants, camels, horses, dogs, cats, rabbits."""
Worths = tuple[np.float32, np.float32, np.float32, np.float32, np.float32, np.float32]
WORTHS: Final = "UniTuple(float32, 6)"
"""The worth of a piece of each kind, in rabbits."""


@inlined(f"{KINDS}({PERSPECTIVE}, uint64)")
def kinds_of(perspective: Perspective, side: Word) -> Kinds:
    """Return the pieces of a side by kinds, the strongest first."""
    low, middle, high, _ = perspective
    return (
        side & high & middle,
        side & high & low,
        side & high & ~(middle | low),
        side & middle & low & ~high,
        side & middle & ~(high | low),
        side & low & ~(middle | high),
    )


@inlined(f"float32({KINDS}, {KINDS})")
def material(own: Kinds, enemies: Kinds) -> np.float32:
    """Return the HarLog material value of a side."""
    total, officers, above = np.float32(0), 0, 0
    for kind in range(5):
        number = count(own[kind])
        total += number * OFFICER[above]
        officers += number
        above += count(enemies[kind])
    rabbits = count(own[5])
    return total + CROWD[rabbits * (rabbits + officers)]


@inlined("float32(float32)")
def rounded(value: np.float32) -> np.float32:
    """Return a value in whole 64ths, so that sums do not depend on their order."""
    raised = value * np.float32(64) + np.float32(0.5)
    whole = np.int64(raised)  # towards 0; the library's floor would be a call
    if raised < whole:
        whole -= 1
    return np.float32(whole) / np.float32(64)


@inlined(f"{WORTHS}({KINDS}, {KINDS})")
def worths_of(own: Kinds, enemies: Kinds) -> Worths:
    """Return what a side would lose, by HarLog, with one piece of each kind."""
    rabbits = count(own[5])
    pieces = rabbits
    for kind in range(5):
        pieces += count(own[kind])
    now = CROWD[rabbits * pieces]
    piece = now - CROWD[rabbits * max(pieces - 1, 0)]
    rabbit = now - CROWD[max(rabbits - 1, 0) * max(pieces - 1, 0)]
    camels = count(enemies[0])
    horses = camels + count(enemies[1])
    dogs = horses + count(enemies[2])
    cats = dogs + count(enemies[3])
    return (
        rounded(OFFICER[0] + piece),
        rounded(OFFICER[camels] + piece),
        rounded(OFFICER[horses] + piece),
        rounded(OFFICER[dogs] + piece),
        rounded(OFFICER[cats] + piece),
        rounded(rabbit),
    )


@inlined(f"float32({KINDS}, {WORTHS}, uint64)")
def worth(own: Kinds, worths: Worths, squares: Word) -> np.float32:
    """Return the worth of the pieces of a side on some squares."""
    total = np.float32(0)
    for kind in range(6):
        total += np.float32(count(own[kind] & squares)) * worths[kind]
    return total
