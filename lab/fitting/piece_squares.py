"""The counts for the piece-square table of Arimaa's evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.games.arimaa.heuristics import FILES, KINDS

_PLANES: Final = 3
_SILVER: Final = 3
_SQUARES: Final = np.arange(64, dtype=np.uint64)
_SEEN_BY_SILVER: Final = np.arange(64) ^ 56
"""Shapes: square in Silver's perspective. The square of the board."""


def count_piece_squares(rows: NDArray[np.uint64], players: Sequence[int]) -> NDArray[np.float32]:
    """Return the number of own pieces minus enemy pieces for each number of the table.

    Shapes: position, number, in the order of the game's `PST_NAMES`; ``rows`` are rows of the
        kernel.
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
