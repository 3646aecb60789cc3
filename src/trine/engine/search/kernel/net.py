"""Small nets beside the terms of an evaluation, blind to the game: one hidden layer, two views.

A room writes the inputs of a position that are set, as the first player sees them, a bit each. Both
players look through the same weights: the second player's view is that of the first with each input
replaced by its mirror image. So a row of weights holds an input's weights for both views side by
side, and one addition of `LANES` numbers updates both.

The sums of the hidden layer, the *accumulator*, are kept for each ply of a worker, with the active
features and the key of the position that they belong to. The accumulator of another position is
found from that of the ply above by the features in which the two differ: so null moves, results
from the table and lines that were left need no care. Source: Y. Nasu, "Efficiently Updatable
Neural-Network-based Evaluation Functions for Computer Shogi" (2018), which also has its numbers of
16 bits.

`Worker.net` has a row of `LANES` numbers for each input, then the hidden bias, then for each bucket
the output weights for either player to move, then the accumulator of each ply. `Worker.active` has
for each ply the active features of its accumulator, a bit each, and behind them the key of the
position, 0 where there is none; one more row is scratch.

A net can see the terms of the evaluation too, as they are counted for the player to move: whole
numbers times weights, summed up anew each time, which the first units of the hidden layer have more
in the player's view, and less in the other. `Worker.term_rows` has a row of weights for each of
these units, then a row for the terms, then one for what the units have more.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import types

from trine.core.compiled.bits import NONE, ONE, lowest
from trine.core.compiled.jit import kernel
from trine.engine.search.kernel.worker import WORKER, Shorts, Weights, Words, Worker

HIDDEN: Final = 32
"""The width of the hidden layer, of one view."""
LANES: Final = 2 * HIDDEN
"""Both views side by side: the first player's, then the second's."""
ONE_IN: Final = 255
"""The number that stands for 1 in sums and their weights; a sum counts as from 0 to 1."""
ONE_OUT: Final = 256
"""The number that stands for 1 in the weights of the output."""
TERM_UNITS: Final = 16
"""The number of hidden units that see the terms; with all of them nets told chances no better."""
TERM_LANES: Final = 32
"""Rows of terms are filled up to a multiple of this, which is added up in a third less time."""
ONE_TERM: Final = 1024
"""The number that products of terms and their weights are divided by."""
TYPICAL_TERM: Final = 64
"""The number that stands for a term as large as it usually is."""
MAX_TERM: Final = 2047
"""The bound of a term in whole numbers."""
MAX_TERM_SUM: Final = 16_383
"""The bound of what terms add to a sum."""

_SHORTS: Final = types.Array(types.int16, 1, "C")
_FLOATS: Final = types.Array(types.float32, 1, "C")
_SHORT_ROWS: Final = types.Array(types.int16, 2, "C")
_WORD_ROWS: Final = types.Array(types.uint64, 2, "C")


@kernel(types.int64(WORKER, types.int64), forceinline=True)
def accumulator_at(worker: Worker, ply: int) -> int:
    state = worker.state[0]
    return state.net_inputs + 1 + 2 * state.net_buckets + ply  # type: ignore[no-any-return]


@kernel(types.void(_SHORTS, _SHORTS), forceinline=True)
def add(accumulator: Shorts, weights: Shorts) -> None:
    for lane in range(LANES):
        accumulator[lane] = np.int16(accumulator[lane] + weights[lane])


@kernel(types.void(_SHORTS, _SHORTS), forceinline=True)
def subtract(accumulator: Shorts, weights: Shorts) -> None:
    for lane in range(LANES):
        accumulator[lane] = np.int16(accumulator[lane] - weights[lane])


@kernel(types.void(_SHORT_ROWS, _WORD_ROWS, types.int64, types.int64, types.int64))
def refresh(net: Shorts, active: Words, ply: int, at: int, bias: int) -> None:
    """Find the accumulator of a ply from the features in the scratch row alone.

    Args: ``at`` is the row of its accumulator, ``bias`` that of the hidden bias.
    """
    accumulator, scratch = net[at], active[len(active) - 1]
    for lane in range(LANES):
        accumulator[lane] = net[bias, lane]
    for word in range(active.shape[1] - 1):
        bits = scratch[word]
        active[ply, word] = bits
        while bits:
            add(accumulator, net[(word << 6) + lowest(bits)])
            bits &= bits - ONE


@kernel(types.void(_SHORT_ROWS, _WORD_ROWS, types.int64, types.int64, types.int64))
def update(net: Shorts, active: Words, ply: int, at: int, above: int) -> None:
    """Find the accumulator of a ply from a known one, and the features in the scratch row.

    Args: ``at`` is the row of its accumulator; the known one is its own, of before, or the one
    ``above`` by one ply.
    """
    accumulator, before, scratch = net[at], net[at - above], active[len(active) - 1]
    if above:
        for lane in range(LANES):
            accumulator[lane] = before[lane]
    for word in range(active.shape[1] - 1):
        then, bits = active[ply - above, word], scratch[word]
        active[ply, word] = bits
        gone, come = then & ~bits, bits & ~then
        while gone:
            subtract(accumulator, net[(word << 6) + lowest(gone)])
            gone &= gone - ONE
        while come:
            add(accumulator, net[(word << 6) + lowest(come)])
            come &= come - ONE


@kernel(types.void(_FLOATS, _FLOATS, _SHORTS), forceinline=True)
def write_terms(terms: Weights, scales: Weights, out: Shorts) -> None:
    """Write the terms in whole numbers, as a net sees them."""
    for term in range(len(scales)):
        seen = np.int32(terms[term] * scales[term])
        out[term] = np.int16(min(max(seen, np.int32(-MAX_TERM)), np.int32(MAX_TERM)))


@kernel(types.int32(_SHORTS, _SHORTS), forceinline=True)
def product(weights: Shorts, seen: Shorts) -> int:
    total = np.int32(0)
    for place in range(len(weights)):
        total += np.int32(np.int32(weights[place]) * np.int32(seen[place]))
    return total


@kernel(types.void(_SHORT_ROWS, _FLOATS, _FLOATS))
def sum_terms(rows: Shorts, terms: Weights, scales: Weights) -> None:
    """Write what the terms add to the sums of the hidden layer, into the last row."""
    seen, added = rows[TERM_UNITS], rows[TERM_UNITS + 1]
    write_terms(terms, scales, seen)
    for unit in range(TERM_UNITS):
        more = np.int32(product(rows[unit], seen) / ONE_TERM)  # cut off towards 0 for both players
        added[unit] = np.int16(min(max(more, np.int32(-MAX_TERM_SUM)), np.int32(MAX_TERM_SUM)))


@kernel(types.int64(WORKER, types.int64, types.int64, types.int64), forceinline=True)
def output(worker: Worker, ply: int, mover: int, bucket: int) -> int:
    """Return what the net adds for the player to move, by a ply's accumulator. Units: points.

    The terms are those that the evaluation counted last, for that player in that position.
    """
    state = worker.state[0]
    accumulator = worker.net[accumulator_at(worker, ply)]
    weights = worker.net[state.net_inputs + 1 + 2 * bucket + mover]
    if len(worker.term_scales):
        sum_terms(worker.term_rows, worker.counts, worker.term_scales)
    added, sign = worker.term_rows[TERM_UNITS + 1], np.int32(1 - 2 * mover)
    total = np.int32(0)
    for unit in range(HIDDEN):
        more, other = sign * np.int32(added[unit]), HIDDEN + unit
        value = min(max(np.int32(accumulator[unit]) + more, np.int32(0)), np.int32(ONE_IN))
        total += np.int32(value * np.int32(weights[unit]))
        value = min(max(np.int32(accumulator[other]) - more, np.int32(0)), np.int32(ONE_IN))
        total += np.int32(value * np.int32(weights[other]))
    return np.int64(np.rint((total + state.net_bias[bucket]) * state.net_scale))


@kernel(types.boolean(WORKER), forceinline=True)
def says_nothing(worker: Worker) -> bool:
    """Return whether no feature of the position in the scratch row is active."""
    active, found = worker.active, NONE
    for word in range(active.shape[1] - 1):
        found |= active[len(active) - 1, word]
    return found == NONE
