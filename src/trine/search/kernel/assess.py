"""The static evaluation in a search: the terms of the room, and what a net adds to them."""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import types

from trine.core.bits import NONE
from trine.core.jit import kernel
from trine.search.kernel.net import output, refresh, says_nothing, sums_at, update
from trine.search.kernel.worker import GAME, WORKER, GameFunctions, Words, Worker

MOST_POINTS: Final = 20_000
"""Units: points; evaluations are within this on both sides."""

_ROW: Final = types.Array(types.uint64, 1, "C")


@kernel("void(uint64[::1], uint64[::1])")
def no_inputs(row: Words, out: Words) -> None:
    """The inputs of a room whose positions no net can see."""


@kernel("int64(uint64[::1])")
def one_bucket(row: Words) -> int:
    """The set of output weights of such a room."""
    return 0


@kernel(types.int64(GAME, WORKER, types.int64, types.int64), forceinline=True)
def added_by_net(game: GameFunctions, worker: Worker, ply: int, mover: int) -> int:
    """Return what the net adds to the evaluation of the position of a ply. Units: points."""
    seen, row = worker.seen, worker.rows[ply]
    key, mark = game.key(row), seen.shape[1] - 1
    if seen[ply, mark] != key:
        game.inputs(row, seen[len(seen) - 1, :mark])
        if says_nothing(worker):
            return 0
        at = sums_at(worker, ply)
        if ply > 0 and seen[ply - 1, mark] != NONE:
            update(worker.net, seen, ply, at, 1)
        elif seen[ply, mark] != NONE:
            update(worker.net, seen, ply, at, 0)
        else:
            refresh(worker.net, seen, ply, at, worker.state[0].net_inputs)
        seen[ply, mark] = key
    return output(worker, ply, mover, game.bucket(row))


@kernel(types.int64(GAME, WORKER, types.int64, types.int64), forceinline=True)
def assess(game: GameFunctions, worker: Worker, ply: int, mover: int) -> int:
    """Return the evaluation of the position of a ply for the player to move."""
    points = game.evaluate(worker.rows[ply], mover, worker.weights, worker.features)
    if worker.state[0].net_inputs == 0:
        return points
    points += added_by_net(game, worker, ply, mover)
    return max(-MOST_POINTS, min(MOST_POINTS, points))


@kernel(
    types.int64(GAME, WORKER, types.int64, types.int64, types.int64, types.int64), forceinline=True
)
def assess_within(
    game: GameFunctions, worker: Worker, ply: int, mover: int, alpha: int, beta: int
) -> int:
    """Return the same, but by the terms alone where the net would hardly bring it into a window."""
    row, state = worker.rows[ply], worker.state[0]
    points = game.evaluate(row, mover, worker.weights, worker.features)
    if state.net_inputs == 0:
        return points
    margin = np.int64(state.net_margins[game.bucket(row)])
    if points - margin < beta and points + margin > alpha:
        points += added_by_net(game, worker, ply, mover)
    return max(-MOST_POINTS, min(MOST_POINTS, points))
