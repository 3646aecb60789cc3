"""The terms of the evaluation about the rabbits of a side: their advance, and runs to the goal."""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.compiled.bits import NONE, ONE, Word, count
from trine.games.arimaa.board import ARMY_SIZE, SQUARES
from trine.games.arimaa.kernel.features import TERM, VALUES, Weights
from trine.games.arimaa.kernel.goals import NEAR_GOAL, run, stepped
from trine.games.arimaa.kernel.row import inner, squares_of
from trine.games.arimaa.kernel.sets import (
    FAR_HALF,
    NOT_A,
    NOT_H,
    RANK,
    RANK_8,
    TRAP_SQUARES,
    beside,
    ranks_of,
)
from trine.games.arimaa.kernel.view import STEPS_IN_TURN, VIEW, View, lowest_of, reach

FLANKS: Final = squares_of(
    square for square in SQUARES if square % 8 in (0, 1, 6, 7) and square // 8 >= 2
)
STOPPED_AT: Final = squares_of(range(24, 56))
"""The ranks on which a rabbit counts as stopped: the fourth to the seventh."""
FEW_STEPS: Final = 6
MOST_STEPS: Final = 12
"""Units: steps; runs that take more are none."""
RANKS: Final = np.array([squares_of(range(8 * rank, 8 * rank + 8)) for rank in range(8)], np.uint64)


@inner(f"int64({VIEW}, uint64, uint64)")
def steps_of_run(view: View, rabbits: Word, state: Word) -> int:
    """Return in how many steps a rabbit could run to the goal, with officers as only support.

    Returns: more than `MOST_STEPS` if it could not in so many.
    """
    low, middle, high, own = view
    officers = middle | high
    alone = ~beside(own & officers)
    stuck = reach(officers & ~own, state) & alone
    closed = low | officers | (TRAP_SQUARES & alone)
    front = rabbits & ~stuck
    for steps in range(1, MOST_STEPS + 1):
        front |= stepped(front) & ~closed
        if front & RANK_8:
            return steps
        front &= ~stuck
    return MOST_STEPS + 1


@inner(f"void({VIEW}, uint64, uint64, int64, uint64, float32, {VALUES})")
def add_rabbits(
    view: View,
    rabbits: Word,
    enemies: Word,
    left: int,
    state: Word,
    sign: np.float32,
    features: Weights,
) -> None:
    """Add the terms of the advance of the rabbits of a side, and of their runs to the goal.

    Args: ``left`` is the number of steps that the other side has in its open turn, 4 if it is not
        to move.
    """
    own = view[3]
    for rank in range(1, 7):
        features[TERM.rabbits_rank_2 + rank - 1] += sign * np.float32(count(rabbits & RANKS[rank]))
    features[TERM.rabbits_flank] += sign * np.float32(count(rabbits & FLANKS))
    before = enemies >> RANK
    before |= before >> RANK
    before |= before >> (RANK + RANK)
    guarded = before | (before & NOT_H) << ONE | (before & NOT_A) >> ONE
    open_way = rabbits & ~guarded & FAR_HALF
    features[TERM.rabbits_free] += sign * np.float32(ranks_of(open_way) - 3 * count(open_way))
    lost = ARMY_SIZE - count(enemies)
    if lost:
        features[TERM.rabbits_late] += (
            sign * np.float32(ranks_of(rabbits) * lost) / np.float32(ARMY_SIZE)
        )
    escorted = rabbits & FAR_HALF & beside(own & ~rabbits)
    features[TERM.rabbits_escorted] += sign * np.float32(ranks_of(escorted) - 3 * count(escorted))
    stopped = rabbits & (enemies >> RANK) & STOPPED_AT
    features[TERM.rabbits_stopped] += sign * np.float32(count(stopped))
    features[TERM.home_open] += sign * np.float32(count(RANKS[0] & ~(own | enemies)))
    runners = rabbits & NEAR_GOAL[STEPS_IN_TURN]
    while runners:
        rabbit = lowest_of(runners)
        runners ^= rabbit
        if run(view, rabbit, STEPS_IN_TURN, state) >= 0:
            features[TERM.goal_in_four] += sign
            features[TERM.goal_in_four_late] += sign * np.float32(STEPS_IN_TURN - left)
            runners = NONE
    steps = steps_of_run(view, rabbits, state)
    if steps <= MOST_STEPS:
        features[TERM.goal_in_twelve] += sign
    if steps <= FEW_STEPS:
        features[TERM.goal_in_six] += sign
