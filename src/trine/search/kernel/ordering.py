"""In which order actions are searched: what refuted before first, then what looks promising."""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import types

from trine.core.jit import kernel
from trine.search.kernel.worker import (
    END,
    GAME,
    HANDICAP,
    SEED,
    WORKER,
    GameFunctions,
    Numbers,
    Worker,
)

TT_MOVE: Final = 1 << 28
"""The action that the table knows."""
KILLER: Final = 1 << 12
"""An action that refuted a sibling; above all preferences of rooms. Guess."""
HISTORY_LIMIT: Final = 1 << 14
HISTORY_SHARE: Final = 32
"""History counts up to ±512, half of what a room's preference can. Guess."""

ALL: Final = 1024
"""So many units of blindness there are: who has them all sees nothing."""

BAD: Final = -500
"""Units: those of `score_moves`; what looks no better is no choice for anybody. Guess."""

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_UPPER_BITS: Final = np.uint64(54)


@kernel(types.int64(GAME, WORKER, types.int64, types.int64, types.int64, types.int64))
def score_moves(
    game: GameFunctions, worker: Worker, ply: int, total: int, mover: int, tt_move: int
) -> int:
    """Say how promising the actions of a ply look; ``tt_move`` is that of the table.

    Returns: for who overlooks things, the action that looks best at first sight, without what the
        search has learned; else -1.
    """
    actions, scores = worker.actions[ply], worker.scores[ply]
    game.score_moves(worker.rows[ply], actions, total, scores)
    first, second = worker.killers[ply, 0], worker.killers[ply, 1]
    plainest = np.int64(-1)
    if worker.state[HANDICAP]:
        plain = 0
        for index in range(1, total):
            if scores[index] > scores[plain]:
                plain = index
        plainest = np.int64(actions[plain])
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
    return plainest


@kernel("void(int32[::1], int32[::1], int64, int64)", forceinline=True)
def swap(actions: Numbers, scores: Numbers, one: int, other: int) -> None:
    """Let two actions change their places."""
    actions[one], actions[other] = actions[other], actions[one]
    scores[one], scores[other] = scores[other], scores[one]


@kernel("void(int32[::1], int32[::1], int64, int64)", forceinline=True)
def pick_best(actions: Numbers, scores: Numbers, index: int, total: int) -> None:
    """Bring the best of the actions from an index on to that index."""
    best = index
    for other in range(index + 1, total):
        if scores[other] > scores[best]:
            best = other
    if best != index:
        swap(actions, scores, index, best)


@kernel("boolean(uint64, int64, int64, int64)", forceinline=True)
def overlooked(key: np.uint64, action: int, handicap: int, seed: int) -> bool:
    """Whether a short-sighted player does not see an action in a position; always the same way."""
    word = (key ^ np.uint64(seed)) * _GOLDEN
    word = (word ^ (word >> np.uint64(29)) ^ np.uint64(action)) * _GOLDEN
    word = (word ^ (word >> np.uint64(31))) * _GOLDEN
    return np.int64(word >> _UPPER_BITS) < handicap


@kernel(types.int64(WORKER, types.int64, types.int64, types.uint64, types.int64))
def see(worker: Worker, ply: int, total: int, key: np.uint64, plainest: int) -> int:
    """Bring the actions that a short-sighted player sees to the front.

    Nobody overlooks that the turn can be ended; and the one that looks best at first sight only who
    would overlook it three times over. It is always seen where all else that is seen looks bad.

    Returns: how many are seen.
    """
    actions, scores = worker.actions[ply], worker.scores[ply]
    handicap, seed, end = worker.state[HANDICAP], worker.state[SEED], worker.state[END]
    seldom = handicap * handicap * handicap // (ALL * ALL)
    seen, fine = 0, False
    for index in range(total):
        action = int(actions[index])
        share = seldom if action == plainest else handicap
        if action == end or not overlooked(key, action, share, seed):
            fine |= action == plainest or scores[index] > BAD
            swap(actions, scores, index, seen)
            seen += 1
    if fine:
        return seen
    for index in range(seen, total):
        if actions[index] == plainest:
            swap(actions, scores, index, seen)
    return seen + 1


@kernel("void(int32[:, ::1], int64, int64, int64)", forceinline=True)
def add_bonus(history: Numbers, mover: int, action: int, bonus: int) -> None:
    """Let an action count more, or less, the less the more it counts already."""
    old = np.int64(history[mover, action])
    history[mover, action] = old + bonus - old * abs(bonus) // HISTORY_LIMIT


@kernel(types.void(WORKER, types.int64, types.int64, types.int64, types.int64))
def reward_cutoff(worker: Worker, ply: int, mover: int, index: int, depth: int) -> None:
    """Remember that the action at an index refuted the position, and those before it did not."""
    actions, killers = worker.actions[ply], worker.killers[ply]
    action = actions[index]
    if killers[0] != action:
        killers[1] = killers[0]
        killers[0] = action
    bonus = min(depth * depth * 16, HISTORY_LIMIT // 4)
    add_bonus(worker.history, mover, action, bonus)
    for before in range(index):
        add_bonus(worker.history, mover, actions[before], -bonus)
