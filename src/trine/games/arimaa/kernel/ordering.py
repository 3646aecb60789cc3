"""Move ordering for the search: promising actions first."""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import types

from trine.core.compiled.arrays import Buffer, Row
from trine.core.compiled.bits import NONE, ONE, Word, count
from trine.core.compiled.jit import kernel
from trine.core.compiled.rows import RowPointer, as_row, inlined, on_stack
from trine.games.arimaa.kernel.layout import (
    BOARD,
    END,
    LAST_SQUARE,
    MOVER,
    SEVEN,
    START,
    STATE,
    TARGET_BIT,
    piece_on,
)
from trine.games.arimaa.kernel.sets import GOLD_GOAL, SILVER_GOAL, TRAP_SQUARES, beside, weaker_than

# The scores of actions, from -1,000 to 1,000. Some were tuned by games, the others are guesses.
AT_GOAL: Final = 1000
CAPTURE: Final = 600
"""The score of a completed capture; `BY_STRENGTH` is added for the captured piece's strength."""
BY_STRENGTH: Final = 60
DISPLACE: Final = 60
LOSE_SELF: Final = -900
LOSE_FRIEND: Final = -600
TO_TRAP: Final = 80
FROM_TRAP: Final = -95
ATTACK: Final = 90
ESCAPE: Final = 70
INTO_DANGER: Final = -70
STRENGTH_COUNT: Final = 7
"""The number of strengths: 1 to 6, and 0 for an empty square."""
RETURN: Final = -340
"""The score of a step to a square that was occupied when the turn began: mostly, a piece
returns."""
NEAR_CHANGE: Final = 35
"""The score of a step from or to a square that the turn has changed, or a neighbour of one."""
EARLY_END: Final = -150
"""The score of ending the turn with steps left."""
STEP_SCORES: Final = np.array([0, -70, -20, 0, 20, 20, 50], np.int64)
"""Shapes: strength. The score of any step by an own piece."""

new_sets: Final = on_stack(types.uint64, STRENGTH_COUNT)


@inlined()
def leaves_alone(origin: Word, side: Word) -> bool:
    """Return whether a step off a square loses a piece of its side in the trap beside it."""
    trap = beside(origin) & TRAP_SQUARES & side
    return trap != NONE and count(beside(trap) & side) == 1


@inlined()
def rate_displacing(origin: Word, target: Word, strength: Word, enemies: Word) -> int:
    """Return the score of displacing an enemy piece to a square, or off the board."""
    size = np.int64(strength) * BY_STRENGTH
    trapped = target & TRAP_SQUARES and count(beside(target) & enemies) == 1
    if target == NONE or trapped or leaves_alone(origin, enemies):
        return CAPTURE + size
    return DISPLACE + size // 2 + (TO_TRAP if target & beside(TRAP_SQUARES) else 0)


@inlined()
def find_enemies(row: RowPointer, enemies: Word, prey: RowPointer, danger: RowPointer) -> None:
    """Write, for each strength, the squares beside weaker and beside stronger enemies."""
    low, middle, high = row[BOARD], row[BOARD + 1], row[BOARD + 2]
    weaker = NONE
    for number in range(1, STRENGTH_COUNT):
        weaker_or_equal = weaker_than(np.uint64(number + 1), low, middle, high) & enemies
        prey[number] = beside(weaker)
        danger[number] = beside(enemies & ~weaker_or_equal)
        weaker = weaker_or_equal


@inlined()
def rate_step(
    row: RowPointer,
    origin: Word,
    target: Word,
    strength: Word,
    own: Word,
    prey: Word,
    danger: Word,
    near: Word,
) -> int:
    """Return the score of a step of an own piece.

    ``prey`` and ``danger`` are the squares beside weaker and beside stronger enemies, ``near`` the
    squares that the turn has changed and their neighbours.
    """
    score = STEP_SCORES[strength]
    ring = beside(TRAP_SQUARES)
    if strength == ONE and target & (SILVER_GOAL if row[STATE] & MOVER else GOLD_GOAL):
        return AT_GOAL
    if target & TRAP_SQUARES and count(beside(target) & own) == 1:
        score += LOSE_SELF
    if leaves_alone(origin, own):
        score += LOSE_FRIEND
    if (origin | target) & near:
        score += NEAR_CHANGE
    if target & ring:
        score += TO_TRAP
    if origin & ring:
        score += FROM_TRAP
    if target & prey:
        score += ATTACK
    if origin & danger:
        score += ESCAPE
    if target & danger and not target & beside(own ^ origin):
        score += INTO_DANGER
    begun = row[START] & target or row[START + 1] & target or row[START + 2] & target
    if begun:
        score += RETURN
    return score


@kernel()
def score_moves(row: Row, actions: Buffer, total: int, scores: Buffer) -> None:
    """Write a score for each action, from -1,000 to 1,000, without a search."""
    here = as_row(row)
    low, middle, high, silver = here[BOARD], here[BOARD + 1], here[BOARD + 2], here[BOARD + 3]
    occupied = low | middle | high
    own = silver if here[STATE] & MOVER else occupied & ~silver
    enemies = occupied ^ own
    prey, danger = as_row(new_sets()), as_row(new_sets())
    find_enemies(here, enemies, prey, danger)
    changed = here[START] ^ low | here[START + 1] ^ middle | here[START + 2] ^ high
    near = changed | beside(changed)
    for index in range(total):
        action = np.int64(actions[index])
        if action >= END:
            scores[index] = EARLY_END if action == END else 0
            continue
        square = np.uint64(action >> 2) & LAST_SQUARE
        origin, target = ONE << square, TARGET_BIT[action]
        strength = piece_on(square, low, middle, high, silver) & SEVEN
        if origin & own:
            score = rate_step(
                here, origin, target, strength, own, prey[strength], danger[strength], near
            )
        else:
            score = rate_displacing(origin, target, strength, enemies)
        scores[index] = max(-1000, min(1000, score))
