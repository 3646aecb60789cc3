"""Small nets beside the terms of an evaluation, blind to the game: one hidden layer, two views.

A room writes the inputs of a position that are set, as the first player sees them, a bit each. Both
players look through the same weights: the second player's view is that of the first with each input
replaced by its mirror image. So a row of weights holds an input's weights for both views side by
side, and one addition of `LANES` numbers updates both.

The sums of the hidden layer are kept for each ply of a worker, with the inputs and the key of the
position that they belong to. The sums of another position are found from those of the ply above by
the inputs in which the two differ: so null moves, results from the table and lines that were left
need no care. Source: Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for
Computer Shogi" (2018), for sums that are kept and numbers of 16 bits.

A worker is handed from call to call by value, so a net has two of its arrays and no more: each
further one would slow down all searches. `Worker.net` has a row of `LANES` numbers for each input,
then the sums when no input is set, then for each bucket the weights of the output for either
player to move, then the sums of each ply. `Worker.seen` has for each ply the inputs that its sums
are of, a bit each, and behind them the key of the position, 0 where there are no sums; one more row
is scratch.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import types

from trine.core.bits import NONE, ONE, lowest
from trine.core.jit import kernel
from trine.search.kernel.worker import WORKER, Shorts, Words, Worker

HIDDEN: Final = 32
"""The width of the hidden layer, of one view."""
LANES: Final = 2 * HIDDEN
"""Both views side by side: the first player's, then the second's."""
ONE_IN: Final = 255
"""The number that stands for 1 in sums and their weights; a sum counts as from 0 to 1."""
ONE_OUT: Final = 256
"""The number that stands for 1 in the weights of the output."""

_SHORTS: Final = types.Array(types.int16, 1, "C")
_SHORT_ROWS: Final = types.Array(types.int16, 2, "C")
_WORD_ROWS: Final = types.Array(types.uint64, 2, "C")


@kernel(types.int64(WORKER, types.int64), forceinline=True)
def sums_at(worker: Worker, ply: int) -> int:
    """Return the row with the sums of a ply."""
    state = worker.state[0]
    return state.net_inputs + 1 + 2 * state.net_buckets + ply  # type: ignore[no-any-return]


@kernel(types.void(_SHORTS, _SHORTS), forceinline=True)
def add(sums: Shorts, weights: Shorts) -> None:
    """Add the weights of an input to sums."""
    for lane in range(LANES):
        sums[lane] = np.int16(sums[lane] + weights[lane])


@kernel(types.void(_SHORTS, _SHORTS), forceinline=True)
def subtract(sums: Shorts, weights: Shorts) -> None:
    """Take the weights of an input away from sums."""
    for lane in range(LANES):
        sums[lane] = np.int16(sums[lane] - weights[lane])


@kernel(types.void(_SHORT_ROWS, _WORD_ROWS, types.int64, types.int64, types.int64))
def refresh(net: Shorts, seen: Words, ply: int, at: int, bias: int) -> None:
    """Find the sums of a ply from the inputs in the scratch row alone.

    Args: ``at`` is the row of its sums, ``bias`` that of the sums when no input is set.
    """
    sums, scratch = net[at], seen[len(seen) - 1]
    for lane in range(LANES):
        sums[lane] = net[bias, lane]
    for word in range(seen.shape[1] - 1):
        bits = scratch[word]
        seen[ply, word] = bits
        while bits:
            add(sums, net[(word << 6) + lowest(bits)])
            bits &= bits - ONE


@kernel(types.void(_SHORT_ROWS, _WORD_ROWS, types.int64, types.int64, types.int64))
def update(net: Shorts, seen: Words, ply: int, at: int, above: int) -> None:
    """Find the sums of a ply from others that are known, and the inputs in the scratch row.

    Args: ``at`` is the row of its sums; the known sums are its own, of before, or those ``above``
    by one ply.
    """
    sums, before, scratch = net[at], net[at - above], seen[len(seen) - 1]
    if above:
        for lane in range(LANES):
            sums[lane] = before[lane]
    for word in range(seen.shape[1] - 1):
        then, bits = seen[ply - above, word], scratch[word]
        seen[ply, word] = bits
        gone, come = then & ~bits, bits & ~then
        while gone:
            subtract(sums, net[(word << 6) + lowest(gone)])
            gone &= gone - ONE
        while come:
            add(sums, net[(word << 6) + lowest(come)])
            come &= come - ONE


@kernel(types.int64(WORKER, types.int64, types.int64, types.int64), forceinline=True)
def output(worker: Worker, ply: int, mover: int, bucket: int) -> int:
    """Return what the net adds for the player to move, by the sums of a ply. Units: points."""
    state = worker.state[0]
    sums = worker.net[sums_at(worker, ply)]
    weights = worker.net[state.net_inputs + 1 + 2 * bucket + mover]
    total = np.int32(0)
    for lane in range(LANES):
        value = min(max(sums[lane], np.int16(0)), np.int16(ONE_IN))
        total += np.int32(np.int32(value) * np.int32(weights[lane]))
    return np.int64(np.rint((total + state.net_rest[bucket]) * state.net_scale))


@kernel(types.boolean(WORKER), forceinline=True)
def says_nothing(worker: Worker) -> bool:
    """Return whether no input of the position in the scratch row is set."""
    seen, found = worker.seen, NONE
    for word in range(seen.shape[1] - 1):
        found |= seen[len(seen) - 1, word]
    return found == NONE
