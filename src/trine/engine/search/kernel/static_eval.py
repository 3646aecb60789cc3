"""The static evaluation in a search: the game's terms, plus the output of a net."""

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Row, Words
from trine.core.compiled.bits import NONE
from trine.core.compiled.jit import kernel
from trine.engine.search.kernel.net import accumulator_at, output, refresh, says_nothing, update
from trine.engine.search.kernel.worker import GameFunctions, Worker

MAX_POINTS: Final = 20_000  # points; evaluations are clipped to plus or minus this


@kernel()
def no_inputs(row: Row, out: Words) -> None:
    """The default of `NetInputs.write_active`, for games without inputs."""


@kernel()
def one_bucket(row: Row) -> int:
    """The default of `NetInputs.bucket`."""
    return 0


@kernel(forceinline=True)
def net_eval(game: GameFunctions, worker: Worker, ply: int, mover: int) -> int:
    """Return the net's output for the position of a ply. Units: points."""
    active, row = worker.active, worker.rows[ply]
    key, mark = game.key(row), active.shape[1] - 1
    if active[ply, mark] != key:
        game.inputs(row, active[len(active) - 1, :mark])
        if says_nothing(worker):
            return 0
        at = accumulator_at(worker, ply)
        if ply > 0 and active[ply - 1, mark] != NONE:
            update(worker.net, active, ply, at, 1)
        elif active[ply, mark] != NONE:
            update(worker.net, active, ply, at, 0)
        else:
            refresh(worker.net, active, ply, at, worker.state[0].net_inputs)
        active[ply, mark] = key
    return output(worker, ply, mover, game.bucket(row))


@kernel(forceinline=True)
def static_eval(game: GameFunctions, worker: Worker, ply: int, mover: int) -> int:
    """Return the evaluation of the position of a ply for the player to move."""
    points = game.evaluate(worker.rows[ply], mover, worker.weights, worker.counts)
    if worker.state[0].net_inputs == 0:
        return points
    points += net_eval(game, worker, ply, mover)
    return max(-MAX_POINTS, min(MAX_POINTS, points))


@kernel(forceinline=True)
def lazy_eval(
    game: GameFunctions, worker: Worker, ply: int, mover: int, alpha: int, beta: int
) -> int:
    """Lazy evaluation: like `static_eval`, but skip the net if it could hardly matter."""
    row, state = worker.rows[ply], worker.state[0]
    points = game.evaluate(row, mover, worker.weights, worker.counts)
    if state.net_inputs == 0:
        return points
    margin = np.int64(state.net_margins[game.bucket(row)])
    if points - margin < beta and points + margin > alpha:
        points += net_eval(game, worker, ply, mover)
    return max(-MAX_POINTS, min(MAX_POINTS, points))
