"""The terms of the evaluation about traps: how many pieces hold them, and which side rules them."""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.compiled.bits import NONE, ONE, Word, count, lowest
from trine.games.arimaa.board import SQUARES, TRAPS
from trine.games.arimaa.kernel.army import KINDS, Kinds, kinds_of
from trine.games.arimaa.kernel.features import TERM, VALUES, Weights
from trine.games.arimaa.kernel.row import inner
from trine.games.arimaa.kernel.sets import beside
from trine.games.arimaa.kernel.threats import HOME_TRAPS, TRAP_BITS
from trine.games.arimaa.kernel.view import VIEW, View

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


@inner(f"void({KINDS}, uint64, float32, {VALUES})")
def add_traps(kinds: Kinds, own: Word, sign: np.float32, features: Weights) -> None:
    """Add the terms of the traps that a side holds."""
    for number in range(len(TRAP_BITS)):
        ring = beside(TRAP_BITS[number])
        holders = count(ring & own)
        at_home = number < HOME_TRAPS
        first = TERM.home_trap_one if at_home else TERM.away_trap_one
        if holders:
            features[first + min(holders, 3) - 1] += sign
            if at_home and ring & own & ~kinds[5]:
                features[TERM.home_trap_officers] += sign
            if ring & kinds[0]:
                features[TERM.elephant_home_trap if at_home else TERM.elephant_away_trap] += sign


@inner(f"uint64({KINDS}, {KINDS}, uint64)")
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


@inner("int64(uint64, int64)")
def lane(strength: Word, number: int) -> int:
    """Return the strength near a trap, given by its number."""
    return np.int64(strength >> np.uint64(LANES * number) & LANE)


@inner("int64(int64)")
def control(lead: int) -> int:
    """Return how far a side with a lead in strength controls a trap, up to `FULL_CONTROL`."""
    part = FULL_CONTROL * abs(lead) // (EVEN_LEAD + abs(lead))
    return part if lead > 0 else -part


@inner(f"{LEADS}({VIEW}, uint64)")
def trap_leads(view: View, touched: Word) -> Leads:
    """Return how much more strength of a side than of the other is near each trap.

    Args: ``touched`` are the pieces of both sides beside a stronger enemy.
    """
    low, middle, high, own = view
    enemies = (low | middle | high) & ~own
    kinds, others = kinds_of(view, own), kinds_of(view, enemies)
    frozen = touched & own & ~beside(own)
    stuck = touched & enemies & ~beside(enemies)
    near, against = strengths(kinds, others, frozen), strengths(others, kinds, stuck)
    return (
        lane(near, 0) - lane(against, 0),
        lane(near, 1) - lane(against, 1),
        lane(near, 2) - lane(against, 2),
        lane(near, 3) - lane(against, 3),
    )


@inner(f"{LEADS}({LEADS})")
def turned_leads(leads: Leads) -> Leads:
    """Return the leads near the traps as the other side sees them, on the board upside down."""
    return -leads[2], -leads[3], -leads[0], -leads[1]
