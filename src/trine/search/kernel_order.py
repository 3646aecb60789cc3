"""In which order actions are searched: what refuted before first, then what looks promising."""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import types

from trine.core.jit import kernel
from trine.search.kernel_doors import BLIND, DESK, DOORS, END, SEED, Desk, Doors, Numbers

FIRST: Final = 1 << 28
"""The action that the table knows."""
KILLER: Final = 1 << 12
"""An action that refuted a sibling; above all preferences of rooms. Guess."""
HISTORY_LIMIT: Final = 1 << 14
HISTORY_SHARE: Final = 32
"""History counts up to ±512, half of what a room's preference can. Guess."""

ALL: Final = 1024
"""So many units of blindness there are: who has them all sees nothing."""

BAD: Final = -500
"""Units: those of `prefer`; what looks no better is no choice for anybody. Guess."""

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_UPPER_BITS: Final = np.uint64(54)


@kernel(types.int64(DOORS, DESK, types.int64, types.int64, types.int64, types.int64))
def rate(doors: Doors, desk: Desk, ply: int, total: int, mover: int, known: int) -> int:
    """Say how promising the actions of a ply look; ``known`` is that of the table.

    Returns: for who overlooks things, the action that looks best at first sight, without what the
        search has learned; else -1.
    """
    actions, scores = desk.actions[ply], desk.scores[ply]
    doors.prefer(desk.rows[ply], actions, total, scores)
    first, second = desk.killers[ply, 0], desk.killers[ply, 1]
    plainest = np.int64(-1)
    if desk.state[BLIND]:
        plain = 0
        for index in range(1, total):
            if scores[index] > scores[plain]:
                plain = index
        plainest = np.int64(actions[plain])
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
    return plainest


@kernel("void(int32[::1], int32[::1], int64, int64)", forceinline=True)
def swap(actions: Numbers, scores: Numbers, one: int, other: int) -> None:
    """Let two actions change their places."""
    actions[one], actions[other] = actions[other], actions[one]
    scores[one], scores[other] = scores[other], scores[one]


@kernel("void(int32[::1], int32[::1], int64, int64)", forceinline=True)
def bring_best(actions: Numbers, scores: Numbers, index: int, total: int) -> None:
    """Bring the best of the actions from an index on to that index."""
    best = index
    for other in range(index + 1, total):
        if scores[other] > scores[best]:
            best = other
    if best != index:
        swap(actions, scores, index, best)


@kernel("boolean(uint64, int64, int64, int64)", forceinline=True)
def overlooked(key: np.uint64, action: int, blind: int, seed: int) -> bool:
    """Whether a short-sighted player does not see an action in a position; always the same way."""
    word = (key ^ np.uint64(seed)) * _GOLDEN
    word = (word ^ (word >> np.uint64(29)) ^ np.uint64(action)) * _GOLDEN
    word = (word ^ (word >> np.uint64(31))) * _GOLDEN
    return np.int64(word >> _UPPER_BITS) < blind


@kernel(types.int64(DESK, types.int64, types.int64, types.uint64, types.int64))
def see(desk: Desk, ply: int, total: int, key: np.uint64, plainest: int) -> int:
    """Bring the actions that a short-sighted player sees to the front.

    Nobody overlooks that the turn can be ended; and the one that looks best at first sight only who
    would overlook it three times over. It is always seen where all else that is seen looks bad.

    Returns: how many are seen.
    """
    actions, scores = desk.actions[ply], desk.scores[ply]
    blind, seed, end = desk.state[BLIND], desk.state[SEED], desk.state[END]
    seldom = blind * blind * blind // (ALL * ALL)
    seen, fine = 0, False
    for index in range(total):
        action = int(actions[index])
        share = seldom if action == plainest else blind
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
