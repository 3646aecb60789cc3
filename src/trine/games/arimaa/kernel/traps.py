"""The terms of the evaluation about traps: who holds and rules them, and what that endangers."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numba import types

from trine.core.compiled.bits import NONE, ONE, Word, count, lowest
from trine.core.compiled.rows import on_stack
from trine.games.arimaa.board import SQUARES, TRAPS
from trine.games.arimaa.kernel.army import KINDS, WORTHS, Kinds, Worths, kinds_of
from trine.games.arimaa.kernel.perspective import PERSPECTIVE, Perspective
from trine.games.arimaa.kernel.row import inlined, piece_on, squares_of
from trine.games.arimaa.kernel.sets import beside
from trine.games.arimaa.kernel.terms import TERM, VALUES, Weights
from trine.games.arimaa.kernel.threats import AT_DISTANCE, HOME_TRAPS, TRAP_BITS

STRENGTH_BY: Final = np.array(
    [
        [round((30 if rabbit else 100) * 3 / (3 + above)) for above in range(17)]
        for rabbit in (False, True)
    ],
    np.int64,
)
"""Shapes: whether a rabbit, number of stronger enemy pieces. The strength of a piece near a trap,
in hundredths of that of an elephant. Guess."""
BY_DISTANCE: Final = np.array([(5, 2), (8, 4), (4, 2), (1, 0)], np.int64)
"""Shapes: distance from a trap, whether frozen. The part of its strength that a piece has there.
Guess; from two steps on by games."""
LANES: Final = 16
"""Units: bits; each trap has so many of a word, so that four sums are made at once."""
LANE: Final = np.uint64((1 << LANES) - 1)


def _nearness(frozen: int) -> list[int]:
    """Return the part that a piece on each square has near all traps, a lane each."""
    found = []
    for square in SQUARES:
        away = [abs(square % 8 - trap % 8) + abs(square // 8 - trap // 8) for trap in TRAPS]
        parts = [int(BY_DISTANCE[steps, frozen]) if steps <= 3 else 0 for steps in away]
        found.append(sum(part << LANES * number for number, part in enumerate(parts)))
    return found


NEARNESS: Final = np.array([_nearness(frozen) for frozen in (0, 1)], np.uint64)
"""Shapes: whether frozen, square. Source: `BY_DISTANCE`."""
EVEN_LEAD: Final = 1400
"""The lead in strength near a trap that is half of its control. Guess."""
FULL_CONTROL: Final = 256
"""The parts in which control is counted, so that sums do not depend on their order."""
Leads = tuple[int, int, int, int]
LEADS: Final = "UniTuple(int64, 4)"
"""The lead in strength near each trap, those at home first."""


@inlined(f"void({KINDS}, uint64, float32, {VALUES})")
def add_traps(kinds: Kinds, own: Word, sign: np.float32, counts: Weights) -> None:
    """Add the terms of the traps that a side holds."""
    for number in range(len(TRAP_BITS)):
        ring = beside(TRAP_BITS[number])
        holders = count(ring & own)
        at_home = number < HOME_TRAPS
        first = TERM.home_trap_one if at_home else TERM.away_trap_one
        if holders:
            counts[first + min(holders, 3) - 1] += sign
            if at_home and ring & own & ~kinds[5]:
                counts[TERM.home_trap_officers] += sign
            if ring & kinds[0]:
                counts[TERM.elephant_home_trap if at_home else TERM.elephant_away_trap] += sign


@inlined(f"uint64({KINDS}, {KINDS}, uint64)")
def strengths(kinds: Kinds, others: Kinds, frozen: Word) -> Word:
    """Return how much strength of a side is near each trap, a lane each."""
    total, stronger = NONE, 0
    for kind in range(6):
        pieces, near = kinds[kind], NONE
        while pieces:
            square = np.uint64(lowest(pieces))
            pieces &= pieces - ONE
            near += NEARNESS[frozen >> square & ONE, square]
        total += near * np.uint64(STRENGTH_BY[1 if kind == 5 else 0, stronger])
        stronger += count(others[kind])
    return total


@inlined("int64(uint64, int64)")
def lane(strength: Word, number: int) -> int:
    """Return the strength near a trap, given by its number."""
    return np.int64(strength >> np.uint64(LANES * number) & LANE)


@inlined("int64(int64)")
def control(lead: int) -> int:
    """Return how far a side with a lead in strength controls a trap, up to `FULL_CONTROL`."""
    part = FULL_CONTROL * abs(lead) // (EVEN_LEAD + abs(lead))
    return part if lead > 0 else -part


@inlined(f"{LEADS}({PERSPECTIVE}, uint64)")
def trap_leads(perspective: Perspective, touched: Word) -> Leads:
    """Return how much more strength of a side than of the other is near each trap.

    Args: ``touched`` are the pieces of both sides beside a stronger enemy.
    """
    low, middle, high, own = perspective
    enemies = (low | middle | high) & ~own
    kinds, others = kinds_of(perspective, own), kinds_of(perspective, enemies)
    frozen = touched & own & ~beside(own)
    stuck = touched & enemies & ~beside(enemies)
    near, against = strengths(kinds, others, frozen), strengths(others, kinds, stuck)
    return (
        lane(near, 0) - lane(against, 0),
        lane(near, 1) - lane(against, 1),
        lane(near, 2) - lane(against, 2),
        lane(near, 3) - lane(against, 3),
    )


@inlined(f"{LEADS}({LEADS})")
def turned_leads(leads: Leads) -> Leads:
    """Return the leads near the traps as the other side sees them, on the board upside down."""
    return -leads[2], -leads[3], -leads[0], -leads[1]


# --- what counts as far as a side rules a trap ----------------------------------------------------
#
# A piece near a trap of the enemy is in danger as far as he rules that trap: where own pieces rule
# it, they would save the piece. And a rabbit comes through as far as its side rules the trap on its
# way. The idea is that of D. Wu, "Designing a Winning Arimaa Program" (2015); shapes and weights
# are our own.

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


@inlined("float32(int64)")
def ruled(lead: int) -> np.float32:
    """Return the share of a trap that a side with a lead in strength there rules."""
    return RULED[max(0, min(len(RULED) - 1, lead // LEAD_PART - FEWEST_PARTS))]


@inlined(
    f"void({PERSPECTIVE}, {KINDS}, {KINDS}, {WORTHS}, uint64, uint64, UniTuple(uint64, 4), {LEADS},"
    f" float32, {VALUES})"
)
def add_dangers(
    perspective: Perspective,
    own: Kinds,
    others: Kinds,
    worths: Worths,
    side: Word,
    frozen: Word,
    touches: tuple[Word, Word, Word, Word],
    leads: Leads,
    sign: np.float32,
    counts: Weights,
) -> None:
    """Add the worth of the pieces in danger near the traps of the enemy, by steps."""
    low, middle, high, _ = perspective
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
        counts[TERM.danger_in_four] += sign * of_four
        counts[TERM.danger_in_six] += sign * of_six
        counts[TERM.danger_in_eight] += sign * of_eight


@inlined(f"void(uint64, {KINDS}, uint64, int64, int64, float32, {VALUES})")
def add_ruled_rabbits(
    rabbits: Word,
    others: Kinds,
    enemies: Word,
    west: int,
    east: int,
    sign: np.float32,
    counts: Weights,
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
        counts[TERM.rabbits_ruled] += part
        counts[TERM.rabbits_through] += part * way
