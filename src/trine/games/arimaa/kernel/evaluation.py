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

from typing import Final

import numpy as np

from trine.core.compiled.bits import NONE, ONE, Word, count, lowest
from trine.core.compiled.jit import kernel
from trine.games.arimaa.board import ARMY_SIZE
from trine.games.arimaa.kernel.army import kinds_of, material, worths_of
from trine.games.arimaa.kernel.features import PLACE_WEIGHTS, TERM, TERMS, VALUES, Weights
from trine.games.arimaa.kernel.placement import add_places
from trine.games.arimaa.kernel.rabbits import add_rabbits
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
    piece_on,
)
from trine.games.arimaa.kernel.ruled import add_dangers, add_ruled_rabbits
from trine.games.arimaa.kernel.sets import TRAP_SQUARES, beside, outmatched
from trine.games.arimaa.kernel.threats import add_threats, touch_steps
from trine.games.arimaa.kernel.traps import (
    FULL_CONTROL,
    LEADS,
    Leads,
    add_traps,
    control,
    trap_leads,
    turned_leads,
)
from trine.games.arimaa.kernel.view import STEPS_IN_TURN, VIEW, View, turned

MOST: Final = 20_000.0
"""Units: points; the bound of scores."""
WHOLE_FOURS: Final = TERMS - TERMS % 4


@inner(f"float32({VIEW}, {VALUES})")
def places(view: View, weights: Weights) -> np.float32:
    """Return what the pieces of a side are worth where they stand, in points."""
    low, middle, high, pieces = view
    total = np.float32(0)
    while pieces:
        square = lowest(pieces)
        pieces &= pieces - ONE
        kind = 6 - np.int64(piece_on(np.uint64(square), low, middle, high, NONE))
        total += weights[PLACE_WEIGHTS + 64 * kind + square]
    return total


@kernel(
    f"void({VIEW}, {LEADS}, int64, int64, uint64, uint64, boolean, int64, float32, {VALUES},"
    f" {VALUES})",
    no_cpython_wrapper=True,
)
def add_side(
    view: View,
    leads: Leads,
    west: int,
    east: int,
    touched_of_both: Word,
    state: Word,
    waiting: bool,
    left: int,
    sign: np.float32,
    weights: Weights,
    features: Weights,
) -> None:
    """Add all terms of one side of a board, but for the control of traps.

    Args: ``west`` and ``east`` are how far the side controls the traps of the enemy,
        ``touched_of_both`` are the pieces of both sides beside a stronger enemy.
    """
    # All parts are inlined: in calls each set of the tuples would go over the stack, which takes a
    # fifth of the time. This function is not: there are two calls of it.
    low, middle, high, own = view
    enemies = (low | middle | high) & ~own
    touched = touched_of_both & own
    kinds, others = kinds_of(view, own), kinds_of(view, enemies)
    features[TERM.material] += sign * material(kinds, others)
    features[TERM.places] += sign * places(view, weights)
    add_places(kinds, others, own, enemies, touched, sign, features)
    add_traps(kinds, own, sign, features)
    free = enemies & (beside(enemies) | ~touched_of_both)
    walkable = ~(own | enemies | (TRAP_SQUARES & ~beside(enemies)))
    touches = touch_steps(kinds, others, free, walkable, state)
    worths = worths_of(kinds, others)
    add_threats(kinds, worths, own, enemies, touched, touches, sign, waiting, features)
    frozen = touched & ~beside(own)
    add_dangers(view, kinds, others, worths, own, frozen, touches, leads, sign, features)
    add_rabbits(view, kinds[5], enemies, left, state, sign, features)
    add_ruled_rabbits(kinds[5], others, enemies, west, east, sign, features)


@inner(f"float32({VALUES}, {VALUES})")
def weighed(weights: Weights, features: Weights) -> np.float32:
    """Return the sum of the terms times their weights.

    Four sums are made side by side, in a fixed order: in one each addition would wait for the last.
    """
    zero = np.float32(0)
    first, second, third, fourth = zero, zero, zero, zero
    for term in range(0, WHOLE_FOURS, 4):
        first += weights[term] * features[term]
        second += weights[term + 1] * features[term + 1]
        third += weights[term + 2] * features[term + 2]
        fourth += weights[term + 3] * features[term + 3]
    for term in range(WHOLE_FOURS, TERMS):
        first += weights[term] * features[term]
    return (first + second) + (third + fourth)


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
    diagonal = state & IS_DIAGONAL != NONE
    touched = outmatched(silver, low, middle, high, diagonal) & gold
    touched |= outmatched(gold, low, middle, high, diagonal) & silver
    leads = trap_leads(view, touched)
    west, east = control(leads[0]), control(leads[1])
    far_west, far_east = control(leads[2]), control(leads[3])
    add_side(
        view,
        leads,
        far_west,
        far_east,
        touched,
        state,
        not gold_moves,
        STEPS_IN_TURN if gold_moves else left,
        for_gold,
        weights,
        features,
    )
    add_side(
        (turned(low), turned(middle), turned(high), turned(silver)),
        turned_leads(leads),
        -west,
        -east,
        turned(touched),
        state,
        gold_moves,
        left if gold_moves else STEPS_IN_TURN,
        -for_gold,
        weights,
        features,
    )
    ruled = np.float32(west + east + far_west + far_east)
    features[TERM.trap_control] = for_gold * ruled / np.float32(FULL_CONTROL)
    squares = west * abs(west) + east * abs(east)
    squares += far_west * abs(far_west) + far_east * abs(far_east)
    features[TERM.trap_control_square] = (
        for_gold * np.float32(squares) / np.float32(FULL_CONTROL**2)
    )
    gone = np.float32(2 * ARMY_SIZE - count(low | middle | high)) / np.float32(ARMY_SIZE)
    features[TERM.trap_control_late] = features[TERM.trap_control] * gone
    features[TERM.steps_left] = left * for_gold if gold_moves else -left * for_gold
    score = weighed(weights, features)
    return np.int64(round(min(MOST, max(-MOST, score))))
