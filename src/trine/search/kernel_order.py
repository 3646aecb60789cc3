"""In which order actions are searched: what refuted before first, then what looks promising."""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import types

from trine.core.jit import kernel
from trine.search.kernel_doors import DESK, DOORS, Desk, Doors, Numbers

FIRST: Final = 1 << 28
"""The action that the table knows."""
KILLER: Final = 1 << 12
"""An action that refuted a sibling; above all preferences of rooms. Guess."""
HISTORY_LIMIT: Final = 1 << 14
HISTORY_SHARE: Final = 32
"""History counts up to ±512, half of what a room's preference can. Guess."""

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_UPPER_BITS: Final = np.uint64(54)


@kernel("boolean(uint64, int64, int64, int64)", forceinline=True)
def overlooked(key: np.uint64, action: int, blind: int, seed: int) -> bool:
    """Whether a short-sighted player does not see an action in a position; always the same way."""
    if blind == 0:
        return False
    word = (key ^ np.uint64(seed)) * _GOLDEN
    word = (word ^ (word >> np.uint64(29)) ^ np.uint64(action)) * _GOLDEN
    word = (word ^ (word >> np.uint64(31))) * _GOLDEN
    return np.int64(word >> _UPPER_BITS) < blind


@kernel(types.void(DOORS, DESK, types.int64, types.int64, types.int64, types.int64))
def rate(doors: Doors, desk: Desk, ply: int, total: int, mover: int, known: int) -> None:
    """Say how promising the actions of a ply look; ``known`` is that of the table."""
    actions, scores = desk.actions[ply], desk.scores[ply]
    doors.prefer(desk.rows[ply], actions, total, scores)
    first, second = desk.killers[ply, 0], desk.killers[ply, 1]
    for index in range(total):
        action = actions[index]
        if action == known:
            scores[index] = FIRST
        elif action == first:
            scores[index] += KILLER + 1
        elif action == second:
            scores[index] += KILLER
        else:
            scores[index] += desk.history[mover, action] // HISTORY_SHARE


@kernel("void(int32[::1], int32[::1], int64, int64)", forceinline=True)
def bring_best(actions: Numbers, scores: Numbers, index: int, total: int) -> None:
    """Bring the best of the actions from an index on to that index."""
    best = index
    for other in range(index + 1, total):
        if scores[other] > scores[best]:
            best = other
    if best != index:
        actions[index], actions[best] = actions[best], actions[index]
        scores[index], scores[best] = scores[best], scores[index]


@kernel("void(int32[:, ::1], int64, int64, int64)", forceinline=True)
def learn(history: Numbers, mover: int, action: int, bonus: int) -> None:
    """Let an action count more, or less, the less the more it counts already."""
    old = np.int64(history[mover, action])
    history[mover, action] = old + bonus - old * abs(bonus) // HISTORY_LIMIT


@kernel(types.void(DESK, types.int64, types.int64, types.int64, types.int64))
def learn_refutation(desk: Desk, ply: int, mover: int, index: int, depth: int) -> None:
    """Remember that the action at an index refuted the position, and those before it did not."""
    actions, killers = desk.actions[ply], desk.killers[ply]
    action = actions[index]
    if killers[0] != action:
        killers[1] = killers[0]
        killers[0] = action
    bonus = min(depth * depth * 16, HISTORY_LIMIT // 4)
    learn(desk.history, mover, action, bonus)
    for before in range(index):
        learn(desk.history, mover, actions[before], -bonus)
