"""Exact detection of losses: goals of the other side that the player to move cannot stop.

A goal is threatened if the other side could reach it in its next turn, were the open turn over now.
One turn to that goal is taken as a witness. It stays possible as long as the squares that it
*needs* do not change. So a turn that stops the goal changes one of these squares, and all its
earlier steps only prepare that: with few steps left, only pieces near those squares can matter. All
such turns are tried, the shortest first, until one leaves no goal threatened, all have failed, or
too many have been tried.
"""

from typing import Final

import numpy as np
from numba import types

from trine.core.compiled.arrays import Row
from trine.core.compiled.bits import NONE, ONE, Word
from trine.core.compiled.jit import kernel
from trine.core.compiled.rows import RowPointer, as_pointer, inlined, on_stack
from trine.games.arimaa.kernel import goals, layout, perspectives
from trine.games.arimaa.kernel.movegen import MAX_ACTIONS, generate_steps
from trine.games.arimaa.kernel.rules import end_into, step_into
from trine.games.arimaa.kernel.sets import TRAP_SQUARES, beside, unfrozen

MAX_TRIED: Final = 1000
"""Units: steps; the search for a defence stops after trying this many. Of 210 losses that
bot_sharp's search proves, a quarter took 234 steps, half 565, three quarters 1,608."""
OUT_OF_BUDGET: Final = 0
GOAL_STOPPED: Final = -1  # a turn stops all goals

SEEN_SLOTS: Final = 1024  # size of the table of positions that were tried; a power of two
SLOT_MASK: Final = np.uint64(SEEN_SLOTS - 1)

new_row: Final = on_stack(types.uint64, layout.WORDS)
new_seen: Final = on_stack(types.uint64, SEEN_SLOTS)
new_buffer: Final = on_stack(types.int32, MAX_ACTIONS)


@kernel(no_cpython_wrapper=True)
def needs_of_goal(perspective: perspectives.Perspective, state: Word) -> Word:
    """Return the squares that one turn to a goal needs, in a perspective; empty if none exists."""
    low, middle, high, own = perspective
    rabbits = low & ~(middle | high) & own & goals.NEAR_GOAL[perspectives.STEPS_IN_TURN]
    runners = rabbits
    while runners:
        rabbit = perspectives.lowest_of(runners)
        runners ^= rabbit
        steps = goals.run(perspective, rabbit, perspectives.STEPS_IN_TURN, state)
        if steps >= 0:
            return goals.needs_of_run(perspective, rabbit, steps, state)
    while rabbits and goals.is_open(perspective, rabbits, perspectives.STEPS_IN_TURN):
        rabbit = perspectives.lowest_of(rabbits)
        rabbits ^= rabbit
        steps, needed = goals.way_to_goal(perspective, rabbit, perspectives.STEPS_IN_TURN, state)
        if steps >= 0:
            return needed
    return NONE


@inlined()
def needs_of_threat(row: RowPointer, after: RowPointer) -> Word:
    """Return the squares that a threatened enemy goal needs; empty if none is threatened."""
    low, middle, high, silver = layout.planes(row)
    rabbits = low & ~(middle | high)
    if row[layout.STATE] & layout.MOVER:
        rabbits &= ~silver & goals.NEAR_GOAL[perspectives.STEPS_IN_TURN]
    else:
        rabbits &= silver & goals.NEAR_RANK_1[perspectives.STEPS_IN_TURN]
    if not rabbits:
        return NONE
    end_into(row, after)
    needed = needs_of_goal(perspectives.perspective_of(after), after[layout.STATE])
    return perspectives.flipped(needed) if after[layout.STATE] & layout.MOVER else needed


@inlined()
def origin_of(action: int) -> Word:
    """Return the square that a step leaves, as a set."""
    return ONE << (np.uint64(action >> 2) & layout.LAST_SQUARE)


@inlined()
def can_swap(step: int, last: int, state: Word) -> bool:
    """Return whether two consecutive steps are so far apart that their order is irrelevant."""
    near = perspectives.widened(
        perspectives.widened(origin_of(last) | layout.TARGET_BIT[last], state), state
    )
    return (origin_of(step) | layout.TARGET_BIT[step]) & near == NONE


@inlined()
def helpful(row: RowPointer, own: Word, needed: Word, left: int) -> Word:
    """Return squares; a useful step, the first of ``left``, must change one of them.

    With each step pieces come nearer by a square, and free frozen friends.
    """
    low, middle, high, state = (
        row[layout.BOARD],
        row[layout.BOARD + 1],
        row[layout.BOARD + 2],
        row[layout.STATE],
    )
    enemies = (low | middle | high) & ~own
    diagonal = state & layout.IS_DIAGONAL != NONE
    frozen = own & ~unfrozen(own, low, middle, high, enemies, diagonal)
    squares = needed
    for _ in range(left - 1):
        squares = perspectives.widened(squares, state)
        squares |= perspectives.reach(squares & frozen, state)
    return squares


@kernel(no_cpython_wrapper=True)
def try_turns(
    row: RowPointer, left: int, needed: Word, last: int, tried: Word, budget: int, seen: RowPointer
) -> int:
    """Try to stop a goal with at most ``left`` further steps; return the remaining budget.

    Args: ``needed`` are the squares that the goal needs; ``last`` is the previous step, if the next
        one may change places with it, else -1; steps that change one of ``tried`` have been tried
        in place of ``last``.

    Returns: `OUT_OF_BUDGET` at the budget's end, `GOAL_STOPPED` if a turn stops the goal.
    """
    out, after, scratch = as_pointer(new_buffer()), as_pointer(new_row()), as_pointer(new_row())
    low, middle, high, silver = layout.planes(row)
    state = row[layout.STATE]
    own = silver if state & layout.MOVER else (low | middle | high) & ~silver
    near = helpful(row, own, needed, left)
    total = generate_steps(row, out)
    for index in range(total):
        step = np.int64(out[index])
        if step >= layout.END:
            continue
        origin = origin_of(step)
        changed = origin | layout.TARGET_BIT[step] | (beside(origin) & TRAP_SQUARES)
        if not state & layout.DUE and changed & near == NONE:
            continue
        if 0 <= step < last and changed & tried and can_swap(step, last, state):
            continue
        step_into(row, step, after)
        key = (
            after[layout.BOARD_KEY]
            ^ layout.stir(after[layout.STATE] ^ layout.stir(after[layout.FOLLOWERS]))
            ^ np.uint64(left)
        )
        if seen[key & SLOT_MASK] == key:
            continue
        seen[key & SLOT_MASK] = key
        budget -= 1
        if budget <= 0:
            return OUT_OF_BUDGET
        onward = needed
        if not after[layout.STATE] & layout.DUE and (changed & needed or state & layout.DUE):
            onward = needs_of_threat(after, scratch)
            if onward == NONE:
                return GOAL_STOPPED
        if left > 1:
            alone = origin & own and not state & layout.PUSHING
            order = step if alone else -1
            budget = try_turns(after, left - 1, onward, order, near, budget, seen)
            if budget <= 0:
                return budget
    return budget


@kernel(no_cpython_wrapper=True)
def is_lost(row: RowPointer, budget: int) -> bool:
    """Return whether the player to move, without a goal in this turn, surely loses by a goal."""
    if row[layout.STATE] & (layout.DUE | layout.IN_SETUP):
        return False
    needed = needs_of_threat(row, as_pointer(new_row()))
    if needed == NONE:
        return False
    seen = as_pointer(new_seen())
    for slot in range(SEEN_SLOTS):
        seen[slot] = NONE
    for steps in range(1, perspectives.steps_left(row) + 1):
        budget = try_turns(row, steps, needed, -1, NONE, budget, seen)
        if budget <= 0:
            return False
    return True


@kernel()
def detect_win(row: Row) -> int:
    """Return n if the player to move wins by a goal in this turn, with the n-th action.

    -n if the other side surely has a goal in its next turn, with the n-th action at the latest; 0
    if neither is known.
    """
    found = goals.detect_goal(row)
    if found == 0 and is_lost(as_pointer(row), MAX_TRIED):
        found = -(perspectives.steps_left(as_pointer(row)) + 1 + perspectives.STEPS_IN_TURN + 1)
    return found
