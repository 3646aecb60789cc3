"""The pieces of a side by kind, and their values by HarLog."""

import math
from typing import Final

import numpy as np

from trine.core.compiled.bits import Word, count
from trine.core.compiled.rows import inlined
from trine.games.arimaa.kernel.perspectives import Perspective

Q: Final = 1.447530126
G: Final = 0.6314442034
FIRST_RABBIT: Final = 0.12507009891301202
"""The value of losing the first rabbit: the unit of material. Source: HarLog."""
NO_RABBIT: Final = -2.0
"""Units: natural logarithms; used in place of log 0 for a side without rabbits. Guess."""

OFFICER_VALUES: Final = np.array(
    [2 / Q / FIRST_RABBIT] + [1 / (Q + above) / FIRST_RABBIT for above in range(1, 9)], np.float32
)
"""Shapes: number of stronger enemy pieces. The value of a piece other than a rabbit, in rabbits."""
RABBIT_VALUES: Final = np.array(
    [
        G * (math.log(product) if product else NO_RABBIT) / FIRST_RABBIT
        for product in range(8 * 16 + 1)
    ],
    np.float32,
)
"""Shapes: a side's rabbits times its pieces. The value of all the rabbits, in first rabbits."""

Kinds = tuple[Word, Word, Word, Word, Word, Word]
"""Sets of elephants, camels, horses, dogs, cats, rabbits."""
PieceValues = tuple[np.float32, np.float32, np.float32, np.float32, np.float32, np.float32]
"""The value of a piece of each kind, in first rabbits."""


@inlined()
def kinds_of(perspective: Perspective, side: Word) -> Kinds:
    """Return the pieces of a side by kind, the strongest first."""
    low, middle, high, _ = perspective
    return (
        side & high & middle,
        side & high & low,
        side & high & ~(middle | low),
        side & middle & low & ~high,
        side & middle & ~(high | low),
        side & low & ~(middle | high),
    )


@inlined()
def material(own: Kinds, enemies: Kinds) -> np.float32:
    """Return the HarLog material value of a side."""
    total, officers, above = np.float32(0), 0, 0
    for kind in range(5):
        number = count(own[kind])
        total += number * OFFICER_VALUES[above]
        officers += number
        above += count(enemies[kind])
    rabbits = count(own[5])
    return total + RABBIT_VALUES[rabbits * (rabbits + officers)]


@inlined()
def rounded(value: np.float32) -> np.float32:
    """Round a value to 64ths, so that sums do not depend on their order."""
    raised = value * np.float32(64) + np.float32(0.5)
    whole = np.int64(raised)  # truncated; `floor` would be a library call
    if raised < whole:
        whole -= 1
    return np.float32(whole) / np.float32(64)


@inlined()
def piece_values(own: Kinds, enemies: Kinds) -> PieceValues:
    """Return the HarLog value that losing one piece costs a side, by kind."""
    rabbits = count(own[5])
    pieces = rabbits
    for kind in range(5):
        pieces += count(own[kind])
    now = RABBIT_VALUES[rabbits * pieces]
    piece = now - RABBIT_VALUES[rabbits * max(pieces - 1, 0)]
    rabbit = now - RABBIT_VALUES[max(rabbits - 1, 0) * max(pieces - 1, 0)]
    camels = count(enemies[0])
    horses = camels + count(enemies[1])
    dogs = horses + count(enemies[2])
    cats = dogs + count(enemies[3])
    return (
        rounded(OFFICER_VALUES[0] + piece),
        rounded(OFFICER_VALUES[camels] + piece),
        rounded(OFFICER_VALUES[horses] + piece),
        rounded(OFFICER_VALUES[dogs] + piece),
        rounded(OFFICER_VALUES[cats] + piece),
        rounded(rabbit),
    )


@inlined()
def value_of(own: Kinds, values: PieceValues, squares: Word) -> np.float32:
    total = np.float32(0)
    for kind in range(6):
        total += np.float32(count(own[kind] & squares)) * values[kind]
    return total
