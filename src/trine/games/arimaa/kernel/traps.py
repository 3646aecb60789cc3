"""The trap terms of the evaluation: who holds and rules each trap, and the pieces in danger.

The steps that a side needs to capture pieces are estimated: counted, not searched. A stronger free
enemy comes beside a piece (0 to 3 steps); each displacement, of the piece towards
the trap or of another holder of the trap, takes 2.
"""

import math
from typing import Final

import numpy as np
from numba import types

from trine.core.compiled.arrays import Floats
from trine.core.compiled.bits import NONE, ONE, Word, count, lowest
from trine.core.compiled.rows import inlined, on_stack
from trine.games.arimaa.board import SQUARES, TRAPS
from trine.games.arimaa.kernel.army import Kinds, PieceValues, kinds_of, value_of
from trine.games.arimaa.kernel.layout import piece_on, squares_of
from trine.games.arimaa.kernel.perspectives import Perspective, reach
from trine.games.arimaa.kernel.sets import ALL, beside
from trine.games.arimaa.kernel.terms import TERM

TRAP_BITS: Final = np.array([1 << trap for trap in TRAPS], np.uint64)
HOME_TRAPS: Final = 2  # number of a side's home traps, which come first in lists of traps
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
    """Return own pieces that a stronger free enemy touches after at most 0, 1, 2, 3 steps."""
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

    ``touched`` are own pieces beside a stronger enemy, ``touches`` the result of `touch_steps`.
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


HOLDING_STRENGTH: Final = np.array(
    [
        [round((30 if rabbit else 100) * 3 / (3 + above)) for above in range(17)]
        for rabbit in (False, True)
    ],
    np.int64,
)
"""Shapes: whether a rabbit, number of stronger enemy pieces. The strength of a piece near a trap,
in hundredths of an elephant's. Guess."""
DISTANCE_WEIGHTS: Final = np.array([(5, 2), (8, 4), (4, 2), (1, 0)], np.int64)
"""Shapes: distance from a trap, whether frozen. The weight of a piece's strength at that distance.
Guess; from distance 2 on tuned by games."""
LANE_BITS: Final = 16
"""The bits of a word for each trap: so four sums are computed at once (SIMD in a register)."""
LANE_MASK: Final = np.uint64((1 << LANE_BITS) - 1)


def _nearness(frozen: int) -> list[int]:
    """Return the weight of each square at the four traps, one lane a trap."""
    found = []
    for square in SQUARES:
        away = [abs(square % 8 - trap % 8) + abs(square // 8 - trap // 8) for trap in TRAPS]
        parts = [int(DISTANCE_WEIGHTS[steps, frozen]) if steps <= 3 else 0 for steps in away]
        found.append(sum(part << LANE_BITS * number for number, part in enumerate(parts)))
    return found


NEARNESS: Final = np.array([_nearness(frozen) for frozen in (0, 1)], np.uint64)
"""Shapes: whether frozen, square. `DISTANCE_WEIGHTS` at the four traps, one lane a trap."""
EVEN_LEAD: Final = 1400  # the lead in strength near a trap that gives half of its control. Guess
FULL_CONTROL: Final = 256
"""Full control of a trap, as a whole number, so that sums do not depend on their order."""
Leads = tuple[int, int, int, int]  # the lead in strength near each trap, home traps first


@inlined()
def add_traps(kinds: Kinds, own: Word, sign: np.float32, counts: Floats) -> None:
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


@inlined()
def strengths(kinds: Kinds, others: Kinds, frozen: Word) -> Word:
    """Return the strength of a side near each trap, one lane a trap."""
    total, stronger = NONE, 0
    for kind in range(6):
        pieces, near = kinds[kind], NONE
        while pieces:
            square = np.uint64(lowest(pieces))
            pieces &= pieces - ONE
            near += NEARNESS[frozen >> square & ONE, square]
        total += near * np.uint64(HOLDING_STRENGTH[1 if kind == 5 else 0, stronger])
        stronger += count(others[kind])
    return total


@inlined()
def lane(strength: Word, number: int) -> int:
    """Return the strength near the trap ``number``."""
    return np.int64(strength >> np.uint64(LANE_BITS * number) & LANE_MASK)


@inlined()
def control(lead: int) -> int:
    """Return the control of a trap by a lead in strength, up to ±`FULL_CONTROL`."""
    part = FULL_CONTROL * abs(lead) // (EVEN_LEAD + abs(lead))
    return part if lead > 0 else -part


@inlined()
def trap_leads(perspective: Perspective, touched: Word) -> Leads:
    """Return a side's lead in strength over the other near each trap.

    ``touched`` are the pieces of both sides beside a stronger enemy.
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


@inlined()
def flipped_leads(leads: Leads) -> Leads:
    """Return the leads near the traps in the perspective of the other side."""
    return -leads[2], -leads[3], -leads[0], -leads[1]


# --- what counts as far as a side rules a trap ----------------------------------------------------
#
# The danger to a piece near an enemy trap grows with the share of the trap that the enemy rules,
# since own pieces that rule it would save the piece. The prospects of a rabbit grow with its side's
# share of the trap on its way. The idea is from D. Wu, "Designing a Winning Arimaa Program" (2015);
# shapes and weights are our own.

CAPTURE_STEPS: Final = (4, 6, 8)
"""Units: steps; the lengths of dangerous captures. Longer ones do not count."""


def _danger_squares(trap: int, holders: int, max_steps: int) -> Word:
    """Return the squares of pieces that can be lost in a trap within ``max_steps``."""
    squares = NONE
    for distance, ring in enumerate(AT_DISTANCE[trap]):
        if 2 * (distance + holders) - (2 if distance <= 1 else 0) <= max_steps:
            squares |= ring
    return squares


DANGER_SQUARES: Final = np.array(
    [
        [
            [
                [_danger_squares(trap, holders, max_steps - to_touch) for to_touch in range(4)]
                for max_steps in CAPTURE_STEPS
            ]
            for holders in range(5)
        ]
        for trap in (2, 3)
    ],
    np.uint64,
)
"""Shapes: enemy trap, number of own pieces beside it, index of `CAPTURE_STEPS`, steps until the
enemy touches the piece. The squares where a piece is in danger."""
POSITIONAL_LOSS: Final = np.float32(0.5)
"""Units: rabbits; what a side loses in position with any piece, beyond its value. Guess."""
EVEN_ODDS_LEAD: Final = 750
"""The lead near a trap that lets the enemy rule half of it: about the usual lead at home. Guess."""
LEAD_SCALE: Final = 300  # the additional lead that multiplies the odds of ruling a trap by e. Guess
LEAD_UNIT: Final = 50
MIN_LEAD_UNITS: Final = -40
UNITS: Final = 64
"""Shares are multiples of 1 / `UNITS`, so that their sums do not depend on the order."""
RULED_SHARES: Final = np.array(
    [
        round(UNITS / (1 + math.exp((EVEN_ODDS_LEAD - LEAD_UNIT * part) / LEAD_SCALE))) / UNITS
        for part in range(MIN_LEAD_UNITS, 80)
    ],
    np.float32,
)
"""Shapes: lead near a trap, in `LEAD_UNIT` from `MIN_LEAD_UNITS` on. The ruled share."""
MAX_BLOCKERS: Final = 8
"""The number of enemies before a rabbit, officers counted twice, that close its way. Guess."""


def _ahead(square: int, files: int) -> Word:
    return squares_of(
        other
        for other in SQUARES
        if abs(other % 8 - square % 8) <= files and other // 8 >= square // 8 and other != square
    )


ADVANCED: Final = squares_of(range(16, 56))
"""The squares where a rabbit counts as advanced; on the third rank, by half."""
FIRST_FAR: Final = 24
SQUARES_AHEAD: Final = np.array([[_ahead(square, files) for files in (1, 3)] for square in SQUARES])
"""Shapes: square, whether 3 files wide to each side, else 1. The squares beside a rabbit and ahead.
"""

new_values: Final = on_stack(types.float32, 6)
new_strengths: Final = on_stack(types.int64, 6)


@inlined()
def ruled(lead: int) -> np.float32:
    """Return the share of a trap that a side rules by a lead in strength there."""
    return RULED_SHARES[max(0, min(len(RULED_SHARES) - 1, lead // LEAD_UNIT - MIN_LEAD_UNITS))]


@inlined()
def add_dangers(
    perspective: Perspective,
    own: Kinds,
    others: Kinds,
    values: PieceValues,
    side: Word,
    frozen: Word,
    touches: tuple[Word, Word, Word, Word],
    leads: Leads,
    sign: np.float32,
    counts: Floats,
) -> None:
    """Add the value of own pieces in danger near the enemy's traps, by the steps of the capture."""
    low, middle, high, _ = perspective
    none, one, two, three = touches
    lost, brought = new_values(), new_strengths()
    stronger = 0
    for kind in range(6):
        lost[kind] = values[kind] + POSITIONAL_LOSS
        brought[kind] = HOLDING_STRENGTH[1 if kind == 5 else 0, stronger]
        stronger += count(others[kind])
    for number in range(2, 4):
        near = DANGER_SQUARES[number - 2, count(AT_DISTANCE[number, 1] & side)]
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
            # The strength of the piece in danger saves other pieces, not itself.
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


@inlined()
def add_ruled_rabbits(
    rabbits: Word,
    others: Kinds,
    enemies: Word,
    west: int,
    east: int,
    sign: np.float32,
    counts: Floats,
) -> None:
    """Add the terms of advanced rabbits by their side's control of the trap on their wing.

    ``west`` and ``east`` are the side's control of the enemy's traps.
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
        near, wide = SQUARES_AHEAD[square, 0], SQUARES_AHEAD[square, 1]
        closed = count(near & enemies) + count(wide & officers)
        way = np.float32(max(0, MAX_BLOCKERS - closed)) / np.float32(MAX_BLOCKERS)
        counts[TERM.rabbits_ruled] += part
        counts[TERM.rabbits_through] += part * way
