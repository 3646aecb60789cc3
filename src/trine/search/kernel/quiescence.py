"""Quiescence search: at the bottom only tactical actions are searched, until none is left."""

from __future__ import annotations

from typing import Final

from numba import types

from trine.core.compiled.jit import kernel
from trine.core.contract.score import ONGOING
from trine.search.kernel.assess import assess_within
from trine.search.kernel.node import (
    INFINITE,
    is_threatened,
    must_stop,
    score_of_result,
    score_of_win,
    update_pv,
)
from trine.search.kernel.ordering import pick_best, score_moves
from trine.search.kernel.stack import MAX_PLY
from trine.search.kernel.table import NO_ACTION
from trine.search.kernel.worker import GAME, WORKER, GameFunctions, Worker

QUIESCENCE_PLIES: Final = 8
"""Units: plies; the depth of the quiescence search below the depth of a search. Guess."""


@kernel(types.int64(GAME, WORKER, types.int64, types.int64, types.int64, types.int64))
def quiescence(
    game: GameFunctions, worker: Worker, ply: int, alpha: int, beta: int, left: int
) -> int:
    """Return the score of a position after its tactical actions, ``left`` plies deep at most."""
    worker.pv[ply, 0] = 0
    if must_stop(worker):
        return alpha
    row = worker.rows[ply]
    mover = game.mover(row)
    result = game.result(row)
    if result != ONGOING:
        return score_of_result(result, mover, ply)
    detected = game.detect_win(row)
    if detected:
        return score_of_win(detected, ply)

    # Stand pat: a player who need not act can have the static evaluation. Whom the other player
    # threatens to beat in the next turn must act: then all actions are searched, for a few plies.
    best = assess_within(game, worker, ply, mover, alpha, beta)
    if ply >= MAX_PLY or left <= 0:
        return best
    actions = worker.actions[ply]
    total = game.tactical(row, actions)
    if total >= 0:
        evades = best > alpha and QUIESCENCE_PLIES - left < worker.state[0].evasions
        if evades and is_threatened(game, worker, ply):
            total, best = game.generate(row, actions), -INFINITE
        else:
            if best >= beta or total == 0:
                return best
            alpha = max(alpha, best)
    else:
        total, best = -total, -INFINITE

    total = score_moves(game, worker, ply, total, mover, NO_ACTION)
    for index in range(total):
        pick_best(actions, worker.scores[ply], index, total)
        action = int(actions[index])
        game.play(worker.rows, ply, action)
        if game.mover(worker.rows[ply + 1]) == mover:
            score = quiescence(game, worker, ply + 1, alpha, beta, left - 1)
        else:
            score = -quiescence(game, worker, ply + 1, -beta, -alpha, left - 1)
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                update_pv(worker, ply, action)
                if score >= beta:
                    break
    return best
