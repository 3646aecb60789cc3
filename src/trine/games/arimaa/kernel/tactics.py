"""Tactical actions, each the beginning of a capture within this turn; and null moves.

The enemy pieces that can be removed are found exactly, each with the first action of a turn that
removes it. Steps, each half of a push or pull, move a piece into a trap; all other pieces of its
side beside the trap must be displaced, too. Each displacement takes two steps; the remaining steps
can prepare them. Rabbits that can be pushed off the board are included (`ejection`).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Buffer, Row, Rows
from trine.core.compiled.bits import NONE, Word, count, lowest
from trine.core.compiled.jit import kernel
from trine.core.compiled.rows import BufferPointer, RowPointer, as_out, as_row, inlined, row_at
from trine.games.arimaa.board import SQUARES, TRAPS
from trine.games.arimaa.kernel import layout
from trine.games.arimaa.kernel.perspectives import (
    FLIP_MASK,
    Perspective,
    absolute_step,
    first_movers,
    followers_of,
    free_of,
    lowest_of,
    moved,
    off_board,
    perspective_of,
    reach,
    seconds_of,
    steps_left,
    targets_of,
    widened,
)
from trine.games.arimaa.kernel.rules import end_into
from trine.games.arimaa.kernel.sets import RANK, RANK_8, beside, stronger_than

NO_CAPTURE: Final = -1
"""The piece cannot be removed."""
OVER_EDGE: Final = len(TRAPS)
"""The way over the edge, numbered after the traps."""
WAYS: Final = OVER_EDGE + 1
"""The number of ways to lose a piece: in a trap, or over the edge."""
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
def steps_needed(perspective: Perspective, victim: Word, way: int, state: Word) -> int:
    """Return the least number of steps that a removal takes by one way: a trap, or the edge."""
    low, middle, high, own = perspective
    if way == OVER_EDGE:
        if not state & layout.IS_EJECTION or not victim & low & ~(middle | high):
            return 99
        return 2 * DISPLACEMENTS[state & layout.IS_DIAGONAL, OVER_EDGE, lowest(victim)]
    others = (low | middle | high) & ~(own | victim)
    away = DISPLACEMENTS[state & layout.IS_DIAGONAL, way, lowest(victim)]
    return 2 * (away + count(beside(TRAP_SETS[way]) & others))


@inlined()
def step_between(origin: Word, target: Word) -> int:
    """Return the number of the step from a square to one beside it, or off the board."""
    if target == NONE:
        direction = layout.NORTH if origin & RANK_8 else layout.SOUTH
    elif target == origin << RANK:
        direction = layout.NORTH
    elif target == origin >> RANK:
        direction = layout.SOUTH
    else:
        direction = layout.EAST if target > origin else layout.WEST
    return lowest(origin) * 4 + direction


@inlined()
def zone(victim: Word, way: int, spare: int, state: Word) -> Word:
    """Return the squares that matter to a removal: a preparing step must change one of them.

    ``spare`` is the number of preparing steps left after that step.
    """
    squares = victim | beside(TRAP_SETS[way])
    for _ in range(3 + 2 * spare):
        squares = widened(squares, state)
    return squares


@inlined()
def is_near(perspective: Perspective, victim: Word, way: int, left: int, state: Word) -> bool:
    """Return whether an enemy piece is already on the trap, or a stronger piece is near enough.

    Spare steps, and displacements of other pieces, can bring the stronger piece nearer.
    """
    low, middle, high, own = perspective
    square = np.uint64(lowest(victim))
    away = DISPLACEMENTS[state & layout.IS_DIAGONAL, way, square]
    if away == 0:
        return True
    near = victim
    for _ in range(1 + left - 2 * away):
        near = widened(near, state)
    strength = layout.piece_on(square, low, middle, high, NONE)
    return near & own & stronger_than(strength, low, middle, high) != NONE


@inlined()
def is_gone(perspective: Perspective, victim: Word) -> bool:
    """Return whether no enemy piece is on a square, or the square is off the board."""
    low, middle, high, own = perspective
    return not victim & (low | middle | high) & ~own


@kernel(no_cpython_wrapper=True)
def capture_step(perspective: Perspective, victim: Word, way: int, left: int, state: Word) -> int:
    """Return the first step, in the perspective, of a removal by one way, or `NO_CAPTURE`."""
    spare = left - steps_needed(perspective, victim, way, state)
    if spare < 0:
        return NO_CAPTURE
    if not is_near(perspective, victim, way, left, state):
        return NO_CAPTURE
    own = perspective[3]
    by_step = zone(victim, way, spare - 1, state) if spare >= 1 else NONE
    by_two = ~own if spare >= 2 else victim | (beside(TRAP_SETS[way]) & ~own)
    free = free_of(perspective, state)
    origins = first_movers(perspective, free, left, state)
    origins &= by_two | (own & (reach(by_two, state) | widened(by_step, state)))
    while origins:
        origin = lowest_of(origins)
        origins ^= origin
        is_own = own & origin != NONE
        seconds = seconds_of(perspective, free, origin, state)
        if is_own:
            seconds &= by_two
            if not seconds and not widened(origin, state) & by_step:
                continue
        targets, off = targets_of(perspective, origin), off_board(perspective, origin, state)
        while targets or off:
            target = lowest_of(targets)
            off = off if target else NONE
            targets ^= target
            half = moved(perspective, origin, target, is_own)
            there = target if origin == victim else victim
            if is_own and by_step and capture_step(half, victim, way, left - 1, state) >= 0:
                return step_between(origin, target)
            others = seconds
            while others:
                second = lowest_of(others)
                others ^= second
                full = moved(half, second, origin, not is_own)
                then = origin if second == victim else there
                if is_gone(half, there) or is_gone(full, then):
                    return step_between(origin, target)
                if left > 2 and capture_step(full, then, way, left - 2, state) >= 0:
                    return step_between(origin, target)
    return NO_CAPTURE


@kernel(no_cpython_wrapper=True)
def any_capture_step(
    perspective: Perspective, victim: Word, left: int, preparing: int, state: Word
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
    row: RowPointer, perspective: Perspective, victim: Word, preparing: int
) -> int:
    """Return the completion of an open push or pull if it leads to a removal, or `NO_CAPTURE`."""
    state, left = row[layout.STATE], steps_left(row)
    followers, hole = followers_of(row)
    while followers:
        follower = lowest_of(followers)
        followers ^= follower
        after = moved(perspective, follower, hole, perspective[3] & follower != NONE)
        then = hole if follower == victim else victim
        if is_gone(after, then) or any_capture_step(after, then, left - 1, preparing, state) >= 0:
            square = lowest(follower) ^ (FLIP_MASK if state & layout.MOVER else 0)
            over = np.int64(state >> layout.LEFT_AT & layout.LAST_SQUARE) - square
            return square * 4 + layout.STEP_OVER[over + 9]
    return NO_CAPTURE


@kernel(no_cpython_wrapper=True)
def capture_start(row: RowPointer, perspective: Perspective, victim: Word, preparing: int) -> int:
    """Return the first action, in this turn, of a removal of an enemy piece, or `NO_CAPTURE`.

    At most ``preparing`` steps only prepare: the result is exact if all steps of a turn may.
    ``perspective`` is the row's, ``victim`` a square in it.
    """
    if row[layout.FOLLOWERS]:
        first = capture_by_follower(row, perspective, victim, preparing)
        if first >= 0 or row[layout.STATE] & layout.DUE:
            return first
    first = any_capture_step(perspective, victim, steps_left(row), preparing, row[layout.STATE])
    return absolute_step(first, row[layout.STATE]) if first >= 0 else NO_CAPTURE


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
    here, found = as_row(row), as_out(out)
    if here[layout.STATE] & layout.IN_SETUP:
        return 0
    perspective = perspective_of(here)
    enemies = (perspective[0] | perspective[1] | perspective[2]) & ~perspective[3]
    total = 0
    while enemies:
        victim = lowest_of(enemies)
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
