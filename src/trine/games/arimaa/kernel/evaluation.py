"""The static evaluation of a position for a player: a sum of weighted terms.

Each side is counted on a board turned so that the side goes north; the value of a term is the count
of one side less that of the other. Nearly all terms are sizes of sets of squares, so a term takes a
few operations for the whole board. Nonlinear parts are inside the terms, so that the weights can be
fitted.

Sources: *HarLog*, the evaluator of material by "Harren" (devTalk in the forum of arimaa.com, 2006;
constants as in the bot Rhadamanthus); *Russian*, the document behind `ejection`, whose analysis
names the squares between the traps, holding traps, freezing and moving from friend to friend.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.bits import NONE, count, lowest
from trine.core.jit import kernel
from trine.games.arimaa.board import SQUARES, TRAPS
from trine.games.arimaa.kernel.goals import NEAR_GOAL, run, stepped
from trine.games.arimaa.kernel.row import (
    BOARD,
    IS_DIAGONAL,
    MOVER,
    STATE,
    STEPS,
    STEPS_AT,
    Words,
    as_row,
    inner,
    squares_of,
)
from trine.games.arimaa.kernel.sets import RANK_8, TRAP_SQUARES, beside, outmatched
from trine.games.arimaa.kernel.view import STEPS_IN_TURN, VIEW, View, lowest_of, reach, turned

Weights = NDArray[np.float32]
VALUES: Final = "float32[::1]"
MOST: Final = 20_000.0
"""Units: points; the bound of scores."""

# --- the terms -----------------------------------------------------------------------------------

(
    MATERIAL,
    RABBITS,
    STEPS_LEFT,
    ELEPHANT_CENTRE,
    ELEPHANT_ROOM,
    CAMEL_RANK,
    HORSE_RANK,
    DOG_RANK,
    CAT_RANK,
    CAMEL_NEAR_ELEPHANT,
    BETWEEN_TRAPS,
    HOME_TRAP_ONE,
    HOME_TRAP_TWO,
    HOME_TRAP_MORE,
    AWAY_TRAP_ONE,
    AWAY_TRAP_TWO,
    AWAY_TRAP_MORE,
    ELEPHANT_HOME_TRAP,
    ELEPHANT_AWAY_TRAP,
    FROZEN_CAMEL,
    FROZEN_HORSES,
    FROZEN_SMALL,
    FROZEN_RABBITS,
    TOUCHED_OFFICERS,
    TOUCHED_RABBITS,
    HELD_CAMEL,
    HELD_HORSES,
    HANGING,
    HANGING_WAITING,
    LOOSE,
    LOOSE_WAITING,
    LONELY,
    MOBILE,
    RABBITS_RANK_2,
    RABBITS_RANK_3,
    RABBITS_RANK_4,
    RABBITS_RANK_5,
    RABBITS_RANK_6,
    RABBITS_RANK_7,
    RABBITS_FLANK,
    GOAL_IN_FOUR,
    GOAL_IN_EIGHT,
) = range(42)
TERMS: Final = GOAL_IN_EIGHT + 1

# --- tables --------------------------------------------------------------------------------------

Q: Final = 1.447530126
G: Final = 0.6314442034
FIRST_RABBIT: Final = 0.12507009891301202
"""The cost of the first rabbit lost, which is the unit of material. Source: HarLog."""
NO_RABBIT: Final = -2.0
"""Units: as logarithms; stands for the logarithm of a side without rabbits. Guess."""

OFFICER: Final = np.array(
    [2 / Q / FIRST_RABBIT] + [1 / (Q + above) / FIRST_RABBIT for above in range(1, 9)], np.float32
)
"""Shapes: number of stronger enemy pieces. The value of a piece other than a rabbit."""
CROWD: Final = np.array(
    [
        G * (math.log(product) if product else NO_RABBIT) / FIRST_RABBIT
        for product in range(8 * 16 + 1)
    ],
    np.float32,
)
"""Shapes: number of rabbits times number of pieces. Their value together."""

CENTRE: Final = np.array(
    [6 - abs(2 * (square % 8) - 7) // 2 - abs(2 * (square // 8) - 7) // 2 for square in SQUARES],
    np.int64,
)
"""Shapes: square. 6 in the middle, one less for each step away from it."""
MIDDLE: Final = (
    squares_of(square for square in SQUARES if 2 <= square % 8 <= 5 and 2 <= square // 8 <= 5)
    & ~TRAP_SQUARES
)
"""The square of squares between the traps. Source: Russian, "квадрат между ловушками"."""
FLANKS: Final = squares_of(
    square for square in SQUARES if square % 8 in (0, 1, 6, 7) and square // 8 >= 2
)
NEAR_TRAPS: Final = squares_of(
    square
    for square in SQUARES
    if min(abs(square % 8 - trap % 8) + abs(square // 8 - trap // 8) for trap in TRAPS) <= 2
)
RANKS: Final = np.array([squares_of(range(8 * rank, 8 * rank + 8)) for rank in range(8)], np.uint64)
BEYOND_HOME: Final = squares_of(range(16, 64))
TRAP_BITS: Final = np.array([1 << trap for trap in TRAPS], np.uint64)
"""The home traps first."""
_ODD_RANKS: Final = squares_of(square for square in SQUARES if square // 8 & 1)
_RANKS_BY_TWO: Final = squares_of(square for square in SQUARES if square // 8 & 2)
_UPPER_HALF: Final = squares_of(square for square in SQUARES if square // 8 & 4)


@inner("int64(uint64)")
def ranks_of(squares: np.uint64) -> int:
    """Return the sum of the ranks of a set of squares, the first rank counting 0."""
    return (
        count(squares & _ODD_RANKS)
        + 2 * count(squares & _RANKS_BY_TWO)
        + 4 * count(squares & _UPPER_HALF)
    )


# --- material ------------------------------------------------------------------------------------


@inner(f"float32({VIEW})")
def material(view: View) -> np.float32:
    """Return the HarLog material value of the side of a view."""
    low, middle, high, own = view
    total, officers, above = np.float32(0), 0, 0
    elephants, camels, horses = high & middle, high & low, high & ~(middle | low)
    dogs, cats = middle & low, middle & ~(high | low)
    for kind in (elephants, camels, horses, dogs, cats):
        total += count(kind & own) * OFFICER[above]
        officers += count(kind & own)
        above += count(kind & ~own)
    rabbits = count(low & ~(middle | high) & own)
    return total + CROWD[rabbits * (rabbits + officers)]


# --- one side ------------------------------------------------------------------------------------


@inner(f"int64({VIEW}, uint64)")
def worth(view: View, squares: np.uint64) -> int:
    """Return the rough value of the pieces on some squares, in rabbits."""
    low, middle, high, _ = view
    return (
        count(squares & low & ~(middle | high))
        + 2 * count(squares & middle & ~high)
        + 4 * count(squares & high & ~(middle | low))
        + 6 * count(squares & high & low)
    )


@inner(f"void({VIEW}, uint64, float32, {VALUES})")
def add_places(view: View, touched: np.uint64, sign: np.float32, features: Weights) -> None:
    """Add the terms of placement, mobility, and pieces touched or frozen by enemies."""
    low, middle, high, own = view
    occupied = low | middle | high
    elephant, camel = own & high & middle, own & high & low
    horses, dogs = own & high & ~(middle | low), own & middle & low & ~high
    cats, rabbits = own & middle & ~(low | high), own & low & ~(middle | high)
    if elephant:
        features[ELEPHANT_CENTRE] += sign * CENTRE[lowest(elephant)]
        features[ELEPHANT_ROOM] += sign * count(beside(elephant) & ~occupied)
    features[CAMEL_RANK] += sign * ranks_of(camel)
    features[HORSE_RANK] += sign * ranks_of(horses)
    features[DOG_RANK] += sign * ranks_of(dogs)
    features[CAT_RANK] += sign * ranks_of(cats)
    stronger = high & middle & ~own
    stronger |= beside(stronger)
    features[CAMEL_NEAR_ELEPHANT] += sign * count(camel & (stronger | beside(stronger)))
    middle_own = own & MIDDLE
    features[BETWEEN_TRAPS] += sign * (
        count(middle_own & low) + 2 * count(middle_own & middle) + 4 * count(middle_own & high)
    )
    friends = beside(own)
    frozen = touched & ~friends
    features[FROZEN_CAMEL] += sign * count(frozen & camel)
    features[FROZEN_HORSES] += sign * count(frozen & horses)
    features[FROZEN_SMALL] += sign * count(frozen & (dogs | cats))
    features[FROZEN_RABBITS] += sign * count(frozen & rabbits)
    features[TOUCHED_OFFICERS] += sign * count(touched & ~rabbits)
    features[TOUCHED_RABBITS] += sign * count(touched & rabbits)
    features[HELD_CAMEL] += sign * count(touched & camel & NEAR_TRAPS)
    features[HELD_HORSES] += sign * count(touched & horses & NEAR_TRAPS)
    features[LONELY] += sign * count(own & BEYOND_HOME & ~(friends | elephant))
    features[MOBILE] += sign * count(own & ~frozen & beside(~occupied))


@inner(f"void({VIEW}, uint64, float32, boolean, {VALUES})")
def add_traps(
    view: View, touched: np.uint64, sign: np.float32, waiting: bool, features: Weights
) -> None:
    """Add the terms of the traps that a side holds, and of pieces that it could lose in them."""
    _, middle, high, own = view
    elephant = own & high & middle
    hanging, loose = NONE, NONE
    for number in range(len(TRAP_BITS)):
        trap = TRAP_BITS[number]
        ring = beside(trap)
        holders = count(ring & own)
        first = HOME_TRAP_ONE if number < 2 else AWAY_TRAP_ONE
        if holders:
            features[first + min(holders, 3) - 1] += sign
            if ring & elephant:
                features[ELEPHANT_HOME_TRAP if number < 2 else ELEPHANT_AWAY_TRAP] += sign
        if holders == 1 and trap & own:
            # The only holder can be displaced, or is needed there.
            hanging |= trap if ring & touched else NONE
        elif holders == 1:
            hanging |= ring & touched
        elif holders == 0:
            loose |= beside(ring) & touched
    features[HANGING] += sign * worth(view, hanging)
    features[LOOSE] += sign * worth(view, loose & ~hanging)
    if waiting:
        features[HANGING_WAITING] += sign * worth(view, hanging)
        features[LOOSE_WAITING] += sign * worth(view, loose & ~hanging)


@inner(f"boolean({VIEW}, uint64, uint64)")
def can_run_in_eight(view: View, rabbits: np.uint64, state: np.uint64) -> bool:
    """Return whether a rabbit could run to the goal in two turns, with officers as only support."""
    low, middle, high, own = view
    officers = middle | high
    alone = ~beside(own & officers)
    stuck = reach(officers & ~own, state) & alone
    closed = low | officers | (TRAP_SQUARES & alone)
    front = rabbits & ~stuck
    for _ in range(8):
        front |= stepped(front) & ~closed
        if front & RANK_8:
            return True
        front &= ~stuck
    return False


@inner(f"void({VIEW}, uint64, float32, {VALUES})")
def add_rabbits(view: View, state: np.uint64, sign: np.float32, features: Weights) -> None:
    """Add the terms of the advance of the rabbits of a side, and of their runs to the goal."""
    low, middle, high, own = view
    rabbits = own & low & ~(middle | high)
    for rank in range(1, 7):
        features[RABBITS_RANK_2 + rank - 1] += sign * count(rabbits & RANKS[rank])
    features[RABBITS_FLANK] += sign * count(rabbits & FLANKS)
    runners = rabbits & NEAR_GOAL[STEPS_IN_TURN]
    while runners:
        rabbit = lowest_of(runners)
        runners ^= rabbit
        if run(view, rabbit, STEPS_IN_TURN, state) >= 0:
            features[GOAL_IN_FOUR] += sign
            runners = NONE
    if can_run_in_eight(view, rabbits, state):
        features[GOAL_IN_EIGHT] += sign


@kernel(f"void({VIEW}, uint64, boolean, float32, {VALUES})", no_cpython_wrapper=True)
def add_side(
    view: View, state: np.uint64, waiting: bool, sign: np.float32, features: Weights
) -> None:
    """Add all terms of one side of a board."""
    low, middle, high, own = view
    enemies = (low | middle | high) & ~own
    touched = outmatched(enemies, low, middle, high, state & IS_DIAGONAL != NONE) & own
    features[MATERIAL] += sign * material(view)
    features[RABBITS] += sign * count(own & low & ~(middle | high))
    add_places(view, touched, sign, features)
    add_traps(view, touched, sign, waiting, features)
    add_rabbits(view, state, sign, features)


# --- the entry point -----------------------------------------------------------------------------


@kernel("int64(uint64[::1], int64, float32[::1], float32[::1])")
def evaluate(row: Words, player: int, weights: Weights, features: Weights) -> int:
    """Return the score of a position for a player, regardless of repetition.

    Shapes: ``weights`` has the weights of the terms; ``features`` takes the terms, for the player.
    """
    here = as_row(row)
    for term in range(TERMS):
        features[term] = np.float32(0)
    low, middle, high, silver = here[BOARD], here[BOARD + 1], here[BOARD + 2], here[BOARD + 3]
    state = here[STATE]
    gold_moves = not state & MOVER
    for_gold = np.float32(1) if player == 0 else np.float32(-1)
    gold = (low | middle | high) & ~silver
    add_side((low, middle, high, gold), state, not gold_moves, for_gold, features)
    add_side(
        (turned(low), turned(middle), turned(high), turned(silver)),
        state,
        gold_moves,
        -for_gold,
        features,
    )
    left = STEPS_IN_TURN - np.int64((state & STEPS) >> STEPS_AT)
    features[STEPS_LEFT] = left * for_gold if gold_moves else -left * for_gold
    score = np.float32(0)
    for term in range(TERMS):
        score += weights[term] * features[term]
    return np.int64(round(min(MOST, max(-MOST, score))))
