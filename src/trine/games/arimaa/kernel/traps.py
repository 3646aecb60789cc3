"""The terms of the evaluation about traps: how many pieces hold them, and which side rules them."""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.compiled.bits import count
from trine.core.compiled.jit import kernel
from trine.games.arimaa.board import SQUARES, TRAPS
from trine.games.arimaa.kernel.army import KINDS, Kinds, kinds_of
from trine.games.arimaa.kernel.features import TERM, VALUES, Weights
from trine.games.arimaa.kernel.row import inner, squares_of
from trine.games.arimaa.kernel.sets import beside
from trine.games.arimaa.kernel.threats import TRAP_BITS
from trine.games.arimaa.kernel.view import VIEW, View

NEAR_TRAP: Final = np.array(
    [
        [
            squares_of(
                square
                for square in SQUARES
                if abs(square % 8 - trap % 8) + abs(square // 8 - trap // 8) in distances
            )
            for distances in ((1,), (0, 2), (3,))
        ]
        for trap in TRAPS
    ],
    np.uint64,
)
"""Shapes: number of a trap, nearness. Squares beside it; two steps away or in it; three away."""
STRENGTH_BY: Final = np.array(
    [
        [round((30 if rabbit else 100) * 3 / (3 + above)) for above in range(17)]
        for rabbit in (False, True)
    ],
    np.int64,
)
"""Shapes: whether a rabbit, number of stronger enemy pieces. The strength of a piece near a trap,
in hundredths of that of an elephant. Guess."""
BY_DISTANCE: Final = np.array([(5, 2), (8, 4), (5, 2), (2, 0)], np.int64)
"""Shapes: distance from a trap, whether frozen. The part of its strength that a piece has there.
Guess."""
EVEN_LEAD: Final = 1400
"""The lead in strength near a trap that is half of its control. Guess."""
FULL_CONTROL: Final = 256
"""The parts in which control is counted, so that sums do not depend on their order."""
Leads = tuple[int, int, int, int]
LEADS: Final = "UniTuple(int64, 4)"
"""The lead in strength near each trap, those at home first."""


@inner(f"void({KINDS}, uint64, float32, {VALUES})")
def add_traps(kinds: Kinds, own: np.uint64, sign: np.float32, features: Weights) -> None:
    """Add the terms of the traps that a side holds."""
    for number in range(len(TRAP_BITS)):
        ring = beside(TRAP_BITS[number])
        holders = count(ring & own)
        first = TERM.home_trap_one if number < 2 else TERM.away_trap_one
        if holders:
            features[first + min(holders, 3) - 1] += sign
            if ring & kinds[0]:
                features[TERM.elephant_home_trap if number < 2 else TERM.elephant_away_trap] += sign


@inner(f"int64({KINDS}, int64, int64, boolean)")
def strength_near(others: Kinds, kind: int, distance: int, frozen: bool) -> int:
    """Return how much strength one piece of a kind brings near a trap."""
    stronger = 0
    for above in range(kind):
        stronger += count(others[above])
    near = BY_DISTANCE[distance, 1 if frozen else 0]
    return near * STRENGTH_BY[1 if kind == 5 else 0, stronger]


@inner(f"int64({KINDS}, {KINDS}, uint64, int64)")
def hold(kinds: Kinds, others: Kinds, frozen: np.uint64, number: int) -> int:
    """Return how much strength of a side is near a trap, given by its number."""
    total, stronger = 0, 0
    one, two, three = NEAR_TRAP[number, 0], NEAR_TRAP[number, 1], NEAR_TRAP[number, 2]
    for kind in range(6):
        pieces = kinds[kind]
        free, stuck = pieces & ~frozen, pieces & frozen
        near = BY_DISTANCE[1, 0] * count(free & one) + BY_DISTANCE[2, 0] * count(free & two)
        near += BY_DISTANCE[3, 0] * count(free & three)
        near += BY_DISTANCE[1, 1] * count(stuck & one) + BY_DISTANCE[2, 1] * count(stuck & two)
        total += near * STRENGTH_BY[1 if kind == 5 else 0, stronger]
        stronger += count(others[kind])
    return total


@inner("int64(int64)")
def control(lead: int) -> int:
    """Return how far a side with a lead in strength controls a trap, up to `FULL_CONTROL`."""
    part = FULL_CONTROL * abs(lead) // (EVEN_LEAD + abs(lead))
    return part if lead > 0 else -part


@inner(f"int64({KINDS}, {KINDS}, uint64, uint64, int64)")
def lead_at(kinds: Kinds, others: Kinds, frozen: np.uint64, stuck: np.uint64, number: int) -> int:
    """Return how much more strength of a side than of the other is near a trap."""
    return hold(kinds, others, frozen, number) - hold(others, kinds, stuck, number)


@kernel(f"{LEADS}({VIEW}, uint64)", no_cpython_wrapper=True)
def trap_leads(view: View, touched: np.uint64) -> Leads:
    """Return how much more strength of a side than of the other is near each trap.

    Args: ``touched`` are the pieces of both sides beside a stronger enemy.
    """
    low, middle, high, own = view
    enemies = (low | middle | high) & ~own
    kinds, others = kinds_of(view, own), kinds_of(view, enemies)
    frozen = touched & own & ~beside(own)
    stuck = touched & enemies & ~beside(enemies)
    return (
        lead_at(kinds, others, frozen, stuck, 0),
        lead_at(kinds, others, frozen, stuck, 1),
        lead_at(kinds, others, frozen, stuck, 2),
        lead_at(kinds, others, frozen, stuck, 3),
    )


@inner(f"{LEADS}({LEADS})")
def turned_leads(leads: Leads) -> Leads:
    """Return the leads near the traps as the other side sees them, on the board upside down."""
    return -leads[2], -leads[3], -leads[0], -leads[1]
