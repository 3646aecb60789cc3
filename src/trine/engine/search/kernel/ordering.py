"""Move ordering: the TT move, killers, then the game's scores plus history.

Weak levels overlook actions: these are dropped here, so the search itself knows of no levels.
"""

from typing import Final

import numpy as np

from trine.core.compiled.arrays import NumberRows, Numbers
from trine.core.compiled.bits import NONE
from trine.core.compiled.jit import kernel
from trine.core.contract.score import PROVEN_SCORE, WIN
from trine.engine.search.kernel.worker import SALT, GameFunctions, States, Worker

TT_MOVE: Final = 1 << 28  # the score of the move in the transposition table
KILLER: Final = 1 << 12  # the score of a killer move; above all scores of games. Guess
HISTORY_LIMIT: Final = 1 << 14
HISTORY_SHARE: Final = 32
"""The divisor of history scores: they stay within ±512, half the range of a game's own. Guess."""

FULL_RATE: Final = 1024
"""The overlook rate of a player who overlooks everything; rates are fractions of it."""
BAD_ORDER: Final = -500
"""Units: those of the game's `score_moves`; actions with this score or less look bad. Guess."""

_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_UPPER_BITS: Final = np.uint64(54)


# --- the error model of the levels: actions that a weak player overlooks --------------------------


@kernel()
def set_overlook_rate(states: States, overlook_rate: int, seed: int) -> None:
    """Set the share of actions that searches with a worker's state overlook; 0 for none.

    Scores of searches that overlook actions prove nothing, and their table entries have their own
    keys.
    """
    state = states[0]
    state.overlook_rate, state.overlook_seed = overlook_rate, seed
    state.salt = np.uint64(seed + 1) * SALT if overlook_rate else NONE
    state.proven = WIN if overlook_rate else PROVEN_SCORE


@kernel(forceinline=True)
def swap(actions: Numbers, scores: Numbers, one: int, other: int) -> None:
    actions[one], actions[other] = actions[other], actions[one]
    scores[one], scores[other] = scores[other], scores[one]


@kernel(forceinline=True)
def is_overlooked(key: np.uint64, action: int, share: int, seed: int) -> bool:
    """Return whether an action is overlooked in a position: a hash of the arguments, not random."""
    word = (key ^ np.uint64(seed)) * _GOLDEN
    word = (word ^ (word >> np.uint64(29)) ^ np.uint64(action)) * _GOLDEN
    word = (word ^ (word >> np.uint64(31))) * _GOLDEN
    return np.int64(word >> _UPPER_BITS) < share


@kernel()
def keep_noticed(worker: Worker, ply: int, total: int, key: np.uint64) -> int:
    """Move the noticed actions of a ply to the front; return their number.

    The scores must be the game's own, before the search adjusts them. The end of a turn is always
    noticed. The action with the best score is overlooked at the cube of the rate, and never if all
    other noticed actions look bad.
    """
    actions, scores, state = worker.actions[ply], worker.scores[ply], worker.state[0]
    best = 0
    for index in range(1, total):
        if scores[index] > scores[best]:
            best = index
    best_action = actions[best]
    best_share = (
        state.overlook_rate * state.overlook_rate * state.overlook_rate // (FULL_RATE * FULL_RATE)
    )
    noticed, any_good = 0, False
    for index in range(total):
        action = np.int64(actions[index])
        share = best_share if action == best_action else state.overlook_rate
        if action == state.end_action or not is_overlooked(key, action, share, state.overlook_seed):
            any_good |= action == best_action or scores[index] > BAD_ORDER
            swap(actions, scores, index, noticed)
            noticed += 1
    if any_good:
        return noticed
    for index in range(noticed, total):
        if actions[index] == best_action:
            swap(actions, scores, index, noticed)
    return noticed + 1


# --- ordering -------------------------------------------------------------------------------------


@kernel()
def score_moves(
    game: GameFunctions, worker: Worker, ply: int, total: int, mover: int, tt_move: int
) -> int:
    """Score the actions of a ply for `pick_best`; return the number of actions to search.

    All are searched, unless the player overlooks some.
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


@kernel(forceinline=True)
def pick_best(actions: Numbers, scores: Numbers, index: int, total: int) -> None:
    """Swap the best action from an index on to that index."""
    best = index
    for other in range(index + 1, total):
        if scores[other] > scores[best]:
            best = other
    if best != index:
        swap(actions, scores, index, best)


@kernel(forceinline=True)
def add_bonus(history: NumberRows, mover: int, action: int, bonus: int) -> None:
    """Add a bonus or penalty to an action's history; the change shrinks near the limit."""
    old = np.int64(history[mover, action])
    history[mover, action] = old + bonus - old * abs(bonus) // HISTORY_LIMIT


@kernel()
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
