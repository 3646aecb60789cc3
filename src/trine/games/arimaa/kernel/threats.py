"""Estimates of the steps that a side needs to capture pieces: counted, not searched.

A stronger free enemy comes beside a piece (0 to 3 steps); each displacement, of the piece towards
the trap or of another holder of the trap, takes 2.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Floats
from trine.core.compiled.bits import NONE, Word, count
from trine.core.compiled.rows import inlined
from trine.games.arimaa.board import SQUARES, TRAPS
from trine.games.arimaa.kernel.army import Kinds, PieceValues, value_of
from trine.games.arimaa.kernel.layout import squares_of
from trine.games.arimaa.kernel.perspectives import reach
from trine.games.arimaa.kernel.sets import ALL, beside
from trine.games.arimaa.kernel.terms import TERM

TRAP_BITS: Final = np.array([1 << trap for trap in TRAPS], np.uint64)
HOME_TRAPS: Final = 2
"""The number of a side's home traps, which come first in lists of traps."""
AT_DISTANCE: Final = np.array(
    [
        [
            squares_of(
                square
                for square in SQUARES
                if abs(square % 8 - trap % 8) + abs(square // 8 - trap // 8) == distance
            )
            for distance in range(4)
        ]
        for trap in TRAPS
    ],
    np.uint64,
)
"""Shapes: trap, distance. The squares at a distance from the trap."""


@inlined()
def touch_steps(
    own: Kinds, enemies: Kinds, free: Word, open_squares: Word, state: Word
) -> tuple[Word, Word, Word, Word]:
    """Return the own pieces that a stronger free enemy touches after at most 0, 1, 2, 3 steps."""
    none, one, two, three = NONE, NONE, NONE, NONE
    stronger = NONE
    for kind in range(1, 6):
        stronger |= enemies[kind - 1] & free
        victims = own[kind]
        if victims:
            at = stronger
            none |= victims & reach(at, state)
            at |= beside(at) & open_squares
            one |= victims & reach(at, state)
            at |= beside(at) & open_squares
            two |= victims & reach(at, state)
            at |= beside(at) & open_squares
            three |= victims & reach(at, state)
    return none, one, two, three


@inlined()
def add_threats(
    own: Kinds,
    values: PieceValues,
    side: Word,
    enemies: Word,
    touched: Word,
    touches: tuple[Word, Word, Word, Word],
    sign: np.float32,
    waiting: bool,
    counts: Floats,
) -> None:
    """Add the terms of pieces that a side could lose in traps, and of pieces bound to save them.

    ``touched`` are the own pieces beside a stronger enemy, ``touches`` the result of `touch_steps`.
    """
    none, one, two, three = touches
    in_two, in_three, in_four, in_six, in_eight = NONE, NONE, NONE, NONE, NONE
    at_home = NONE
    for number in range(4):
        trap = TRAP_BITS[number]
        ring, second, third = (
            AT_DISTANCE[number, 1],
            AT_DISTANCE[number, 2],
            AT_DISTANCE[number, 3],
        )
        holding = ring & side
        holders = count(holding)
        there = trap & side
        # The piece in the trap falls when its last holder is displaced.
        falling = there if there else holding
        around = NONE if there else ALL
        by_none, by_two = holding & none, holding & two
        if holders == 0:
            in_four |= second & none
            in_six |= second & two
            in_eight |= (third & none) | (second & three)
        elif holders == 1:
            if there:
                counts[TERM.pinned] += sign * value_of(own, values, holding)
                if count(ring & enemies) >= 2:
                    counts[TERM.framed] += sign * value_of(own, values, there)
            in_two |= falling if by_none else NONE
            in_three |= falling if holding & one else NONE
            in_four |= falling if by_two else NONE
            in_six |= (falling if holding & three else NONE) | (second & none & around)
            in_eight |= second & two & around
        elif holders == 2:
            if by_none == holding:
                in_four |= falling
            elif by_two == holding:
                in_six |= there | (holding & one & around)
            else:
                in_eight |= by_none & around
        if holders and holders <= 2 and holding & own[0]:
            near = (trap | ring | second) & touched & ~own[5]
            counts[TERM.elephant_tied] += sign * value_of(own, values, near)
        if number < HOME_TRAPS:
            at_home = in_two | in_three | in_four
    first = TERM.lost_in_two_waiting if waiting else TERM.lost_in_two
    in_three &= ~in_two
    seen = in_two | in_three
    in_four &= ~seen
    soon = seen | in_four
    in_six &= ~soon
    in_eight &= ~(soon | in_six)
    if at_home:
        counts[TERM.lost_at_home] += sign * value_of(own, values, at_home)
    counts[TERM.lost_rabbits] += sign * np.float32(count(own[5] & soon))
    counts[TERM.lost_rabbits_later] += sign * np.float32(count(own[5] & (in_six | in_eight)))
    if in_two:
        counts[first] += sign * value_of(own, values, in_two)
    if in_three:
        counts[first + 1] += sign * value_of(own, values, in_three)
    if in_four:
        counts[first + 2] += sign * value_of(own, values, in_four)
    if in_six:
        counts[first + 3] += sign * value_of(own, values, in_six)
    if in_eight:
        counts[first + 4] += sign * value_of(own, values, in_eight)
