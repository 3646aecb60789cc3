"""The error model of the levels: which actions a weak player overlooks.

The search knows nothing of it: `ordering` only gets the number of actions to consider.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import types

from trine.core.compiled.bits import NONE
from trine.core.compiled.jit import kernel
from trine.core.contract.score import PROVEN_SCORE, WIN
from trine.engine.search.kernel.worker import SALT, STATES, WORKER, Numbers, Worker

FULL_RATE: Final = 1024
"""The overlook rate of a player who overlooks everything; rates are fractions of it."""
BAD_ORDER: Final = -500
"""Units: those of the game's `score_moves`; actions with this score or less look bad. Guess."""

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_UPPER_BITS: Final = np.uint64(54)


@kernel(types.void(STATES, types.int64, types.int64))
def set_overlook_rate(states: Any, overlook_rate: int, seed: int) -> None:
    """Set the share of actions that searches with a worker's state overlook; 0 for none.

    Scores of searches that overlook actions prove nothing, and their table entries have their own
    keys.
    """
    state = states[0]
    state.overlook_rate, state.overlook_seed = overlook_rate, seed
    state.salt = np.uint64(seed + 1) * SALT if overlook_rate else NONE
    state.proven = WIN if overlook_rate else PROVEN_SCORE


@kernel("void(int32[::1], int32[::1], int64, int64)", forceinline=True)
def swap(actions: Numbers, scores: Numbers, one: int, other: int) -> None:
    actions[one], actions[other] = actions[other], actions[one]
    scores[one], scores[other] = scores[other], scores[one]


@kernel("boolean(uint64, int64, int64, int64)", forceinline=True)
def is_overlooked(key: np.uint64, action: int, share: int, seed: int) -> bool:
    """Return whether an action is overlooked in a position: a hash of the arguments, not random."""
    word = (key ^ np.uint64(seed)) * _GOLDEN
    word = (word ^ (word >> np.uint64(29)) ^ np.uint64(action)) * _GOLDEN
    word = (word ^ (word >> np.uint64(31))) * _GOLDEN
    return np.int64(word >> _UPPER_BITS) < share


@kernel(types.int64(WORKER, types.int64, types.int64, types.uint64))
def keep_noticed(worker: Worker, ply: int, total: int, key: np.uint64) -> int:
    """Move the noticed actions of a ply to the front; return their number.

    The scores are still the game's own. The end of a turn is always noticed. The action with the
    best score is overlooked at the cube of the rate, and never if all other noticed actions look
    bad.
    """
    actions, scores, state = worker.actions[ply], worker.scores[ply], worker.state[0]
    best = 0
    for index in range(1, total):
        if scores[index] > scores[best]:
            best = index
    plainest = actions[best]
    seldom = (
        state.overlook_rate * state.overlook_rate * state.overlook_rate // (FULL_RATE * FULL_RATE)
    )
    noticed, fine = 0, False
    for index in range(total):
        action = np.int64(actions[index])
        share = seldom if action == plainest else state.overlook_rate
        if action == state.end_action or not is_overlooked(key, action, share, state.overlook_seed):
            fine |= action == plainest or scores[index] > BAD_ORDER
            swap(actions, scores, index, noticed)
            noticed += 1
    if fine:
        return noticed
    for index in range(noticed, total):
        if actions[index] == plainest:
            swap(actions, scores, index, noticed)
    return noticed + 1
