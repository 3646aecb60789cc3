"""The worth of squares: points of each kind of piece on each square, as its side sees the board.

The files e to h are the mirror of a to d. The numbers are in ``weights.txt``, behind the weights of
the terms: ``E_a1`` is the worth of an elephant on a1 to Gold, and on a8 to Silver.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

KINDS: Final = "EMHDCR"
FILES: Final = 4
PLACE_NAMES: Final = tuple(
    f"{kind}_{file}{rank}" for kind in KINDS for rank in range(8, 0, -1) for file in "abcd"
)
"""Kind by kind, rank 8 first."""

_PLANES: Final = 3
_SILVER: Final = 3
_SQUARES: Final = np.arange(64, dtype=np.uint64)
_SEEN_BY_SILVER: Final = np.arange(64) ^ 56
"""Shapes: square as Silver sees it. The square of the board."""


def spread_places(numbers: Sequence[float]) -> NDArray[np.float32]:
    """Return the worth of each kind of piece on each square, in whole points.

    Whole points are summed exactly, whatever the order of the pieces.
    """
    halves = np.rint(numbers).reshape(len(KINDS), 8, FILES)[:, ::-1]
    whole = np.concatenate([halves, halves[:, :, ::-1]], axis=2)
    return whole.astype(np.float32).ravel()


def count_places(rows: NDArray[np.uint64], players: Sequence[int]) -> NDArray[np.float32]:
    """Return how many own pieces less enemy ones stand where each number counts.

    Shapes: position, number, in the order of `PLACE_NAMES`; ``rows`` as the kernel has them.
    """
    bits = rows[:, : _SILVER + 1, None] >> _SQUARES & np.uint64(1)
    strengths = (bits[:, :_PLANES] << np.arange(_PLANES, dtype=np.uint64)[:, None]).sum(1)
    silver = bits[:, _SILVER] == 1
    sign = np.where(np.asarray(players) == 0, 1, -1).astype(np.int8)[:, None]
    counts = []
    for strength in range(len(KINDS), 0, -1):
        here = strengths == strength
        gold, other = here & ~silver, (here & silver)[:, _SEEN_BY_SILVER]
        lead = (sign * (gold.astype(np.int8) - other)).reshape(-1, 8, 8)[:, ::-1]
        counts.append(lead[:, :, :FILES] + lead[:, :, : FILES - 1 : -1])
    return np.stack(counts, 1).reshape(len(rows), -1).astype(np.float32)
