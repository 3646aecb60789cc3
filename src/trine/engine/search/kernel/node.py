"""The work of a search at each node: counting it, scoring finished plays, detecting repetition."""

from typing import Final

import numpy as np

from trine.core.compiled.jit import kernel
from trine.core.compiled.repetition import MAX_OCCURRENCES, count
from trine.core.contract.score import DRAW, DRAWS, LOSES, ONGOING, UNRESTRICTED, WIN
from trine.engine.search.kernel.worker import SALT, GameFunctions, Worker

INFINITE: Final = WIN + 1

NO_LIMIT: Final = 1 << 62  # a node limit that no search reaches

DRAWN: Final = 0  # the score of a draw

STOP_CHECK_MASK: Final = 1023
"""The stop flag is checked when these bits of the node count are 0: every 1024 nodes, a millisecond
or two."""


@kernel()
def must_stop(worker: Worker) -> bool:
    """Count a node, unless the limit is reached; return whether to abort the search."""
    state = worker.state[0]
    if state.nodes >= state.node_limit:
        worker.stop[0] = 1
        return True
    state.nodes += 1
    return state.nodes & STOP_CHECK_MASK == 0 and worker.stop[0] != 0


@kernel(forceinline=True)
def score_of_result(result: int, mover: int, ply: int) -> int:
    """Return the score of a finished play for the player to move."""
    if result == DRAW:
        return DRAWN
    return WIN - ply if result == mover else ply - WIN


@kernel(forceinline=True)
def score_of_win(actions: int, ply: int) -> int:
    """Return the score of a win detected ``actions`` from here; negative for a loss."""
    return WIN - ply - actions if actions > 0 else ply - actions - WIN


@kernel()
def update_pv(worker: Worker, ply: int, action: int) -> None:
    """Set the principal variation of a ply: an action, then the variation of the next ply."""
    here, after = worker.pv[ply], worker.pv[ply + 1]
    length = after[0]
    here[0] = length + 1
    here[1] = action
    for place in range(length):
        here[2 + place] = after[1 + place]


@kernel()
def repetition_result(worker: Worker, key: np.uint64, ply: int) -> int:
    """Return the result of a position at the start of a turn by repetition: `DRAWS`, `LOSES`, or 0.

    Limits: within a line the second occurrence is already a draw, since it can be repeated again;
    scores from the table and quiescence search ignore the path.
    """
    rule = worker.state[0].repetition_rule
    if rule == UNRESTRICTED:
        return 0
    times = count(worker.keys, worker.repetition_state[0] + ply - 1, key)
    if rule == DRAWS:
        return DRAWS if times >= MAX_OCCURRENCES or (times and ply > 2) else 0
    return LOSES if times >= MAX_OCCURRENCES else 0


@kernel()
def is_threatened(game: GameFunctions, worker: Worker, ply: int) -> bool:
    """Return whether the opponent would have a detected win after the turn; uses the next row."""
    if not game.null_move(worker.rows, ply):
        return False
    after = worker.rows[ply + 1]
    return game.result(after) == ONGOING and game.detect_win(after) > 0


# --- excluded turns, for several principal variations (multi-PV) ---------------------------------


@kernel()
def is_first_turn(worker: Worker, ply: int) -> bool:
    """Return whether no turn ends before a ply."""
    past, first = worker.repetition_state[0], True
    for before in range(ply - 1):
        first &= worker.keys[past + before] == 0
    return first


@kernel()
def is_excluded(worker: Worker, key: np.uint64) -> bool:
    """Return whether the first turn must not end in a position."""
    found = False
    for excluded in worker.excluded:
        found |= excluded == key
    return found


@kernel()
def salt_of(worker: Worker) -> np.uint64:
    """Return a hash of the excluded turns, so that the first turn's table entries are separate."""
    salt = np.uint64(0)
    for excluded in worker.excluded:
        salt ^= excluded * SALT
    return salt
