"""Correction history: what the evaluation overlooks is learned from the scores of the search.

A game names parts of its positions, such as the pieces around a trap. For each part and player to
move, a table keeps the mean difference of scores and evaluations in the positions that share the
part. It corrects the evaluation of further positions that share it.

Source: M. Witanowski, Caissa 1.15 (2023); the Chess Programming Wiki for static evaluation
correction history.
"""

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Row
from trine.core.compiled.bits import NONE
from trine.core.compiled.jit import kernel
from trine.engine.search.kernel.worker import GameFunctions, Worker

ENTRIES: Final = 1 << 14  # the number of differences for each part and player
UNIT: Final = 64  # differences are kept in this fraction of a point
MAX_DIFFERENCE: Final = 250  # points; larger differences count as this one. Guess
RATE_UNIT: Final = 256
MAX_RATE: Final = 16
"""Units: 1/256; the weight of a new difference in the mean is 1 + depth, limited to this."""

_SHIFT: Final = np.uint64(64 - ENTRIES.bit_length() + 1)


@kernel()
def no_key(row: Row, part: int) -> np.uint64:
    """The default of `Heuristics.correction_key`."""
    return NONE


@kernel(forceinline=True)
def entry_of(game: GameFunctions, worker: Worker, ply: int, part: int) -> int:
    return np.int64(game.correction_key(worker.rows[ply], part) >> _SHIFT)


@kernel()
def correction(game: GameFunctions, worker: Worker, ply: int, mover: int) -> int:
    """Return the correction of the evaluation for the player to move. Units: points."""
    total = np.int64(0)
    for part in range(len(worker.corrections) // 2):
        total += worker.corrections[2 * part + mover, entry_of(game, worker, ply, part)]
    return total * worker.state[0].correction_scale // (UNIT * 1024)


@kernel()
def learn_correction(
    game: GameFunctions, worker: Worker, ply: int, mover: int, difference: int, depth: int
) -> None:
    """Learn how far the score of a search to a depth is above the evaluation."""
    difference = max(-MAX_DIFFERENCE, min(MAX_DIFFERENCE, difference)) * UNIT
    rate = min(1 + depth, MAX_RATE)
    for part in range(len(worker.corrections) // 2):
        means, entry = worker.corrections[2 * part + mover], entry_of(game, worker, ply, part)
        mean = np.int64(means[entry])
        means[entry] = mean + (difference - mean) * rate // RATE_UNIT
