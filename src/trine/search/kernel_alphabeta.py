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
from trine.search.kernel_doors import (
    AGE,
    BLIND,
    CHOICES,
    DESK,
    DOORS,
    MARGIN,
    MOST_NODES,
    MOST_PLIES,
    NODES,
    PLAIN_DOORS,
    SEED,
    THIRD,
    Desk,
    Doors,
    named,
)
from trine.search.kernel_order import bring_best, learn_refutation, rate, see
from trine.search.kernel_table import (
    EXACT,
    LOWER,
    NO_ACTION,
    NO_EVALUATION,
    UPPER,
    action_of,
    bound_of,
    depth_of,
    evaluation_of,
    find,
    keep,
    score_of,
)

INFINITE: Final = WIN + 1
ONGOING: Final = -1
DRAW: Final = -2
DRAWN: Final = 0
THIRD_DRAWS: Final = 1
THIRD_LOSES: Final = 2

WITHIN: Final = 0
"""The turn goes on."""
BEGINS: Final = 1
"""A turn begins."""
SKIPPED: Final = 2
"""A turn begins since the other player was let do nothing."""

CHECK_EVERY: Final = 1023
"""The stop is looked at once in so many nodes and one: every millisecond or two."""
QUIET_PLIES: Final = 8
"""Tactical actions are followed so far below the depth of a search. Guess."""
MARGIN_PLIES: Final = 6
"""Quiet actions are left out up to this depth."""
SKIP_FROM: Final = 3
"""From this depth on a player may be let do nothing, to see how good the position is."""
REDUCE_FROM: Final = 3
SURE_OF_ACTION: Final = 5
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


@kernel(types.void(DESK, types.int64, types.int64))
def take_line(desk: Desk, ply: int, action: int) -> None:
    """Write the best line of a ply: an action, and the best line after it."""
    here, after = desk.lines[ply], desk.lines[ply + 1]
    length = after[0]
    here[0] = length + 1
    here[1] = action
    for place in range(length):
        here[2 + place] = after[1 + place]


@kernel(types.int64(DESK, types.uint64, types.int64))
def times_stood(desk: Desk, key: np.uint64, ply: int) -> int:
    """How often a position has stood in the play, and on the way to a ply."""
    last = np.uint64(len(desk.past) - 1)
    slot = key & last
    times = 0
    while desk.past[slot, 1]:
        if desk.past[slot, 0] == key:
            times += int(desk.past[slot, 1])
            break
        slot = (slot + np.uint64(1)) & last
    for before in range(1, ply):
        times += desk.keys[before] == key
    return times


@kernel(types.boolean(DESK, types.int64))
def is_first_turn(desk: Desk, ply: int) -> bool:
    """Whether no turn has ended before a ply."""
    first = True
    for before in range(1, ply):
        first &= desk.keys[before] == 0
    return first


@kernel(types.boolean(DESK, types.uint64))
def is_barred(desk: Desk, key: np.uint64) -> bool:
    """Whether the first turn must not end in a position."""
    found = False
    for barred in desk.barred:
        found |= barred == key
    return found


@kernel(types.uint64(DESK))
def salt_of(desk: Desk) -> np.uint64:
    """What tells positions of the first turn from the same where others are barred."""
    salt = np.uint64(0)
    for barred in desk.barred:
        salt ^= barred * _SALT
    return salt


@kernel(types.boolean(DESK))
def must_stop(desk: Desk) -> bool:
    """Count a node; whether the search is to be broken off."""
    desk.state[NODES] += 1
    if desk.state[NODES] >= desk.state[MOST_NODES]:
        desk.stop[0] = 1
    return desk.state[NODES] & CHECK_EVERY == 0 and desk.stop[0] != 0


@kernel(types.int64(types.int64, types.int64, types.int64), forceinline=True)
def value_of(result: int, mover: int, ply: int) -> int:
    """The score of a play that is over, for the player to move."""
    if result == DRAW:
        return DRAWN
    return WIN - ply if result == mover else ply - WIN


@kernel(types.int64(DOORS, DESK, types.int64, types.int64, types.int64, types.int64))
def quiesce(doors: Doors, desk: Desk, ply: int, alpha: int, beta: int, left: int) -> int:
    """The score of a position once its tactical actions have been followed."""
    desk.lines[ply, 0] = 0
    if must_stop(desk):
        return alpha
    row = desk.rows[ply]
    mover = doors.mover(row)
    result = doors.result(row)
    if result != ONGOING:
        return value_of(result, mover, ply)
    foreseen = doors.foresee(row)
    if foreseen > 0:
        return WIN - ply - foreseen
    if foreseen < 0:
        return ply - foreseen - WIN
    best = doors.evaluate(row, mover, desk.memory, desk.values)
    if ply >= MOST_PLIES or left <= 0:
        return best
    actions = desk.actions[ply]
    total = doors.tactical(row, actions)
    if total >= 0:
        if best >= beta or total == 0:
            return best
        alpha = max(alpha, best)
    else:
        total, best = -total, -INFINITE
    plainest = rate(doors, desk, ply, total, mover, NO_ACTION)
    if desk.state[BLIND]:
        total = see(desk, ply, total, doors.key(row), plainest)
    for index in range(total):
        bring_best(actions, desk.scores[ply], index, total)
        action = int(actions[index])
        doors.play(desk.rows, ply, action)
        if doors.mover(desk.rows[ply + 1]) == mover:
            score = quiesce(doors, desk, ply + 1, alpha, beta, left - 1)
        else:
            score = -quiesce(doors, desk, ply + 1, -beta, -alpha, left - 1)
        if score > best:
            best = score
            if score > alpha:
                alpha = score
                take_line(desk, ply, action)
                if score >= beta:
                    break
    return best


@kernel(
    types.int64(
        DOORS,
        DESK,
        types.int64,
        types.int64,
        types.int64,
        types.int64,
        types.int64,
    )
)
def search(doors: Doors, desk: Desk, ply: int, depth: int, alpha: int, beta: int, way: int) -> int:
    """The score of a position for the player to move, searched to a depth.

    Args: ``way`` is how the position came about: `WITHIN`, `BEGINS` or `SKIPPED`.

    Returns: exact between ``alpha`` and ``beta``, else a bound; without meaning once stopped.
    """
    # 0. Where several lines are asked for, the first turns of those that are known are barred.
    salt = np.uint64(0)
    if len(desk.barred) and is_first_turn(desk, ply):
        if ply > 0 and is_barred(desk, doors.key(desk.rows[ply])):
            return -INFINITE if way == WITHIN else INFINITE
        salt = salt_of(desk)

    # 1. At the bottom, only tactical actions are followed.
    if depth <= 0 or ply >= MOST_PLIES:
        return quiesce(doors, desk, ply, alpha, beta, QUIET_PLIES)
    desk.lines[ply, 0] = 0
    if must_stop(desk):
        return alpha

    # 2. The play may be over, or its end known.
    row = desk.rows[ply]
    mover = doors.mover(row)
    key = doors.key(row)
    desk.keys[ply] = key if way == BEGINS else np.uint64(0)
    if ply > 0:
        result = doors.result(row)
        if result != ONGOING:
            return value_of(result, mover, ply)
        third = desk.state[THIRD]
        if way == BEGINS and third:
            times = times_stood(desk, key, ply)
            if third == THIRD_LOSES and times >= 2:
                return WIN - ply
            if third == THIRD_DRAWS and times >= 1 and (times >= 2 or ply > 2):
                return DRAWN
        foreseen = doors.foresee(row)
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
    if desk.state[BLIND]:
        salt ^= np.uint64(desk.state[SEED]) * _SALT
    kept_key = key ^ salt
    data = find(desk.table, kept_key)
    known, evaluation = NO_ACTION, NO_EVALUATION
    narrow = beta - alpha == 1
    if data:
        known, evaluation = action_of(data), evaluation_of(data)
    if known == NO_ACTION and depth >= SURE_OF_ACTION:
        depth -= 1
    if data and ply > 0 and narrow:
        score, bound = score_of(data, ply), bound_of(data)
        deep = depth_of(data) >= depth or (abs(score) > SURE and not desk.state[BLIND])
        if deep and (bound == EXACT or (bound == LOWER) == (score >= beta)):
            return score
    if evaluation == NO_EVALUATION:
        evaluation = doors.evaluate(row, mover, desk.memory, desk.values)

    # 5. So good that quiet play will not spoil it, also if the turn is given away.
    if narrow and ply > 0 and abs(beta) < SURE:
        if depth <= MARGIN_PLIES and evaluation - desk.state[MARGIN] * depth >= beta:
            return evaluation
        if (
            way != SKIPPED
            and depth >= SKIP_FROM
            and evaluation >= beta
            and doors.skip(desk.rows, ply)
        ):
            less = depth - 4 - depth // 6
            score = -search(doors, desk, ply + 1, less, -beta, 1 - beta, np.int64(SKIPPED))
            if desk.stop[0]:
                return alpha
            if score >= beta:
                return min(score, SURE)

    # 6. The actions, the promising first.
    actions, scores = desk.actions[ply], desk.scores[ply]
    total = desk.state[CHOICES] if ply == 0 else doors.generate(row, actions)
    if total == 0:  # no turn can be ended from here
        return ply - WIN
    plainest = rate(doors, desk, ply, total, mover, known)
    if desk.state[BLIND]:
        total = see(desk, ply, total, key, plainest)
    best, best_action, began = -INFINITE, NO_ACTION, alpha
    searched = 0
    for index in range(total):
        bring_best(actions, scores, index, total)
        action = int(actions[index])

        # 7. Late quiet actions near the bottom are left out.
        promise = scores[index]
        if narrow and best > -SURE and promise < 0 and depth <= MARGIN_PLIES:
            if evaluation + desk.state[MARGIN] * (depth + 1) <= alpha:
                continue
            if searched > 4 + depth * depth * 2:
                break

        # 8. Play it; search it with a narrow window, late ones less deep, and again if it is good.
        doors.play(desk.rows, ply, action)
        same = doors.mover(desk.rows[ply + 1]) == mover
        onward = np.int64(WITHIN if same else BEGINS)
        low, high = (alpha, beta) if same else (-beta, -alpha)
        if searched == 0:
            score = search(doors, desk, ply + 1, depth - 1, low, high, onward)
        else:
            less = 0
            if depth >= REDUCE_FROM and searched >= 3:
                less = REDUCTION[min(depth, 63), min(searched, 127)]
                if promise > 512:
                    less -= 1
                if not narrow:
                    less -= 1
                less = max(0, min(less, depth - 2))
            low, high = (alpha, alpha + 1) if same else (-alpha - 1, -alpha)
            score = search(doors, desk, ply + 1, depth - 1 - less, low, high, onward)
            if less and (score > alpha if same else -score > alpha):
                score = search(doors, desk, ply + 1, depth - 1, low, high, onward)
            if alpha < (score if same else -score) < beta:
                low, high = (alpha, beta) if same else (-beta, -alpha)
                score = search(doors, desk, ply + 1, depth - 1, low, high, onward)
        if not same:
            score = -score
        if desk.stop[0]:
            return alpha
        searched += 1

        # 9. Is it the best?
        if score > best:
            best, best_action = score, action
            if score > alpha:
                alpha = score
                take_line(desk, ply, action)
                if score >= beta:
                    learn_refutation(desk, ply, mover, index, depth)
                    break

    # 10. Note what was found.
    bound = LOWER if best >= beta else EXACT if best > began else UPPER
    kept = best_action if bound != UPPER else NO_ACTION
    keep(desk.table, kept_key, ply, kept, best, evaluation, depth, bound, desk.state[AGE])
    return best


@kernel(types.int64(PLAIN_DOORS, DESK, types.int64, types.int64, types.int64))
def search_root(doors: tuple[Any, ...], desk: Desk, depth: int, alpha: int, beta: int) -> int:
    """The score of the position that is laid out on a desk; its best line is ``desk.lines[0]``.

    Returns: as `search`; `-INFINITE` if every turn is barred.
    """
    return search(named(doors), desk, 0, depth, alpha, beta, WITHIN)
