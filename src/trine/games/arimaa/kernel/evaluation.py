"""The static evaluation of a position for a player: a sum of weighted terms.

Each side is counted on a board turned so that the side goes north; the value of a term is the count
of one side less that of the other. Nearly all terms are sizes of sets of squares, so a term takes a
few operations for the whole board. Nonlinear parts are inside the terms, so that the weights can be
fitted.

Sources: *HarLog*, the evaluator of material by "Harren" (devTalk in the forum of arimaa.com, 2006;
constants as in the bot Rhadamanthus); *Russian*, the document behind `ejection`, whose analysis
names the squares between the traps, holding traps, freezing and moving from friend to friend;
*Arimaa* (Wikibooks) and its pages on hostages, frames, blockades and the alignment of pieces, for
the ideas of those terms.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from trine.core.bits import NONE, ONE, count, lowest
from trine.core.jit import kernel
from trine.games.arimaa.board import SQUARES, TRAPS
from trine.games.arimaa.kernel.army import (
    KINDS,
    Kinds,
    kinds_of,
    material,
    worths_of,
)
from trine.games.arimaa.kernel.features import (
    AWAY_TRAP_ONE,
    BETWEEN_TRAPS,
    CAMEL_BY_ELEPHANT,
    CAMEL_RANK,
    CAMEL_REACH,
    CAT_RANK,
    DOG_RANK,
    ELEPHANT_AWAY_TRAP,
    ELEPHANT_CENTRE,
    ELEPHANT_HOME_TRAP,
    ELEPHANT_REACH,
    ELEPHANT_ROOM,
    FROZEN_CAMEL,
    FROZEN_HORSES,
    FROZEN_RABBITS,
    FROZEN_SMALL,
    GOAL_IN_EIGHT,
    GOAL_IN_FOUR,
    GOAL_IN_FOUR_LATE,
    HELD_CAMEL,
    HELD_CAMEL_AWAY,
    HELD_HORSES,
    HELD_HORSES_AWAY,
    HOME_TRAP_ONE,
    HORSE_RANK,
    HORSES_BY_CAMEL,
    HORSES_BY_ELEPHANT,
    LONELY,
    MATERIAL,
    MOBILE,
    PLACE_WEIGHTS,
    PLACES,
    RABBITS,
    RABBITS_ESCORTED,
    RABBITS_FLANK,
    RABBITS_FREE,
    RABBITS_LATE,
    RABBITS_RANK_2,
    SMALL_BY_CAMEL,
    SMALL_BY_ELEPHANT,
    SMALL_BY_HORSES,
    STEPS_LEFT,
    TERMS,
    TOUCHED_OFFICERS,
    TOUCHED_RABBITS,
    TRAP_CONTROL,
    VALUES,
    Weights,
)
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
from trine.games.arimaa.kernel.sets import (
    NOT_A,
    NOT_H,
    RANK,
    RANK_8,
    TRAP_SQUARES,
    beside,
    outmatched,
)
from trine.games.arimaa.kernel.threats import TRAP_BITS, add_threats, touch_steps
from trine.games.arimaa.kernel.view import STEPS_IN_TURN, VIEW, View, lowest_of, reach, turned

MOST: Final = 20_000.0
"""Units: points; the bound of scores."""

# --- tables --------------------------------------------------------------------------------------

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
ROOM: Final = np.array([math.sqrt(min(squares, 25)) for squares in range(65)], np.float32)
"""Shapes: number of squares. What room to move is worth: little is far worse than some. Guess."""
FAR_HALF: Final = squares_of(range(32, 64))
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
EVEN_LEAD: Final = 1400
"""The lead in strength near a trap that is half of its control. Guess."""
FULL_CONTROL: Final = 256
"""The parts in which control is counted, so that sums do not depend on their order."""

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


# --- one side ------------------------------------------------------------------------------------


@inner("int64(uint64, uint64, int64)")
def closeness(pieces: np.uint64, others: np.uint64, most: int) -> int:
    """Return the sum over some pieces of how much nearer than ``most + 1`` steps others are."""
    near, total = others, 0
    for _ in range(most):
        near |= beside(near)
        total += count(pieces & near)
    return total


@inner("uint64(uint64, uint64, uint64, uint64, int64)")
def strolled(
    piece: np.uint64, empty: np.uint64, closed: np.uint64, movable: np.uint64, steps: int
) -> np.uint64:
    """Return the squares that a piece reaches in some steps; a movable piece costs a step more."""
    before, now = NONE, piece
    for _ in range(steps):
        ahead = now | (beside(now) & empty & ~closed) | (beside(before) & movable & ~closed)
        before, now = now, ahead
    return now


@kernel(
    f"void({KINDS}, {KINDS}, uint64, uint64, uint64, float32, {VALUES})", no_cpython_wrapper=True
)
def add_places(
    kinds: Kinds,
    others: Kinds,
    own: np.uint64,
    enemies: np.uint64,
    touched: np.uint64,
    sign: np.float32,
    features: Weights,
) -> None:
    """Add the terms of placement, mobility, and pieces touched or frozen by enemies."""
    elephant, camel, horses, dogs, cats, rabbits = kinds
    empty = ~(own | enemies)
    small, officers = dogs | cats, own & ~rabbits
    friends = beside(own)
    if elephant:
        features[ELEPHANT_CENTRE] += sign * CENTRE[lowest(elephant)]
        features[ELEPHANT_ROOM] += sign * count(beside(elephant) & empty)
        movable = (own | (enemies & ~others[0])) & beside(empty) & ~elephant
        alone = TRAP_SQUARES & ~beside(own & ~elephant)
        way = strolled(elephant, empty, alone, movable, 5)
        features[ELEPHANT_REACH] += sign * ROOM[count(way)]
    if camel:
        danger = beside(others[0]) | (TRAP_SQUARES & ~beside(own & ~camel))
        features[CAMEL_REACH] += sign * ROOM[count(strolled(camel, empty, danger, NONE, 3))]
    features[CAMEL_RANK] += sign * ranks_of(camel)
    features[HORSE_RANK] += sign * ranks_of(horses)
    features[DOG_RANK] += sign * ranks_of(dogs)
    features[CAT_RANK] += sign * ranks_of(cats)
    features[CAMEL_BY_ELEPHANT] += sign * closeness(camel, others[0], 4)
    away = BEYOND_HOME & own
    features[HORSES_BY_ELEPHANT] += sign * closeness(horses & away, others[0], 3)
    features[HORSES_BY_CAMEL] += sign * closeness(horses & away, others[1], 3)
    features[SMALL_BY_ELEPHANT] += sign * closeness(small & away, others[0], 2)
    features[SMALL_BY_CAMEL] += sign * closeness(small & away, others[1], 2)
    features[SMALL_BY_HORSES] += sign * closeness(small & away, others[2], 2)
    middle_own = own & MIDDLE
    features[BETWEEN_TRAPS] += sign * (
        count(middle_own & rabbits)
        + 2 * count(middle_own & cats)
        + 3 * count(middle_own & dogs)
        + 4 * count(middle_own & horses)
        + 5 * count(middle_own & camel)
        + 6 * count(middle_own & elephant)
    )
    frozen = touched & ~friends
    features[FROZEN_CAMEL] += sign * count(frozen & camel)
    features[FROZEN_HORSES] += sign * count(frozen & horses)
    features[FROZEN_SMALL] += sign * count(frozen & small)
    features[FROZEN_RABBITS] += sign * count(frozen & rabbits)
    features[TOUCHED_OFFICERS] += sign * count(touched & officers)
    features[TOUCHED_RABBITS] += sign * count(touched & rabbits)
    held = touched & NEAR_TRAPS
    features[HELD_CAMEL] += sign * count(held & camel)
    features[HELD_CAMEL_AWAY] += sign * count(held & camel & FAR_HALF)
    features[HELD_HORSES] += sign * count(held & horses)
    features[HELD_HORSES_AWAY] += sign * count(held & horses & FAR_HALF)
    features[LONELY] += sign * count(away & ~(friends | elephant))
    features[MOBILE] += sign * count(own & ~frozen & beside(empty))


@inner(f"void({KINDS}, uint64, float32, {VALUES})")
def add_traps(kinds: Kinds, own: np.uint64, sign: np.float32, features: Weights) -> None:
    """Add the terms of the traps that a side holds."""
    for number in range(len(TRAP_BITS)):
        ring = beside(TRAP_BITS[number])
        holders = count(ring & own)
        first = HOME_TRAP_ONE if number < 2 else AWAY_TRAP_ONE
        if holders:
            features[first + min(holders, 3) - 1] += sign
            if ring & kinds[0]:
                features[ELEPHANT_HOME_TRAP if number < 2 else ELEPHANT_AWAY_TRAP] += sign


@inner(f"int64({KINDS}, {KINDS}, uint64, int64)")
def hold(kinds: Kinds, others: Kinds, frozen: np.uint64, number: int) -> int:
    """Return how much strength of a side is near a trap, given by its number."""
    total, stronger = 0, 0
    one, two, three = NEAR_TRAP[number, 0], NEAR_TRAP[number, 1], NEAR_TRAP[number, 2]
    for kind in range(6):
        pieces = kinds[kind]
        free, stuck = pieces & ~frozen, pieces & frozen
        near = 8 * count(free & one) + 5 * count(free & two) + 2 * count(free & three)
        near += 4 * count(stuck & one) + 2 * count(stuck & two)
        total += near * STRENGTH_BY[1 if kind == 5 else 0, stronger]
        stronger += count(others[kind])
    return total


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


@inner(f"void({VIEW}, uint64, uint64, int64, uint64, float32, {VALUES})")
def add_rabbits(
    view: View,
    rabbits: np.uint64,
    enemies: np.uint64,
    left: int,
    state: np.uint64,
    sign: np.float32,
    features: Weights,
) -> None:
    """Add the terms of the advance of the rabbits of a side, and of their runs to the goal.

    Args: ``left`` is the number of steps that the other side has in its open turn, 4 if it is not
        to move.
    """
    own = view[3]
    for rank in range(1, 7):
        features[RABBITS_RANK_2 + rank - 1] += sign * count(rabbits & RANKS[rank])
    features[RABBITS_FLANK] += sign * count(rabbits & FLANKS)
    before = enemies >> RANK
    before |= before >> RANK
    before |= before >> (RANK + RANK)
    guarded = before | (before & NOT_H) << ONE | (before & NOT_A) >> ONE
    open_way = rabbits & ~guarded & FAR_HALF
    features[RABBITS_FREE] += sign * (ranks_of(open_way) - 3 * count(open_way))
    lost = 16 - count(enemies)
    if lost:
        features[RABBITS_LATE] += sign * np.float32(ranks_of(rabbits) * lost) / np.float32(16)
    escorted = rabbits & FAR_HALF & beside(own & ~rabbits)
    features[RABBITS_ESCORTED] += sign * (ranks_of(escorted) - 3 * count(escorted))
    runners = rabbits & NEAR_GOAL[STEPS_IN_TURN]
    while runners:
        rabbit = lowest_of(runners)
        runners ^= rabbit
        if run(view, rabbit, STEPS_IN_TURN, state) >= 0:
            features[GOAL_IN_FOUR] += sign
            features[GOAL_IN_FOUR_LATE] += sign * (STEPS_IN_TURN - left)
            runners = NONE
    if can_run_in_eight(view, rabbits, state):
        features[GOAL_IN_EIGHT] += sign


@inner(f"float32({KINDS}, {VALUES})")
def places(kinds: Kinds, weights: Weights) -> np.float32:
    """Return what the pieces of a side are worth where they stand, in points."""
    total = np.float32(0)
    for kind in range(6):
        pieces = kinds[kind]
        while pieces:
            total += weights[PLACE_WEIGHTS + 64 * kind + lowest(pieces)]
            pieces &= pieces - ONE
    return total


@kernel(
    f"void({VIEW}, uint64, boolean, int64, float32, {VALUES}, {VALUES})", no_cpython_wrapper=True
)
def add_side(
    view: View,
    state: np.uint64,
    waiting: bool,
    left: int,
    sign: np.float32,
    weights: Weights,
    features: Weights,
) -> None:
    """Add all terms of one side of a board, but for the control of traps."""
    low, middle, high, own = view
    enemies = (low | middle | high) & ~own
    diagonal = state & IS_DIAGONAL != NONE
    touched = outmatched(enemies, low, middle, high, diagonal) & own
    kinds, others = kinds_of(view, own), kinds_of(view, enemies)
    features[MATERIAL] += sign * material(kinds, others)
    features[RABBITS] += sign * count(kinds[5])
    features[PLACES] += sign * places(kinds, weights)
    add_places(kinds, others, own, enemies, touched, sign, features)
    add_traps(kinds, own, sign, features)
    free = enemies & (beside(enemies) | ~outmatched(own, low, middle, high, diagonal))
    walkable = ~(own | enemies | (TRAP_SQUARES & ~beside(enemies)))
    touches = touch_steps(kinds, others, free, walkable, state)
    worths = worths_of(kinds, others)
    add_threats(kinds, worths, own, enemies, touched, touches, sign, waiting, features)
    add_rabbits(view, kinds[5], enemies, left, state, sign, features)


# --- the entry point -----------------------------------------------------------------------------


@kernel(f"float32({VIEW}, uint64)", no_cpython_wrapper=True)
def trap_control(view: View, state: np.uint64) -> np.float32:
    """Return the sum over the traps of how far a side controls each, from -1 to 1."""
    low, middle, high, own = view
    enemies = (low | middle | high) & ~own
    diagonal = state & IS_DIAGONAL != NONE
    kinds, others = kinds_of(view, own), kinds_of(view, enemies)
    frozen = outmatched(enemies, low, middle, high, diagonal) & own & ~beside(own)
    stuck = outmatched(own, low, middle, high, diagonal) & enemies & ~beside(enemies)
    total = 0
    for number in range(4):
        lead = hold(kinds, others, frozen, number) - hold(others, kinds, stuck, number)
        part = FULL_CONTROL * abs(lead) // (EVEN_LEAD + abs(lead))
        total += part if lead > 0 else -part
    return np.float32(total) / np.float32(FULL_CONTROL)


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
    left = STEPS_IN_TURN - np.int64((state & STEPS) >> STEPS_AT)
    view = (low, middle, high, gold)
    add_side(
        view,
        state,
        not gold_moves,
        STEPS_IN_TURN if gold_moves else left,
        for_gold,
        weights,
        features,
    )
    add_side(
        (turned(low), turned(middle), turned(high), turned(silver)),
        state,
        gold_moves,
        left if gold_moves else STEPS_IN_TURN,
        -for_gold,
        weights,
        features,
    )
    features[TRAP_CONTROL] = for_gold * trap_control(view, state)
    features[STEPS_LEFT] = left * for_gold if gold_moves else -left * for_gold
    score = np.float32(0)
    for term in range(TERMS):
        score += weights[term] * features[term]
    return np.int64(round(min(MOST, max(-MOST, score))))
