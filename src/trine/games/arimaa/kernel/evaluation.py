"""The static evaluation of a position for a player: a sum of weighted terms.

Each side is counted on a board flipped so that the side goes north; the value of a term is the
count of one side less that of the other. Nearly all terms are sizes of sets of squares, so a term
takes a few operations for the whole board. Nonlinear functions are applied within the terms, so
that the weights can be fitted.

Sources: *HarLog*, the evaluator of material by "Harren" (devTalk in the forum of arimaa.com, 2006;
constants as in the bot Rhadamanthus); *Russian*, the document with the rule `ejection`, whose
analysis names the squares between the traps, holding traps, freezing and moving from friend to
friend; *Arimaa* (Wikibooks) and its pages on hostages, frames, blockades and the alignment of
pieces, for the ideas of those terms.
"""

import math
from typing import Final

import numpy as np

from trine.core.compiled.arrays import Floats, Row, zobrist_table
from trine.core.compiled.bits import NONE, ONE, Word, count, lowest
from trine.core.compiled.jit import kernel
from trine.core.compiled.rows import as_pointer, inlined
from trine.games.arimaa.board import ARMY_SIZE, SQUARES, TRAPS
from trine.games.arimaa.kernel import layout, perspectives, sets, traps
from trine.games.arimaa.kernel.army import Kinds, kinds_of, material, piece_values
from trine.games.arimaa.kernel.goals import NEAR_GOAL, run, stepped
from trine.games.arimaa.kernel.terms import PIECE_SQUARE_WEIGHTS, TERM
from trine.games.arimaa.kernel.traps import add_threats, touch_steps

CENTRALITY: Final = np.array(
    [6 - abs(2 * (square % 8) - 7) // 2 - abs(2 * (square // 8) - 7) // 2 for square in SQUARES],
    np.int64,
)
"""Shapes: square. 6 in the middle of the board, one less for each step away."""
BETWEEN_TRAPS: Final = (
    layout.squares_of(
        square for square in SQUARES if 2 <= square % 8 <= 5 and 2 <= square // 8 <= 5
    )
    & ~sets.TRAP_SQUARES
)
"""The 12 squares between the traps. Source: Russian, "квадрат между ловушками"."""
_APART: Final = [
    [abs(one % 8 - trap % 8) + abs(one // 8 - trap // 8) for one in SQUARES] for trap in TRAPS
]
NEAR_TRAP: Final = np.array(
    [layout.squares_of(square for square in SQUARES if apart[square] <= 2) for apart in _APART],
    np.uint64,
)
"""Shapes: trap. The squares within two steps of the trap."""
NEAR_TRAPS: Final = np.bitwise_or.reduce(NEAR_TRAP)
PLANE_FACTORS: Final = zobrist_table("arimaa corrections", 4) | ONE
CORRECTION_KEYS: Final = len(TRAPS)
BEYOND_HOME: Final = layout.squares_of(range(16, 64))
MOBILITY: Final = np.array([math.sqrt(min(squares, 25)) for squares in range(65)], np.float32)
"""Shapes: number of squares. The value of mobility: little is far worse than some. Guess."""
BLOCKADE: Final = np.array([(max(0, 16 - squares) / 15) ** 2 for squares in range(65)], np.float32)
"""Shapes: number of squares that an elephant reaches in five steps. The degree of a blockade: 1 if
the elephant cannot move at all, 0 from 16 squares on, which nine of ten free elephants reach.
Guess."""


@inlined()
def closeness(pieces: Word, others: Word, max_steps: int) -> int:
    """Return the sum over pieces of ``max_steps + 1`` less their distance to others, at least 0."""
    near, total = others, 0
    for _ in range(max_steps):
        near |= sets.beside(near)
        total += count(pieces & near)
    return total


@inlined()
def reachable(piece: Word, empty: Word, closed: Word, movable: Word, steps: int) -> Word:
    """Return the squares that a piece reaches; a movable piece in its way costs one more step."""
    before, now = NONE, piece
    for _ in range(steps):
        ahead = (
            now | (sets.beside(now) & empty & ~closed) | (sets.beside(before) & movable & ~closed)
        )
        before, now = now, ahead
    return now


@inlined()
def add_places(
    kinds: Kinds,
    others: Kinds,
    own: Word,
    enemies: Word,
    touched: Word,
    sign: np.float32,
    counts: Floats,
) -> None:
    """Add the terms of placement, mobility, and pieces touched or frozen by enemies."""
    elephant, camel, horses, dogs, cats, rabbits = kinds
    empty = ~(own | enemies)
    small, officers = dogs | cats, own & ~rabbits
    friends = sets.beside(own)
    if elephant:
        counts[TERM.elephant_centre] += sign * np.float32(CENTRALITY[lowest(elephant)])
        counts[TERM.elephant_room] += sign * np.float32(count(sets.beside(elephant) & empty))
        movable = (own | (enemies & ~others[0])) & sets.beside(empty) & ~elephant
        alone = sets.TRAP_SQUARES & ~sets.beside(own & ~elephant)
        way = reachable(elephant, empty, alone, movable, 5)
        counts[TERM.elephant_reach] += sign * MOBILITY[count(way)]
        counts[TERM.elephant_blocked] += sign * BLOCKADE[count(way)]
    if camel:
        danger = sets.beside(others[0]) | (sets.TRAP_SQUARES & ~sets.beside(own & ~camel))
        counts[TERM.camel_reach] += sign * MOBILITY[count(reachable(camel, empty, danger, NONE, 3))]
    counts[TERM.camel_rank] += sign * np.float32(sets.ranks_of(camel))
    counts[TERM.horse_rank] += sign * np.float32(sets.ranks_of(horses))
    counts[TERM.cat_rank] += sign * np.float32(sets.ranks_of(cats))
    counts[TERM.camel_by_elephant] += sign * np.float32(closeness(camel, others[0], 4))
    away = BEYOND_HOME & own
    counts[TERM.horses_by_elephant] += sign * np.float32(closeness(horses & away, others[0], 3))
    counts[TERM.horses_by_camel] += sign * np.float32(closeness(horses & away, others[1], 3))
    counts[TERM.small_by_camel] += sign * np.float32(closeness(small & away, others[1], 2))
    counts[TERM.small_by_horses] += sign * np.float32(closeness(small & away, others[2], 2))
    middle_own = own & BETWEEN_TRAPS
    counts[TERM.between_traps] += sign * np.float32(
        count(middle_own & rabbits)
        + 2 * count(middle_own & cats)
        + 3 * count(middle_own & dogs)
        + 4 * count(middle_own & horses)
        + 5 * count(middle_own & camel)
        + 6 * count(middle_own & elephant)
    )
    frozen = touched & ~friends
    counts[TERM.frozen_camel] += sign * np.float32(count(frozen & camel))
    counts[TERM.frozen_horses] += sign * np.float32(count(frozen & horses))
    counts[TERM.frozen_horses_away] += sign * np.float32(count(frozen & horses & sets.FAR_HALF))
    counts[TERM.frozen_small] += sign * np.float32(count(frozen & small))
    counts[TERM.frozen_rabbits] += sign * np.float32(count(frozen & rabbits))
    counts[TERM.touched_officers] += sign * np.float32(count(touched & officers))
    held = touched & NEAR_TRAPS
    counts[TERM.held_camel] += sign * np.float32(count(held & camel))
    counts[TERM.held_camel_away] += sign * np.float32(count(held & camel & sets.FAR_HALF))
    counts[TERM.held_horses] += sign * np.float32(count(held & horses))
    counts[TERM.held_horses_away] += sign * np.float32(count(held & horses & sets.FAR_HALF))
    counts[TERM.lonely] += sign * np.float32(count(away & ~(friends | elephant)))
    counts[TERM.friends] += sign * np.float32(count(own & friends))
    counts[TERM.room] += sign * np.float32(count(sets.beside(own & ~frozen) & empty))
    counts[TERM.mobile] += sign * np.float32(count(own & ~frozen & sets.beside(empty)))


# --- the advance of rabbits, and runs to the goal -------------------------------------------------

FLANKS: Final = layout.squares_of(
    square for square in SQUARES if square % 8 in (0, 1, 6, 7) and square // 8 >= 2
)
STOPPED_RANKS: Final = layout.squares_of(range(24, 56))
"""The squares where a rabbit counts as stopped: ranks 4 to 7."""
SHORT_RUN: Final = 6
LONG_RUN: Final = 12  # steps; longer runs do not count
RANKS: Final = np.array(
    [layout.squares_of(range(8 * rank, 8 * rank + 8)) for rank in range(8)], np.uint64
)


@inlined()
def steps_of_run(perspective: perspectives.Perspective, rabbits: Word, state: Word) -> int:
    """Return the number of steps of the shortest run of some rabbits to the goal.

    Only officers count as support. If all runs are longer than `LONG_RUN`, the result is one more.
    """
    low, middle, high, own = perspective
    officers = middle | high
    alone = ~sets.beside(own & officers)
    stuck = perspectives.reach(officers & ~own, state) & alone
    closed = low | officers | (sets.TRAP_SQUARES & alone)
    front = rabbits & ~stuck
    for steps in range(1, LONG_RUN + 1):
        front |= stepped(front) & ~closed
        if front & sets.RANK_8:
            return steps
        front &= ~stuck
    return LONG_RUN + 1


@inlined()
def add_rabbits(
    perspective: perspectives.Perspective,
    rabbits: Word,
    enemies: Word,
    left: int,
    state: Word,
    sign: np.float32,
    counts: Floats,
) -> None:
    """Add the terms of a side's rabbits: their advance and their runs to the goal.

    ``left`` is the number of steps that the other side has in its open turn, 4 if it is not to
    move.
    """
    own = perspective[3]
    for rank in range(1, 7):
        counts[TERM.rabbits_rank_2 + rank - 1] += sign * np.float32(count(rabbits & RANKS[rank]))
    counts[TERM.rabbits_flank] += sign * np.float32(count(rabbits & FLANKS))
    before = enemies >> sets.RANK
    before |= before >> sets.RANK
    before |= before >> (sets.RANK + sets.RANK)
    guarded = before | (before & sets.NOT_H) << ONE | (before & sets.NOT_A) >> ONE
    open_way = rabbits & ~guarded & sets.FAR_HALF
    counts[TERM.rabbits_free] += sign * np.float32(sets.ranks_of(open_way) - 3 * count(open_way))
    lost = ARMY_SIZE - count(enemies)
    if lost:
        counts[TERM.rabbits_late] += (
            sign * np.float32(sets.ranks_of(rabbits) * lost) / np.float32(ARMY_SIZE)
        )
    escorted = rabbits & sets.FAR_HALF & sets.beside(own & ~rabbits)
    counts[TERM.rabbits_escorted] += sign * np.float32(
        sets.ranks_of(escorted) - 3 * count(escorted)
    )
    stopped = rabbits & (enemies >> sets.RANK) & STOPPED_RANKS
    counts[TERM.rabbits_stopped] += sign * np.float32(count(stopped))
    counts[TERM.home_open] += sign * np.float32(count(RANKS[0] & ~(own | enemies)))
    runners = rabbits & NEAR_GOAL[perspectives.STEPS_IN_TURN]
    while runners:
        rabbit = perspectives.lowest_of(runners)
        runners ^= rabbit
        if run(perspective, rabbit, perspectives.STEPS_IN_TURN, state) >= 0:
            counts[TERM.goal_in_four] += sign
            counts[TERM.goal_in_four_late] += sign * np.float32(perspectives.STEPS_IN_TURN - left)
            runners = NONE
    steps = steps_of_run(perspective, rabbits, state)
    if steps <= LONG_RUN:
        counts[TERM.goal_in_twelve] += sign
    if steps <= SHORT_RUN:
        counts[TERM.goal_in_six] += sign


# --- both sides ---------------------------------------------------------------------------------

MAX_SCORE: Final = 20_000.0  # points; the bound of scores
UNROLLED_TERMS: Final = len(TERM) - len(TERM) % 4


@inlined()
def piece_square_score(perspective: perspectives.Perspective, weights: Floats) -> np.float32:
    """Return the sum of the piece-square values of a side, in points."""
    low, middle, high, pieces = perspective
    total = np.float32(0)
    while pieces:
        square = lowest(pieces)
        pieces &= pieces - ONE
        kind = 6 - np.int64(layout.piece_on(np.uint64(square), low, middle, high, NONE))
        total += weights[PIECE_SQUARE_WEIGHTS + 64 * kind + square]
    return total


@kernel(no_cpython_wrapper=True)
def add_side(
    perspective: perspectives.Perspective,
    leads: traps.Leads,
    west: int,
    east: int,
    touched_of_both: Word,
    state: Word,
    waiting: bool,
    left: int,
    sign: np.float32,
    weights: Floats,
    counts: Floats,
) -> None:
    """Add all terms of one side except the control of traps.

    ``west`` and ``east`` are the side's control of the enemy's traps, ``touched_of_both`` the
    pieces of both sides beside a stronger enemy.
    """
    # All parts are inlined: calls would pass the sets of the tuples on the stack, which costs a
    # fifth of the time. The whole function is called twice, so it is not inlined.
    low, middle, high, own = perspective
    enemies = (low | middle | high) & ~own
    touched = touched_of_both & own
    kinds, others = kinds_of(perspective, own), kinds_of(perspective, enemies)
    counts[TERM.material] += sign * material(kinds, others)
    counts[TERM.places] += sign * piece_square_score(perspective, weights)
    add_places(kinds, others, own, enemies, touched, sign, counts)
    traps.add_traps(kinds, own, sign, counts)
    free = enemies & (sets.beside(enemies) | ~touched_of_both)
    walkable = ~(own | enemies | (sets.TRAP_SQUARES & ~sets.beside(enemies)))
    touches = touch_steps(kinds, others, free, walkable, state)
    values = piece_values(kinds, others)
    add_threats(kinds, values, own, enemies, touched, touches, sign, waiting, counts)
    frozen = touched & ~sets.beside(own)
    traps.add_dangers(perspective, kinds, others, values, own, frozen, touches, leads, sign, counts)
    add_rabbits(perspective, kinds[5], enemies, left, state, sign, counts)
    traps.add_ruled_rabbits(kinds[5], others, enemies, west, east, sign, counts)


@inlined()
def weighted_sum(weights: Floats, counts: Floats) -> np.float32:
    """Return the sum of the terms times their weights.

    Four partial sums are computed side by side, in a fixed order: in a single sum each addition
    would wait for the one before.
    """
    zero = np.float32(0)
    first, second, third, fourth = zero, zero, zero, zero
    for term in range(0, UNROLLED_TERMS, 4):
        first += weights[term] * counts[term]
        second += weights[term + 1] * counts[term + 1]
        third += weights[term + 2] * counts[term + 2]
        fourth += weights[term + 3] * counts[term + 3]
    for term in range(UNROLLED_TERMS, len(TERM)):
        first += weights[term] * counts[term]
    return (first + second) + (third + fourth)


@kernel()
def evaluate(row: Row, player: int, weights: Floats, counts: Floats) -> int:
    """Return the score of a position for a player, regardless of repetition."""
    here = as_pointer(row)
    for term in range(len(TERM)):
        counts[term] = np.float32(0)
    low, middle, high, silver = layout.planes(here)
    state = here[layout.STATE]
    gold_moves = not state & layout.MOVER
    for_gold = np.float32(1) if player == 0 else np.float32(-1)
    gold = (low | middle | high) & ~silver
    left = perspectives.STEPS_IN_TURN - np.int64((state & layout.STEPS) >> layout.STEPS_AT)
    perspective = (low, middle, high, gold)
    diagonal = state & layout.IS_DIAGONAL != NONE
    touched = sets.outmatched(silver, low, middle, high, diagonal) & gold
    touched |= sets.outmatched(gold, low, middle, high, diagonal) & silver
    leads = traps.trap_leads(perspective, touched)
    west, east = traps.control(leads[0]), traps.control(leads[1])
    far_west, far_east = traps.control(leads[2]), traps.control(leads[3])
    add_side(
        perspective,
        leads,
        far_west,
        far_east,
        touched,
        state,
        not gold_moves,
        perspectives.STEPS_IN_TURN if gold_moves else left,
        for_gold,
        weights,
        counts,
    )
    add_side(
        (
            perspectives.flipped(low),
            perspectives.flipped(middle),
            perspectives.flipped(high),
            perspectives.flipped(silver),
        ),
        traps.flipped_leads(leads),
        -west,
        -east,
        perspectives.flipped(touched),
        state,
        gold_moves,
        left if gold_moves else perspectives.STEPS_IN_TURN,
        -for_gold,
        weights,
        counts,
    )
    ruled = np.float32(west + east + far_west + far_east)
    counts[TERM.trap_control] = for_gold * ruled / np.float32(traps.FULL_CONTROL)
    squares = west * abs(west) + east * abs(east)
    squares += far_west * abs(far_west) + far_east * abs(far_east)
    counts[TERM.trap_control_square] = (
        for_gold * np.float32(squares) / np.float32(traps.FULL_CONTROL**2)
    )
    gone = np.float32(2 * ARMY_SIZE - count(low | middle | high)) / np.float32(ARMY_SIZE)
    counts[TERM.trap_control_late] = counts[TERM.trap_control] * gone
    counts[TERM.steps_left] = left * for_gold if gold_moves else -left * for_gold
    score = weighted_sum(weights, counts)
    return np.int64(round(min(MAX_SCORE, max(-MAX_SCORE, score))))


@kernel()
def correction_key(row: Row, trap: int) -> Word:
    """Return a hash of the pieces within two steps of a trap."""
    near, key = NEAR_TRAP[trap], NONE
    for plane in range(len(PLANE_FACTORS)):
        key ^= (row[layout.BOARD + plane] & near) * PLANE_FACTORS[plane]
    return layout.stir(key)
