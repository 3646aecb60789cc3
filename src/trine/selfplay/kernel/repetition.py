"""The referee's judgement of repetition, in games that compiled code plays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from trine.core.compiled.jit import kernel
from trine.core.contract.score import DRAW, DRAWS, FORBIDDEN, LOSES, NO_MATTER, ONGOING
from trine.search.kernel.worker import GAME, GameFunctions, Words
from trine.selfplay.kernel.state import ONE_PROGRESS, ROWS, STANDS, STATE, GameState


@kernel("boolean(uint64[::1])")
def never_again(row: Words) -> bool:
    """`RepetitionKernel.can_stand_again` of a game in which nothing repeats."""
    return False


@kernel("int64(uint64[:, ::1], uint64)")
def slot_of(past: Words, key: np.uint64) -> int:
    """Return the place of a key in the hash table of positions, or the one that it can take."""
    last = np.uint64(len(past) - 1)
    slot = key & last
    while past[slot, 1] and past[slot, 0] != key:
        slot = (slot + np.uint64(1)) & last
    return np.int64(slot)


@kernel(types.boolean(GAME, STANDS, STATE, ROWS, types.int64))
def can_complete(game: GameFunctions, stands: Any, state: GameState, past: Words, ply: int) -> bool:
    """Return whether a turn can be ended without making a position for the third time."""
    total = game.generate(state.rows[ply], state.buffers[ply])
    for index in range(total):
        game.play(state.rows, ply, np.int64(state.buffers[ply, index]))
        after = state.rows[ply + 1]
        if stands(after):
            if past[slot_of(past, game.key(after)), 1] < 2:
                return True
        elif can_complete(game, stands, state, past, ply + 1):
            return True
    return False


@kernel(types.int64(GAME, STANDS, STATE, ROWS))
def list_legal(game: GameFunctions, stands: Any, state: GameState, past: Words) -> int:
    """List the legal actions in the first buffer of a state, the past included in the judgement."""
    actions, now = state.buffers[0], state.progress[0]
    total = game.generate(state.rows[0], actions)
    if now.repetition != FORBIDDEN or not now.stood_twice:
        return total
    kept = 0
    for index in range(total):
        action = actions[index]
        game.play(state.rows, 0, np.int64(action))
        if stands(state.rows[1]):
            keep = past[slot_of(past, game.key(state.rows[1])), 1] < 2
        else:
            keep = can_complete(game, stands, state, past, 1)
        if keep:
            actions[kept] = action
            kept += 1
    return kept


@kernel(types.int64(GAME, STANDS, STATE, ROWS))
def judge(game: GameFunctions, stands: Any, state: GameState, past: Words) -> int:
    """Return the result after an action, and count the position if it is one that counts."""
    row, now = state.rows[0], state.progress[0]
    result = game.result(row)
    if now.repetition == NO_MATTER or not stands(row):
        return result
    key = game.key(row)
    slot = slot_of(past, key)
    past[slot, 0] = key
    past[slot, 1] += np.uint64(1)
    times = np.int64(past[slot, 1])
    if times > 1:
        now.stood_twice = 1
    if result != ONGOING:
        return result
    if now.repetition == DRAWS and times >= 3:
        return DRAW
    if now.repetition == LOSES and times >= 3:
        return game.mover(row)
    forbidden = now.repetition == FORBIDDEN and now.stood_twice
    if forbidden and not can_complete(game, stands, state, past, 0):
        return 1 - game.mover(row)
    return ONGOING


@kernel(types.boolean(ROWS, ONE_PROGRESS))
def is_crowded(past: Words, now: Any) -> bool:
    """Return whether the hash table of positions needs more room."""
    return now.repetition != NO_MATTER and 2 * now.turns >= len(past)
