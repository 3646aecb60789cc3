"""Move ordering, tactical actions, and null moves.

Tactical actions are each the beginning of a capture within this turn. The enemy pieces that can be
removed are found exactly, each with the first action of a turn that removes it. Steps, each half of
a push or pull, move a piece into a trap; all other pieces of its side beside the trap must be
displaced, too. Each displacement takes two steps; the remaining steps can prepare them. Rabbits
that can be pushed off the board are included (`ejection`).
"""

from typing import Final

import numpy as np
from numba import types

from trine.core.compiled.arrays import Buffer, Row, Rows
from trine.core.compiled.bits import NONE, ONE, Word, count, lowest
from trine.core.compiled.jit import kernel
from trine.core.compiled.rows import (
    BufferPointer,
    RowPointer,
    as_pointer,
    inlined,
    on_stack,
    row_at,
)
from trine.games.arimaa.board import SQUARES, TRAPS
from trine.games.arimaa.kernel import layout, perspectives, sets
from trine.games.arimaa.kernel.rules import end_into

# The scores of actions, from -1,000 to 1,000. Some were tuned by games, the others are guesses.
AT_GOAL: Final = 1000
CAPTURE: Final = 600
"""The score of a completed capture; `BY_STRENGTH` is added for the captured piece's strength."""
BY_STRENGTH: Final = 60
DISPLACE: Final = 60
LOSE_SELF: Final = -900
LOSE_FRIEND: Final = -600
TO_TRAP: Final = 80
FROM_TRAP: Final = -95
ATTACK: Final = 90
ESCAPE: Final = 70
INTO_DANGER: Final = -70
STRENGTH_COUNT: Final = 7  # number of strengths: 1 to 6, and 0 for an empty square
RETURN: Final = -340
"""The score of a step to a square that was occupied when the turn began: mostly, a piece
returns."""
NEAR_CHANGE: Final = 35
"""The score of a step from or to a square that the turn has changed, or a neighbour of one."""
EARLY_END: Final = -150  # the score of ending the turn with steps left
STEP_SCORES: Final = np.array([0, -70, -20, 0, 20, 20, 50], np.int64)
"""Shapes: strength. The score of any step by an own piece."""

new_sets: Final = on_stack(types.uint64, STRENGTH_COUNT)


@inlined()
def leaves_alone(origin: Word, side: Word) -> bool:
    """Return whether a step off a square leaves a piece of ``side`` undefended in a trap."""
    trap = sets.beside(origin) & sets.TRAP_SQUARES & side
    return trap != NONE and count(sets.beside(trap) & side) == 1


@inlined()
def rate_displacing(origin: Word, target: Word, strength: Word, enemies: Word) -> int:
    """Return the score of displacing an enemy piece to a square, or off the board."""
    size = np.int64(strength) * BY_STRENGTH
    trapped = target & sets.TRAP_SQUARES and count(sets.beside(target) & enemies) == 1
    if target == NONE or trapped or leaves_alone(origin, enemies):
        return CAPTURE + size
    return DISPLACE + size // 2 + (TO_TRAP if target & sets.beside(sets.TRAP_SQUARES) else 0)


@inlined()
def find_enemies(row: RowPointer, enemies: Word, prey: RowPointer, danger: RowPointer) -> None:
    """Write, for each strength, the squares beside weaker and beside stronger enemies."""
    low, middle, high = row[layout.BOARD], row[layout.BOARD + 1], row[layout.BOARD + 2]
    weaker = NONE
    for number in range(1, STRENGTH_COUNT):
        weaker_or_equal = sets.weaker_than(np.uint64(number + 1), low, middle, high) & enemies
        prey[number] = sets.beside(weaker)
        danger[number] = sets.beside(enemies & ~weaker_or_equal)
        weaker = weaker_or_equal


@inlined()
def rate_step(
    row: RowPointer,
    origin: Word,
    target: Word,
    strength: Word,
    own: Word,
    prey: Word,
    danger: Word,
    near: Word,
) -> int:
    """Return the score of a step of an own piece.

    ``prey`` and ``danger`` are the squares beside weaker and beside stronger enemies, ``near`` the
    squares that the turn has changed and their neighbours.
    """
    score = STEP_SCORES[strength]
    ring = sets.beside(sets.TRAP_SQUARES)
    if strength == ONE and target & (
        sets.SILVER_GOAL if row[layout.STATE] & layout.MOVER else sets.GOLD_GOAL
    ):
        return AT_GOAL
    if target & sets.TRAP_SQUARES and count(sets.beside(target) & own) == 1:
        score += LOSE_SELF
    if leaves_alone(origin, own):
        score += LOSE_FRIEND
    if (origin | target) & near:
        score += NEAR_CHANGE
    if target & ring:
        score += TO_TRAP
    if origin & ring:
        score += FROM_TRAP
    if target & prey:
        score += ATTACK
    if origin & danger:
        score += ESCAPE
    if target & danger and not target & sets.beside(own ^ origin):
        score += INTO_DANGER
    begun = (
        row[layout.START] & target
        or row[layout.START + 1] & target
        or row[layout.START + 2] & target
    )
    if begun:
        score += RETURN
    return score


@kernel()
def score_moves(row: Row, actions: Buffer, total: int, scores: Buffer) -> None:
    """Write a score for each action, from -1,000 to 1,000, without a search."""
    here = as_pointer(row)
    low, middle, high, silver = layout.planes(here)
    occupied = low | middle | high
    own = silver if here[layout.STATE] & layout.MOVER else occupied & ~silver
    enemies = occupied ^ own
    prey, danger = as_pointer(new_sets()), as_pointer(new_sets())
    find_enemies(here, enemies, prey, danger)
    changed = (
        here[layout.START] ^ low | here[layout.START + 1] ^ middle | here[layout.START + 2] ^ high
    )
    near = changed | sets.beside(changed)
    for index in range(total):
        action = np.int64(actions[index])
        if action >= layout.END:
            scores[index] = EARLY_END if action == layout.END else 0
            continue
        square = np.uint64(action >> 2) & layout.LAST_SQUARE
        origin, target = ONE << square, layout.TARGET_BIT[action]
        strength = layout.piece_on(square, low, middle, high, silver) & layout.SEVEN
        if origin & own:
            score = rate_step(
                here, origin, target, strength, own, prey[strength], danger[strength], near
            )
        else:
            score = rate_displacing(origin, target, strength, enemies)
        scores[index] = max(-1000, min(1000, score))


NO_CAPTURE: Final = -1
OVER_EDGE: Final = len(TRAPS)  # the way over the edge, numbered after the traps
WAYS: Final = OVER_EDGE + 1  # number of ways to lose a piece: in a trap, or over the edge
TRAP_SETS: Final = np.array([1 << trap for trap in TRAPS] + [0], np.uint64)
"""Shapes: way. The trap as a set; empty for the edge."""


def _away(diagonal: bool) -> list[list[int]]:
    join = max if diagonal else sum
    traps = [
        [join((abs(square % 8 - trap % 8), abs(square // 8 - trap // 8))) for square in SQUARES]
        for trap in TRAPS
    ]
    return [*traps, [1 + min(square // 8, 7 - square // 8) for square in SQUARES]]


DISPLACEMENTS: Final = np.array([_away(False), _away(True)], np.int64)
"""Shapes: whether pieces can be pulled over corners, way, square. The least number of displacements
that bring a piece from the square to the trap, or off the board."""


@inlined()
def steps_needed(perspective: perspectives.Perspective, victim: Word, way: int, state: Word) -> int:
    """Return the least number of steps that a removal takes by one way: a trap, or the edge."""
    low, middle, high, own = perspective
    if way == OVER_EDGE:
        if not state & layout.IS_EJECTION or not victim & low & ~(middle | high):
            return 99
        return 2 * DISPLACEMENTS[state & layout.IS_DIAGONAL, OVER_EDGE, lowest(victim)]
    others = (low | middle | high) & ~(own | victim)
    away = DISPLACEMENTS[state & layout.IS_DIAGONAL, way, lowest(victim)]
    return 2 * (away + count(sets.beside(TRAP_SETS[way]) & others))


@inlined()
def step_between(origin: Word, target: Word) -> int:
    """Return the number of the step from a square to one beside it, or off the board."""
    if target == NONE:
        direction = layout.NORTH if origin & sets.RANK_8 else layout.SOUTH
    elif target == origin << sets.RANK:
        direction = layout.NORTH
    elif target == origin >> sets.RANK:
        direction = layout.SOUTH
    else:
        direction = layout.EAST if target > origin else layout.WEST
    return lowest(origin) * 4 + direction


@inlined()
def zone(victim: Word, way: int, spare: int, state: Word) -> Word:
    """Return the squares that matter to a removal: a preparing step must change one of them.

    ``spare`` is the number of preparing steps left after that step.
    """
    squares = victim | sets.beside(TRAP_SETS[way])
    for _ in range(3 + 2 * spare):
        squares = perspectives.widened(squares, state)
    return squares


@inlined()
def is_in_reach(
    perspective: perspectives.Perspective, victim: Word, way: int, left: int, state: Word
) -> bool:
    """Return whether a victim is already on the trap, or a stronger piece may reach it in time.

    Steps that the displacements leave over can bring the stronger piece nearer.
    """
    low, middle, high, own = perspective
    square = np.uint64(lowest(victim))
    away = DISPLACEMENTS[state & layout.IS_DIAGONAL, way, square]
    if away == 0:
        return True
    near = victim
    for _ in range(1 + left - 2 * away):
        near = perspectives.widened(near, state)
    strength = layout.piece_on(square, low, middle, high, NONE)
    return near & own & sets.stronger_than(strength, low, middle, high) != NONE


@inlined()
def is_gone(perspective: perspectives.Perspective, victim: Word) -> bool:
    """Return whether no enemy piece is on a square, or the square is off the board."""
    low, middle, high, own = perspective
    return not victim & (low | middle | high) & ~own


@kernel(no_cpython_wrapper=True)
def capture_step(
    perspective: perspectives.Perspective, victim: Word, way: int, left: int, state: Word
) -> int:
    """Return the first step, in the perspective, of a removal by one way, or `NO_CAPTURE`."""
    spare = left - steps_needed(perspective, victim, way, state)
    if spare < 0:
        return NO_CAPTURE
    if not is_in_reach(perspective, victim, way, left, state):
        return NO_CAPTURE
    own = perspective[3]
    by_step = zone(victim, way, spare - 1, state) if spare >= 1 else NONE
    by_two = ~own if spare >= 2 else victim | (sets.beside(TRAP_SETS[way]) & ~own)
    free = perspectives.free_of(perspective, state)
    origins = perspectives.first_movers(perspective, free, left, state)
    origins &= by_two | (
        own & (perspectives.reach(by_two, state) | perspectives.widened(by_step, state))
    )
    while origins:
        origin = perspectives.lowest_of(origins)
        origins ^= origin
        is_own = own & origin != NONE
        seconds = perspectives.seconds_of(perspective, free, origin, state)
        if is_own:
            seconds &= by_two
            if not seconds and not perspectives.widened(origin, state) & by_step:
                continue
        targets, off = (
            perspectives.targets_of(perspective, origin),
            perspectives.off_board(perspective, origin, state),
        )
        while targets or off:
            target = perspectives.lowest_of(targets)
            off = off if target else NONE
            targets ^= target
            half = perspectives.moved(perspective, origin, target, is_own)
            there = target if origin == victim else victim
            if is_own and by_step and capture_step(half, victim, way, left - 1, state) >= 0:
                return step_between(origin, target)
            others = seconds
            while others:
                second = perspectives.lowest_of(others)
                others ^= second
                full = perspectives.moved(half, second, origin, not is_own)
                then = origin if second == victim else there
                if is_gone(half, there) or is_gone(full, then):
                    return step_between(origin, target)
                if left > 2 and capture_step(full, then, way, left - 2, state) >= 0:
                    return step_between(origin, target)
    return NO_CAPTURE


@kernel(no_cpython_wrapper=True)
def any_capture_step(
    perspective: perspectives.Perspective, victim: Word, left: int, preparing: int, state: Word
) -> int:
    """Like `capture_step`, by the shortest way; at most ``preparing`` steps only prepare."""
    for prepared in range(min(preparing, left) + 1):
        for way in range(WAYS):
            needed = steps_needed(perspective, victim, way, state) + prepared
            if needed <= left:
                first = capture_step(perspective, victim, way, needed, state)
                if first >= 0:
                    return first
    return NO_CAPTURE


@inlined()
def capture_by_follower(
    row: RowPointer, perspective: perspectives.Perspective, victim: Word, preparing: int
) -> int:
    """Return the completion of an open push or pull if it leads to a removal, or `NO_CAPTURE`."""
    state, left = row[layout.STATE], perspectives.steps_left(row)
    followers, hole = perspectives.followers_of(row)
    while followers:
        follower = perspectives.lowest_of(followers)
        followers ^= follower
        after = perspectives.moved(perspective, follower, hole, perspective[3] & follower != NONE)
        then = hole if follower == victim else victim
        if is_gone(after, then) or any_capture_step(after, then, left - 1, preparing, state) >= 0:
            square = lowest(follower) ^ (perspectives.FLIP_MASK if state & layout.MOVER else 0)
            over = np.int64(state >> layout.LEFT_AT & layout.LAST_SQUARE) - square
            return square * 4 + layout.STEP_OVER[over + 9]
    return NO_CAPTURE


@kernel(no_cpython_wrapper=True)
def capture_start(
    row: RowPointer, perspective: perspectives.Perspective, victim: Word, preparing: int
) -> int:
    """Return the first action, in this turn, of a removal of an enemy piece, or `NO_CAPTURE`.

    At most ``preparing`` steps only prepare: the result is exact if all steps of a turn may.
    ``perspective`` is the row's, ``victim`` a square in it.
    """
    if row[layout.FOLLOWERS]:
        first = capture_by_follower(row, perspective, victim, preparing)
        if first >= 0 or row[layout.STATE] & layout.DUE:
            return first
    first = any_capture_step(
        perspective, victim, perspectives.steps_left(row), preparing, row[layout.STATE]
    )
    return perspectives.absolute_step(first, row[layout.STATE]) if first >= 0 else NO_CAPTURE


# --- tactical actions, and null moves -------------------------------------------------------------

MAX_PREPARING: Final = 1
"""Units: steps; captures that need more preparing steps, besides displacements, are not tactical.
With two, a tenth of the speed is lost, and no more games are won."""


@inlined()
def is_listed(out: BufferPointer, total: int, action: int) -> bool:
    index = 0
    while index < total and out[index] != action:
        index += 1
    return index < total


@kernel()
def must_act(row: Row) -> bool:
    """Return whether a push must be completed, or the turn must end."""
    state = row[layout.STATE]
    return state & layout.IN_SETUP == NONE and (
        state & layout.DUE != NONE or state & layout.STEPS == layout.FOUR_STEPS
    )


@kernel()
def tactical(row: Row, out: Buffer) -> int:
    """Write, for each enemy piece that can be captured this turn, the capture's first action."""
    here, found = as_pointer(row), as_pointer(out)
    if here[layout.STATE] & layout.IN_SETUP:
        return 0
    perspective = perspectives.perspective_of(here)
    enemies = (perspective[0] | perspective[1] | perspective[2]) & ~perspective[3]
    total = 0
    while enemies:
        victim = perspectives.lowest_of(enemies)
        enemies ^= victim
        action = capture_start(here, perspective, victim, MAX_PREPARING)
        if action >= 0 and not is_listed(found, total, action):
            found[total] = action
            total += 1
    return total


@kernel()
def null_move(rows: Rows, ply: int) -> bool:
    """Write the row after a null move; return false within a push, and in the setup.

    The turn ends even if the board has not changed.
    """
    here = row_at(rows, ply)
    if here[layout.STATE] & (layout.IN_SETUP | layout.DUE):
        return False
    end_into(here, row_at(rows, ply + 1))
    return True
