"""Small nets beside the terms of an evaluation (NNUE): one hidden layer, two perspectives.

A game writes the active inputs of a position from the first player's perspective, as bits. Both
perspectives share weights: the second player's has each input replaced by its mirror image. So a
row of weights holds an input's weights for both perspectives side by side, and one addition of
`LANES` numbers updates both.

The sums of the hidden layer, the *accumulator*, are kept for each ply of a worker, with the active
inputs and the key of their position. An accumulator is updated from that of the ply above by the
difference of their active inputs: so null moves, table hits and abandoned lines need no special
care. Source: Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer
Shogi" (2018), like the 16-bit numbers.

`Worker.net` has a row of `LANES` numbers for each input, then the hidden bias, then for each bucket
the output weights for either player to move, then the accumulator of each ply. `Worker.active` has
a row for each ply: the active inputs of its accumulator as bits, then the key of their position, 0
if there is none; one more row is scratch.

A net can take the terms of the evaluation as inputs too, as counted for the player to move:
integers times weights, recomputed each time, added to the first hidden units in the mover's
perspective and subtracted in the other. `Worker.term_rows` has a row of weights for each of these
units, then a row of terms, then a row of the resulting sums.
"""

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Floats, ShortRows, Shorts, WordRows
from trine.core.compiled.bits import NONE, ONE, lowest
from trine.core.compiled.jit import kernel
from trine.engine.search.kernel.worker import Worker

HIDDEN: Final = 32  # the width of the hidden layer of one perspective
LANES: Final = 2 * HIDDEN  # both perspectives side by side: the first player's, then the second's
ONE_IN: Final = 255
"""The integer for 1.0 in the hidden sums and their weights; sums are clipped to 0 … 1.0."""
ONE_OUT: Final = 256  # the integer for 1.0 in the output weights
TERM_UNITS: Final = 16
"""The number of hidden units that take the terms as inputs; more did not lower the loss."""
TERM_LANES: Final = 32
"""Rows of terms are padded to a multiple of this, which makes the dot product a third faster."""
ONE_TERM: Final = 1024  # the divisor of the products of terms and their weights
TYPICAL_TERM: Final = 64  # the integer for a term of typical size
MAX_TERM: Final = 2047  # maximum of a term, as an integer
MAX_TERM_SUM: Final = 16_383  # maximum of what the terms add to a hidden sum


@kernel(forceinline=True)
def accumulator_at(worker: Worker, ply: int) -> int:
    state = worker.state[0]
    return state.net_inputs + 1 + 2 * state.net_buckets + ply  # type: ignore[no-any-return]


@kernel(forceinline=True)
def add(accumulator: Shorts, weights: Shorts) -> None:
    for lane in range(LANES):
        accumulator[lane] = np.int16(accumulator[lane] + weights[lane])


@kernel(forceinline=True)
def subtract(accumulator: Shorts, weights: Shorts) -> None:
    for lane in range(LANES):
        accumulator[lane] = np.int16(accumulator[lane] - weights[lane])


@kernel()
def refresh(net: ShortRows, active: WordRows, ply: int, at: int, bias: int) -> None:
    """Compute a ply's accumulator, row ``at``, from the scratch row's inputs and row ``bias``."""
    accumulator, scratch = net[at], active[len(active) - 1]
    for lane in range(LANES):
        accumulator[lane] = net[bias, lane]
    for word in range(active.shape[1] - 1):
        bits = scratch[word]
        active[ply, word] = bits
        while bits:
            add(accumulator, net[(word << 6) + lowest(bits)])
            bits &= bits - ONE


@kernel()
def update(net: ShortRows, active: WordRows, ply: int, at: int, above: int) -> None:
    """Update the accumulator of a ply from a known one, to the inputs in the scratch row.

    Row ``at`` is the accumulator; the known one is this row (``above`` is 0) or the one of the ply
    above (1).
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


@kernel(forceinline=True)
def write_terms(terms: Floats, scales: Floats, out: Shorts) -> None:
    """Write the terms as the integers that a net takes."""
    for term in range(len(scales)):
        seen = np.int32(terms[term] * scales[term])
        out[term] = np.int16(min(max(seen, np.int32(-MAX_TERM)), np.int32(MAX_TERM)))


@kernel(forceinline=True)
def product(weights: Shorts, seen: Shorts) -> np.int32:
    total = np.int32(0)
    for place in range(len(weights)):
        total += np.int32(np.int32(weights[place]) * np.int32(seen[place]))
    return total


@kernel()
def sum_terms(rows: ShortRows, terms: Floats, scales: Floats) -> None:
    """Write what the terms add to the sums of the hidden layer into the last row."""
    seen, added = rows[TERM_UNITS], rows[TERM_UNITS + 1]
    write_terms(terms, scales, seen)
    for unit in range(TERM_UNITS):
        more = np.int32(
            product(rows[unit], seen) / ONE_TERM
        )  # truncated: opposite for both players
        added[unit] = np.int16(min(max(more, np.int32(-MAX_TERM_SUM)), np.int32(MAX_TERM_SUM)))


@kernel(forceinline=True)
def output(worker: Worker, ply: int, mover: int, bucket: int) -> int:
    """Return the net's output for the player to move, by a ply's accumulator. Units: points.

    The terms are as the evaluation last counted them: for that player, in that position.
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


@kernel(forceinline=True)
def says_nothing(worker: Worker) -> bool:
    """Return whether no input is active in the scratch row."""
    active, found = worker.active, NONE
    for word in range(active.shape[1] - 1):
        found |= active[len(active) - 1, word]
    return found == NONE
