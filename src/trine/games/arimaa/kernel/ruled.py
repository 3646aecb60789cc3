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

from trine.core.compiled.bits import NONE, ONE, count, lowest
from trine.core.compiled.jit import kernel
from trine.games.arimaa.board import SQUARES
from trine.games.arimaa.kernel.army import KINDS, WORTHS, Kinds, Worths
from trine.games.arimaa.kernel.features import TERM, VALUES, Weights
from trine.games.arimaa.kernel.row import inner, piece_on, squares_of
from trine.games.arimaa.kernel.threats import AT_DISTANCE
from trine.games.arimaa.kernel.traps import FULL_CONTROL, LEADS, Leads, control, strength_near
from trine.games.arimaa.kernel.view import VIEW, View

MOST_STEPS: Final = 6
"""Units: steps; a capture that takes more is no danger."""
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


def _ahead(square: int, files: int) -> np.uint64:
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


@inner("float32(int64)")
def ruled(lead: int) -> np.float32:
    """Return the share of a trap that a side with a lead in strength there rules."""
    return RULED[max(0, min(len(RULED) - 1, lead // LEAD_PART - FEWEST_PARTS))]


@kernel(
    f"void({VIEW}, {KINDS}, {KINDS}, {WORTHS}, uint64, uint64, UniTuple(uint64, 4), {LEADS},"
    f" float32, {VALUES})",
    no_cpython_wrapper=True,
)
def add_dangers(
    view: View,
    own: Kinds,
    others: Kinds,
    worths: Worths,
    side: np.uint64,
    frozen: np.uint64,
    touches: tuple[np.uint64, np.uint64, np.uint64, np.uint64],
    leads: Leads,
    sign: np.float32,
    features: Weights,
) -> None:
    """Add the worth of the pieces in danger near the traps of the enemy, by steps.

    Args: ``touches`` is by `touch_steps`.
    """
    low, middle, high, _ = view
    none, one, two, _ = touches
    hunted = (none | one | two) & ~own[0]
    for number in range(2, 4):
        holders = count(AT_DISTANCE[number, 1] & side)
        for distance in range(4):
            steps = 2 * (distance + holders) - (2 if distance <= 1 else 0)
            if steps > MOST_STEPS:
                break
            pieces = AT_DISTANCE[number, distance] & hunted
            while pieces:
                square = np.uint64(lowest(pieces))
                piece = ONE << square
                pieces ^= piece
                if piece & none:
                    needed = steps
                else:
                    needed = steps + (1 if piece & one else 2)
                if needed > MOST_STEPS:
                    continue
                strength = np.int64(piece_on(square, low, middle, high, NONE))
                # What the piece itself holds saves others, not it.
                itself = strength_near(others, 6 - strength, distance, piece & frozen != NONE)
                danger = ruled(itself - leads[number]) * (worths[6 - strength] + PLACE)
                features[TERM.danger_in_four if needed <= 4 else TERM.danger_in_six] += (
                    sign * danger
                )


@kernel(f"void(uint64, {KINDS}, uint64, {LEADS}, float32, {VALUES})", no_cpython_wrapper=True)
def add_ruled_rabbits(
    rabbits: np.uint64,
    others: Kinds,
    enemies: np.uint64,
    leads: Leads,
    sign: np.float32,
    features: Weights,
) -> None:
    """Add the advance of rabbits whose side rules the trap on their way, and has the way open."""
    officers = enemies & ~others[5]
    advanced = rabbits & ADVANCED
    while advanced:
        square = lowest(advanced)
        advanced &= advanced - ONE
        share = FULL_CONTROL + control(leads[2 if square % 8 < 4 else 3])
        part = sign * np.float32(share * share) / np.float32(4 * FULL_CONTROL * FULL_CONTROL)
        if square < FIRST_FAR:
            part /= np.float32(2)
        near, wide = AHEAD[square, 0], AHEAD[square, 1]
        closed = count(near & enemies) + count(wide & officers)
        way = np.float32(max(0, BLOCKERS - closed)) / np.float32(BLOCKERS)
        features[TERM.rabbits_ruled] += part
        features[TERM.rabbits_through] += part * way
