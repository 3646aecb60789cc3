"""The work of a search at each node: counting it, scoring ends of plays, finding repetitions."""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import types

from trine.core.compiled.jit import kernel
from trine.core.compiled.repetition import MAX_OCCURRENCES, count
from trine.core.contract.score import DRAW, DRAWS, LOSES, ONGOING, UNRESTRICTED, WIN
from trine.engine.search.kernel.worker import GAME, SALT, WORKER, GameFunctions, Worker

INFINITE: Final = WIN + 1

NO_LIMIT: Final = 1 << 62
"""A number of nodes that no search reaches."""

DRAWN: Final = 0
"""The score of a draw."""

STOP_CHECK_MASK: Final = 1023
"""The stop is checked every 1024 nodes, one more than this: every millisecond or two."""


@kernel(types.boolean(WORKER))
def must_stop(worker: Worker) -> bool:
    """Count a node, unless there have been as many as there may be; return whether to abort."""
    state = worker.state[0]
    if state.nodes >= state.node_limit:
        worker.stop[0] = 1
        return True
    state.nodes += 1
    return state.nodes & STOP_CHECK_MASK == 0 and worker.stop[0] != 0


@kernel(types.int64(types.int64, types.int64, types.int64), forceinline=True)
def score_of_result(result: int, mover: int, ply: int) -> int:
    """Return the score of a play that is over, for the player to move."""
    if result == DRAW:
        return DRAWN
    return WIN - ply if result == mover else ply - WIN


@kernel(types.int64(types.int64, types.int64), forceinline=True)
def score_of_win(actions: int, ply: int) -> int:
    """Return the score of a detected win, ``actions`` from here; negative for a loss."""
    return WIN - ply - actions if actions > 0 else ply - actions - WIN


@kernel(types.void(WORKER, types.int64, types.int64))
def update_pv(worker: Worker, ply: int, action: int) -> None:
    """Set the principal variation of a ply: an action, and the variation after it."""
    here, after = worker.pv[ply], worker.pv[ply + 1]
    length = after[0]
    here[0] = length + 1
    here[1] = action
    for place in range(length):
        here[2 + place] = after[1 + place]


@kernel(types.int64(WORKER, types.uint64, types.int64))
def repetition_result(worker: Worker, key: np.uint64, ply: int) -> int:
    """Return what a position in which a turn begins comes to by repetition: `DRAWS`, `LOSES`, or 0.

    Limits: in a line a draw is seen one standing early, since whoever could repeat once can do it
        again; nothing is known of the path in what the table and quiescence search tell.
    """
    rule = worker.state[0].repetition_rule
    if rule == UNRESTRICTED:
        return 0
    times = count(worker.keys, worker.repetition_state[0] + ply - 1, key)
    if rule == DRAWS:
        return DRAWS if times >= MAX_OCCURRENCES or (times and ply > 2) else 0
    return LOSES if times >= MAX_OCCURRENCES else 0


@kernel(types.boolean(GAME, WORKER, types.int64))
def is_threatened(game: GameFunctions, worker: Worker, ply: int) -> bool:
    """Return whether the other player would surely win if the turn were over; uses the next row."""
    if not game.null_move(worker.rows, ply):
        return False
    after = worker.rows[ply + 1]
    return game.result(after) == ONGOING and game.detect_win(after) > 0


# --- excluded turns, for several principal variations (multi-PV) ---------------------------------


@kernel(types.boolean(WORKER, types.int64))
def is_first_turn(worker: Worker, ply: int) -> bool:
    """Return whether no turn has ended before a ply."""
    past, first = worker.repetition_state[0], True
    for before in range(ply - 1):
        first &= worker.keys[past + before] == 0
    return first


@kernel(types.boolean(WORKER, types.uint64))
def is_excluded(worker: Worker, key: np.uint64) -> bool:
    """Return whether the first turn must not end in a position."""
    found = False
    for excluded in worker.excluded:
        found |= excluded == key
    return found


@kernel(types.uint64(WORKER))
def salt_of(worker: Worker) -> np.uint64:
    """Return a key that tells positions of the first turn apart by the excluded turns."""
    salt = np.uint64(0)
    for excluded in worker.excluded:
        salt ^= excluded * SALT
    return salt
