"""The alpha-beta search, compiled: principal variation search over actions, blind to the game.

One ply is one action. Who is to move comes from the position, so nothing is negated while the same
player goes on within a turn. Positions after the end of a turn are checked for repetition.

Sources: A. Reinefeld, "An improvement of the Scout tree search algorithm" (1983), for the windows;
the Chess Programming Wiki for late-move reductions, null moves and futility.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numba import types

from trine.core.jit import kernel
from trine.core.score import SURE, WIN
from trine.search.kernel.ordering import pick_best, reward_cutoff, score_moves, see
from trine.search.kernel.table import (
    EXACT,
    LOWER,
    NO_ACTION,
    NO_EVALUATION,
    UPPER,
    action_of,
    bound_of,
    depth_of,
    evaluation_of,
    probe,
    score_of,
    store,
)
from trine.search.kernel.worker import (
    AGE,
    FUTILITY_MARGIN,
    GAME,
    HANDICAP,
    MOST_PLIES,
    NODE_LIMIT,
    NODES,
    PLAIN_GAME,
    REPETITION_RULE,
    ROOT_ACTIONS,
    SEED,
    WORKER,
    GameFunctions,
    Worker,
    named,
)

INFINITE: Final = WIN + 1
ONGOING: Final = -1
DRAW: Final = -2
DRAWN: Final = 0
DRAWS: Final = 1
LOSES: Final = 2

IN_TURN: Final = 0
"""The turn goes on."""
NEW_TURN: Final = 1
"""A turn begins."""
NULL_MOVE: Final = 2
"""A turn begins since the other player was let do nothing."""

CHECK_EVERY: Final = 1023
"""The stop is looked at once in so many nodes and one: every millisecond or two."""
QUIESCENCE_PLIES: Final = 8
"""Tactical actions are followed so far below the depth of a search. Guess."""
FUTILITY_DEPTH: Final = 6
"""Quiet actions are left out up to this depth."""
NULL_MOVE_DEPTH: Final = 3
"""From this depth on a player may be let do nothing, to see how good the position is."""
REDUCTION_DEPTH: Final = 3
INTERNAL_REDUCTION_DEPTH: Final = 5
"""From this depth on it is searched one less deep where no good action is known beforehand."""

REDUCTION: Final = np.array(
    [
        [
            round(0.3 + math.log(max(1, depth)) * math.log(max(1, index)) / 2.4)
            for index in range(128)
        ]
        for depth in range(64)
    ],
    np.int64,
)
"""Shapes: depth, number of the action. How many plies less a late action gets first. Guess."""

_SALT: Final = np.uint64(0xD6E8FEB86659FD93)


@kernel(types.void(WORKER, types.int64, types.int64))
def update_pv(worker: Worker, ply: int, action: int) -> None:
    """Write the best line of a ply: an action, and the best line after it."""
    here, after = worker.pv[ply], worker.pv[ply + 1]
    length = after[0]
    here[0] = length + 1
    here[1] = action
    for place in range(length):
        here[2 + place] = after[1 + place]


@kernel(types.int64(WORKER, types.uint64, types.int64))
def count_repetitions(worker: Worker, key: np.uint64, ply: int) -> int:
    """How often a position has stood in the play, and on the way to a ply."""
    last = np.uint64(len(worker.past) - 1)
    slot = key & last
    times = 0
    while worker.past[slot, 1]:
        if worker.past[slot, 0] == key:
            times += int(worker.past[slot, 1])
            break
        slot = (slot + np.uint64(1)) & last
    for before in range(1, ply):
        times += worker.keys[before] == key
    return times


@kernel(types.boolean(WORKER, types.int64))
def is_first_turn(worker: Worker, ply: int) -> bool:
    """Whether no turn has ended before a ply."""
    first = True
    for before in range(1, ply):
        first &= worker.keys[before] == 0
    return first


@kernel(types.boolean(WORKER, types.uint64))
def is_excluded(worker: Worker, key: np.uint64) -> bool:
    """Whether the first turn must not end in a position."""
    found = False
    for excluded in worker.excluded:
        found |= excluded == key
    return found


@kernel(types.uint64(WORKER))
def salt_of(worker: Worker) -> np.uint64:
    """What tells positions of the first turn from the same where others are barred."""
    salt = np.uint64(0)
    for excluded in worker.excluded:
        salt ^= excluded * _SALT
    return salt


@kernel(types.boolean(WORKER))
def must_stop(worker: Worker) -> bool:
    """Count a node; whether the search is to be broken off."""
    worker.state[NODES] += 1
    if worker.state[NODES] >= worker.state[NODE_LIMIT]:
        worker.stop[0] = 1
    return worker.state[NODES] & CHECK_EVERY == 0 and worker.stop[0] != 0


@kernel(types.int64(types.int64, types.int64, types.int64), forceinline=True)
def value_of(result: int, mover: int, ply: int) -> int:
    """The score of a play that is over, for the player to move."""
    if result == DRAW:
        return DRAWN
    return WIN - ply if result == mover else ply - WIN


@kernel(types.int64(GAME, WORKER, types.int64, types.int64, types.int64, types.int64))
def quiescence(
    game: GameFunctions, worker: Worker, ply: int, alpha: int, beta: int, left: int
) -> int:
    """The score of a position once its tactical actions have been followed."""
    worker.pv[ply, 0] = 0
    if must_stop(worker):
        return alpha
    row = worker.rows[ply]
    mover = game.mover(row)
    result = game.result(row)
    if result != ONGOING:
        return value_of(result, mover, ply)
    foreseen = game.detect_win(row)
    if foreseen > 0:
        return WIN - ply - foreseen
    if foreseen < 0:
        return ply - foreseen - WIN
    best = game.evaluate(row, mover, worker.weights, worker.features)
    if ply >= MOST_PLIES or left <= 0:
        return best
    actions = worker.actions[ply]
    total = game.tactical(row, actions)
    if total >= 0:
        if best >= beta or total == 0:
            return best
        alpha = max(alpha, best)
    else:
        total, best = -total, -INFINITE
    plainest = score_moves(game, worker, ply, total, mover, NO_ACTION)
    if worker.state[HANDICAP]:
        total = see(worker, ply, total, game.key(row), plainest)
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


@kernel(
    types.int64(
        GAME,
        WORKER,
        types.int64,
        types.int64,
        types.int64,
        types.int64,
        types.int64,
    )
)
def search(
    game: GameFunctions, worker: Worker, ply: int, depth: int, alpha: int, beta: int, arrival: int
) -> int:
    """The score of a position for the player to move, searched to a depth.

    Args: ``arrival`` is how the position came about: `IN_TURN`, `NEW_TURN` or `NULL_MOVE`.

    Returns: exact between ``alpha`` and ``beta``, else a bound; without meaning once stopped.
    """
    # 0. Where several lines are asked for, the first turns of those that are known are barred.
    salt = np.uint64(0)
    if len(worker.excluded) and is_first_turn(worker, ply):
        if ply > 0 and is_excluded(worker, game.key(worker.rows[ply])):
            return -INFINITE if arrival == IN_TURN else INFINITE
        salt = salt_of(worker)

    # 1. At the bottom, only tactical actions are followed.
    if depth <= 0 or ply >= MOST_PLIES:
        return quiescence(game, worker, ply, alpha, beta, QUIESCENCE_PLIES)
    worker.pv[ply, 0] = 0
    if must_stop(worker):
        return alpha

    # 2. The play may be over, or its end known.
    row = worker.rows[ply]
    mover = game.mover(row)
    key = game.key(row)
    worker.keys[ply] = key if arrival == NEW_TURN else np.uint64(0)
    if ply > 0:
        result = game.result(row)
        if result != ONGOING:
            return value_of(result, mover, ply)
        rule = worker.state[REPETITION_RULE]
        if arrival == NEW_TURN and rule:
            times = count_repetitions(worker, key, ply)
            if rule == LOSES and times >= 2:
                return WIN - ply
            if rule == DRAWS and times >= 1 and (times >= 2 or ply > 2):
                return DRAWN
        foreseen = game.detect_win(row)
        if foreseen > 0:
            return WIN - ply - foreseen
        if foreseen < 0:
            return ply - foreseen - WIN
        # 3. Nothing is better than to win at once, nor worse than to have lost.
        alpha = max(alpha, ply - WIN)
        beta = min(beta, WIN - ply - 1)
        if alpha >= beta:
            return alpha

    # 4. What the table knows; less deep is enough where no action is known to begin with, and for
    # what is proven, unless by somebody who overlooks things.
    if worker.state[HANDICAP]:
        salt ^= np.uint64(worker.state[SEED]) * _SALT
    tt_key = key ^ salt
    data = probe(worker.table, tt_key)
    tt_move, evaluation = NO_ACTION, NO_EVALUATION
    narrow = beta - alpha == 1
    if data:
        tt_move, evaluation = action_of(data), evaluation_of(data)
    if tt_move == NO_ACTION and depth >= INTERNAL_REDUCTION_DEPTH:
        depth -= 1
    if data and ply > 0 and narrow:
        score, bound = score_of(data, ply), bound_of(data)
        deep = depth_of(data) >= depth or (abs(score) > SURE and not worker.state[HANDICAP])
        if deep and (bound == EXACT or (bound == LOWER) == (score >= beta)):
            return score
    if evaluation == NO_EVALUATION:
        evaluation = game.evaluate(row, mover, worker.weights, worker.features)

    # 5. So good that quiet play will not spoil it, also if the turn is given away.
    if narrow and ply > 0 and abs(beta) < SURE:
        if depth <= FUTILITY_DEPTH and evaluation - worker.state[FUTILITY_MARGIN] * depth >= beta:
            return evaluation
        if (
            arrival != NULL_MOVE
            and depth >= NULL_MOVE_DEPTH
            and evaluation >= beta
            and game.null_move(worker.rows, ply)
        ):
            reduction = depth - 4 - depth // 6
            score = -search(game, worker, ply + 1, reduction, -beta, 1 - beta, np.int64(NULL_MOVE))
            if worker.stop[0]:
                return alpha
            if score >= beta:
                return min(score, SURE)

    # 6. The actions, the promising first.
    actions, scores = worker.actions[ply], worker.scores[ply]
    total = worker.state[ROOT_ACTIONS] if ply == 0 else game.generate(row, actions)
    if total == 0:  # no turn can be ended from here
        return ply - WIN
    plainest = score_moves(game, worker, ply, total, mover, tt_move)
    if worker.state[HANDICAP]:
        total = see(worker, ply, total, key, plainest)
    best, best_action, alpha_before = -INFINITE, NO_ACTION, alpha
    searched = 0
    for index in range(total):
        pick_best(actions, scores, index, total)
        action = int(actions[index])

        # 7. Late quiet actions near the bottom are left out.
        promise = scores[index]
        if narrow and best > -SURE and promise < 0 and depth <= FUTILITY_DEPTH:
            if evaluation + worker.state[FUTILITY_MARGIN] * (depth + 1) <= alpha:
                continue
            if searched > 4 + depth * depth * 2:
                break

        # 8. Play it; search it with a narrow window, late ones less deep, and again if it is good.
        game.play(worker.rows, ply, action)
        same = game.mover(worker.rows[ply + 1]) == mover
        onward = np.int64(IN_TURN if same else NEW_TURN)
        low, high = (alpha, beta) if same else (-beta, -alpha)
        if searched == 0:
            score = search(game, worker, ply + 1, depth - 1, low, high, onward)
        else:
            reduction = 0
            if depth >= REDUCTION_DEPTH and searched >= 3:
                reduction = REDUCTION[min(depth, 63), min(searched, 127)]
                if promise > 512:
                    reduction -= 1
                if not narrow:
                    reduction -= 1
                reduction = max(0, min(reduction, depth - 2))
            low, high = (alpha, alpha + 1) if same else (-alpha - 1, -alpha)
            score = search(game, worker, ply + 1, depth - 1 - reduction, low, high, onward)
            if reduction and (score > alpha if same else -score > alpha):
                score = search(game, worker, ply + 1, depth - 1, low, high, onward)
            if alpha < (score if same else -score) < beta:
                low, high = (alpha, beta) if same else (-beta, -alpha)
                score = search(game, worker, ply + 1, depth - 1, low, high, onward)
        if not same:
            score = -score
        if worker.stop[0]:
            return alpha
        searched += 1

        # 9. Is it the best?
        if score > best:
            best, best_action = score, action
            if score > alpha:
                alpha = score
                update_pv(worker, ply, action)
                if score >= beta:
                    reward_cutoff(worker, ply, mover, index, depth)
                    break

    # 10. Note what was found.
    bound = LOWER if best >= beta else EXACT if best > alpha_before else UPPER
    tt_action = best_action if bound != UPPER else NO_ACTION
    store(worker.table, tt_key, ply, tt_action, best, evaluation, depth, bound, worker.state[AGE])
    return best


@kernel(types.int64(PLAIN_GAME, WORKER, types.int64, types.int64, types.int64))
def search_root(game: tuple[Any, ...], worker: Worker, depth: int, alpha: int, beta: int) -> int:
    """The score of a worker's root; the principal variation is ``worker.pv[0]``.

    Returns: as `search`; `-INFINITE` if every turn is barred.
    """
    return search(named(game), worker, 0, depth, alpha, beta, IN_TURN)
