"""Move ordering: the table's move, killers, then the game's scores plus history."""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import types

from trine.core.compiled.jit import kernel
from trine.engine.search.kernel.overlooking import keep_noticed, swap
from trine.engine.search.kernel.worker import GAME, WORKER, GameFunctions, Numbers, Worker

TT_MOVE: Final = 1 << 28
"""The score of the transposition table's move."""
KILLER: Final = 1 << 12
"""The score of a killer move; above all scores of games. Guess."""
HISTORY_LIMIT: Final = 1 << 14
HISTORY_SHARE: Final = 32
"""The divisor of history scores: they stay within ±512, half the range of a game's own. Guess."""


@kernel(types.int64(GAME, WORKER, types.int64, types.int64, types.int64, types.int64))
def score_moves(
    game: GameFunctions, worker: Worker, ply: int, total: int, mover: int, tt_move: int
) -> int:
    """Score the actions of a ply for `pick_best`; return the number of actions to search.

    These are all, unless the player overlooks some. ``tt_move`` is the table's move.
    """
    actions, scores = worker.actions[ply], worker.scores[ply]
    game.score_moves(worker.rows[ply], actions, total, scores)
    if worker.state[0].overlook_rate:
        total = keep_noticed(worker, ply, total, game.key(worker.rows[ply]))
    first, second = worker.killers[ply, 0], worker.killers[ply, 1]
    for index in range(total):
        action = actions[index]
        if action == tt_move:
            scores[index] = TT_MOVE
        elif action == first:
            scores[index] += KILLER + 1
        elif action == second:
            scores[index] += KILLER
        else:
            scores[index] += worker.history[mover, action] // HISTORY_SHARE
    return total


@kernel("void(int32[::1], int32[::1], int64, int64)", forceinline=True)
def pick_best(actions: Numbers, scores: Numbers, index: int, total: int) -> None:
    """Swap the best action from an index on to that index."""
    best = index
    for other in range(index + 1, total):
        if scores[other] > scores[best]:
            best = other
    if best != index:
        swap(actions, scores, index, best)


@kernel("void(int32[:, ::1], int64, int64, int64)", forceinline=True)
def add_bonus(history: Numbers, mover: int, action: int, bonus: int) -> None:
    """Add a bonus or penalty to an action's history; the change shrinks near the limit."""
    old = np.int64(history[mover, action])
    history[mover, action] = old + bonus - old * abs(bonus) // HISTORY_LIMIT


@kernel(types.void(WORKER, types.int64, types.int64, types.int64, types.int64))
def reward_cutoff(worker: Worker, ply: int, mover: int, index: int, depth: int) -> None:
    """Reward the action that caused a cutoff, at an index, and penalize those tried before it."""
    actions, killers = worker.actions[ply], worker.killers[ply]
    action = actions[index]
    if killers[0] != action:
        killers[1] = killers[0]
        killers[0] = action
    bonus = min(depth * depth * 16, HISTORY_LIMIT // 4)
    add_bonus(worker.history, mover, action, bonus)
    for before in range(index):
        add_bonus(worker.history, mover, actions[before], -bonus)
