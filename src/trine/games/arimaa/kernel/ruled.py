"""The terms of the evaluation that count as far as a side rules a trap.

A piece near a trap of the enemy is in danger as far as he rules that trap: where own pieces rule
it, they would save the piece. And a rabbit comes through as far as its side rules the trap on its
way. The idea is that of D. Wu, "Designing a Winning Arimaa Program" (2015); shapes and weights are
our own.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numba import types

from trine.core.compiled.bits import NONE, ONE, Word, count, lowest
from trine.core.compiled.rows import on_stack
from trine.games.arimaa.board import SQUARES
from trine.games.arimaa.kernel.army import KINDS, WORTHS, Kinds, Worths
from trine.games.arimaa.kernel.features import TERM, VALUES, Weights
from trine.games.arimaa.kernel.row import inner, piece_on, squares_of
from trine.games.arimaa.kernel.threats import AT_DISTANCE
from trine.games.arimaa.kernel.traps import FULL_CONTROL, LEADS, NEARNESS, STRENGTH_BY, Leads, lane
from trine.games.arimaa.kernel.view import VIEW, View

MOST_STEPS: Final = (4, 6, 8)
"""Units: steps; of captures that are a danger. One that takes more is none."""


def _in_danger(trap: int, holders: int, most: int) -> Word:
    """Return the squares from which a piece gets into a trap and is lost in so many steps."""
    squares = NONE
    for distance, ring in enumerate(AT_DISTANCE[trap]):
        if 2 * (distance + holders) - (2 if distance <= 1 else 0) <= most:
            squares |= ring
    return squares


IN_DANGER: Final = np.array(
    [
        [
            [
                [_in_danger(trap, holders, most - to_touch) for to_touch in range(4)]
                for most in MOST_STEPS
            ]
            for holders in range(5)
        ]
        for trap in (2, 3)
    ],
    np.uint64,
)
"""Shapes: trap of the enemy, number of own pieces beside it, most steps as in `MOST_STEPS`, steps
in which the enemy touches the piece. The squares on which a piece is in danger."""
PLACE: Final = np.float32(0.5)
"""Units: rabbits. What a side loses with any piece besides its worth: its place. Guess."""
USUAL_LEAD: Final = 750
"""The lead near a trap by which the enemy rules half of it: about what he has at home. Guess."""
LEAD_STEP: Final = 300
"""The lead that makes the odds that he rules it 2.7 times as great. Guess."""
LEAD_PART: Final = 50
FEWEST_PARTS: Final = -40
PARTS: Final = 64
"""The parts in which a share is counted, so that sums do not depend on their order."""
RULED: Final = np.array(
    [
        round(PARTS / (1 + math.exp((USUAL_LEAD - LEAD_PART * part) / LEAD_STEP))) / PARTS
        for part in range(FEWEST_PARTS, 80)
    ],
    np.float32,
)
"""Shapes: the lead near a trap, in parts from `FEWEST_PARTS` on. The share of it that one rules."""
BLOCKERS: Final = 8
"""The number of enemies before a rabbit, officers counted twice, that close its way. Guess."""


def _ahead(square: int, files: int) -> Word:
    return squares_of(
        other
        for other in SQUARES
        if abs(other % 8 - square % 8) <= files and other // 8 >= square // 8 and other != square
    )


ADVANCED: Final = squares_of(range(16, 56))
"""The squares on which a rabbit counts as advanced, by half on the third rank."""
FIRST_FAR: Final = 24
AHEAD: Final = np.array([[_ahead(square, files) for files in (1, 3)] for square in SQUARES])
"""Shapes: square, whether wide. The squares before a rabbit and beside it."""

new_worths: Final = on_stack(types.float32, 6)
new_strengths: Final = on_stack(types.int64, 6)


@inner("float32(int64)")
def ruled(lead: int) -> np.float32:
    """Return the share of a trap that a side with a lead in strength there rules."""
    return RULED[max(0, min(len(RULED) - 1, lead // LEAD_PART - FEWEST_PARTS))]


@inner(
    f"void({VIEW}, {KINDS}, {KINDS}, {WORTHS}, uint64, uint64, UniTuple(uint64, 4), {LEADS},"
    f" float32, {VALUES})"
)
def add_dangers(
    view: View,
    own: Kinds,
    others: Kinds,
    worths: Worths,
    side: Word,
    frozen: Word,
    touches: tuple[Word, Word, Word, Word],
    leads: Leads,
    sign: np.float32,
    features: Weights,
) -> None:
    """Add the worth of the pieces in danger near the traps of the enemy, by steps.

    Args: ``touches`` is by `touch_steps`.
    """
    low, middle, high, _ = view
    none, one, two, three = touches
    lost, brought = new_worths(), new_strengths()
    stronger = 0
    for kind in range(6):
        lost[kind] = worths[kind] + PLACE
        brought[kind] = STRENGTH_BY[1 if kind == 5 else 0, stronger]
        stronger += count(others[kind])
    for number in range(2, 4):
        near = IN_DANGER[number - 2, count(AT_DISTANCE[number, 1] & side)]
        in_four = (near[0, 0] & none) | (near[0, 1] & one) | (near[0, 2] & two)
        in_six = (near[1, 0] & none) | (near[1, 1] & one) | (near[1, 2] & two)
        pieces = (near[2, 0] & none) | (near[2, 1] & one) | (near[2, 2] & two)
        pieces |= near[2, 3] & three
        pieces &= ~own[0]
        of_four, of_six, of_eight = np.float32(0), np.float32(0), np.float32(0)
        while pieces:
            square = np.uint64(lowest(pieces))
            piece = pieces & ~(pieces - ONE)
            pieces ^= piece
            strength = np.int64(piece_on(square, low, middle, high, NONE))
            part = lane(NEARNESS[frozen >> square & ONE, square], number)
            # What the piece itself holds saves others, not it.
            danger = ruled(part * brought[6 - strength] - leads[number]) * lost[6 - strength]
            if piece & in_four:
                of_four += danger
            elif piece & in_six:
                of_six += danger
            else:
                of_eight += danger
        features[TERM.danger_in_four] += sign * of_four
        features[TERM.danger_in_six] += sign * of_six
        features[TERM.danger_in_eight] += sign * of_eight


@inner(f"void(uint64, {KINDS}, uint64, int64, int64, float32, {VALUES})")
def add_ruled_rabbits(
    rabbits: Word,
    others: Kinds,
    enemies: Word,
    west: int,
    east: int,
    sign: np.float32,
    features: Weights,
) -> None:
    """Add the advance of rabbits whose side rules the trap on their way, and has the way open.

    Args: ``west`` and ``east`` are how far the side controls the traps of the enemy.
    """
    officers = enemies & ~others[5]
    advanced = rabbits & ADVANCED
    while advanced:
        square = lowest(advanced)
        advanced &= advanced - ONE
        share = FULL_CONTROL + (west if square % 8 < 4 else east)
        part = sign * np.float32(share * share) / np.float32(4 * FULL_CONTROL * FULL_CONTROL)
        if square < FIRST_FAR:
            part /= np.float32(2)
        near, wide = AHEAD[square, 0], AHEAD[square, 1]
        closed = count(near & enemies) + count(wide & officers)
        way = np.float32(max(0, BLOCKERS - closed)) / np.float32(BLOCKERS)
        features[TERM.rabbits_ruled] += part
        features[TERM.rabbits_through] += part * way
