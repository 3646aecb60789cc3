"""Tactical actions: what begins a capture within the steps left in the turn; and null moves.

The enemy pieces that can be removed are found exactly, each with the first action of a turn that
removes it. A piece is moved into a trap by steps on the way there, each of them half of a push or
pull; all other pieces of its side beside the trap must be displaced as well. Each of these
displacements takes two steps; the steps that are left can prepare them. Rabbits that can be pushed
off the board are included (`ejection`).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.compiled.bits import NONE, Word, count, lowest
from trine.core.compiled.jit import kernel
from trine.games.arimaa.board import SQUARES, TRAPS
from trine.games.arimaa.kernel.perspective import (
    PERSPECTIVE,
    TURNED,
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
from trine.games.arimaa.kernel.row import (
    DUE,
    EAST,
    FOLLOWERS,
    FOUR_STEPS,
    IN_SETUP,
    IS_DIAGONAL,
    IS_EJECTION,
    LAST_SQUARE,
    LEFT_AT,
    MOVER,
    NORTH,
    OUT,
    ROW,
    SOUTH,
    STATE,
    STEP_OVER,
    STEPS,
    WEST,
    Numbers,
    Words,
    as_out,
    as_row,
    inlined,
    piece_on,
    row_at,
)
from trine.games.arimaa.kernel.rules import end_into
from trine.games.arimaa.kernel.sets import RANK, RANK_8, beside, stronger_than

NEVER: Final = -1
"""The piece cannot be removed."""
OFF: Final = len(TRAPS)
"""The way over the edge, as the number of a trap."""
WAYS: Final = OFF + 1
TRAP: Final = np.array([1 << trap for trap in TRAPS] + [0], np.uint64)
"""Shapes: number of a trap. The trap as a set; the empty set for the edge."""


def _away(diagonal: bool) -> list[list[int]]:
    join = max if diagonal else sum
    traps = [
        [join((abs(square % 8 - trap % 8), abs(square // 8 - trap // 8))) for square in SQUARES]
        for trap in TRAPS
    ]
    return [*traps, [1 + min(square // 8, 7 - square // 8) for square in SQUARES]]


AWAY: Final = np.array([_away(False), _away(True)], np.int64)
"""Shapes: whether pieces can be pulled over corners, number of a trap, square. The least number of
displacements that bring a piece from the square to the trap, or off the board."""


@inlined(f"int64({PERSPECTIVE}, uint64, int64, uint64)")
def steps_needed(perspective: Perspective, victim: Word, way: int, state: Word) -> int:
    """Return the least number of steps that remove an enemy piece in a trap, or over the edge."""
    low, middle, high, own = perspective
    if way == OFF:
        if not state & IS_EJECTION or not victim & low & ~(middle | high):
            return 99
        return 2 * AWAY[state & IS_DIAGONAL, OFF, lowest(victim)]
    others = (low | middle | high) & ~(own | victim)
    away = AWAY[state & IS_DIAGONAL, way, lowest(victim)]
    return 2 * (away + count(beside(TRAP[way]) & others))


@inlined("int64(uint64, uint64)")
def step_between(origin: Word, target: Word) -> int:
    """Return the number of the step from a square to one beside it, or off the board."""
    if target == NONE:
        direction = NORTH if origin & RANK_8 else SOUTH
    elif target == origin << RANK:
        direction = NORTH
    elif target == origin >> RANK:
        direction = SOUTH
    else:
        direction = EAST if target > origin else WEST
    return lowest(origin) * 4 + direction


@inlined("uint64(uint64, int64, int64, uint64)")
def zone(victim: Word, way: int, spare: int, state: Word) -> Word:
    """Return the squares that matter to a removal: a preparing step must change one of them.

    ``spare`` is the number of preparing steps left after that step.
    """
    squares = victim | beside(TRAP[way])
    for _ in range(3 + 2 * spare):
        squares = widened(squares, state)
    return squares


@inlined(f"boolean({PERSPECTIVE}, uint64, int64, int64, uint64)")
def is_near(perspective: Perspective, victim: Word, way: int, left: int, state: Word) -> bool:
    """Return whether an enemy piece need not be displaced, or a stronger piece is near enough.

    A piece can come nearer with steps to spare, and by displacing other pieces.
    """
    low, middle, high, own = perspective
    square = np.uint64(lowest(victim))
    away = AWAY[state & IS_DIAGONAL, way, square]
    if away == 0:
        return True
    near = victim
    for _ in range(1 + left - 2 * away):
        near = widened(near, state)
    strength = piece_on(square, low, middle, high, NONE)
    return near & own & stronger_than(strength, low, middle, high) != NONE


@inlined(f"boolean({PERSPECTIVE}, uint64)")
def is_gone(perspective: Perspective, victim: Word) -> bool:
    """Return whether no enemy piece is on a square, or the square is off the board."""
    low, middle, high, own = perspective
    return not victim & (low | middle | high) & ~own


@kernel(f"int64({PERSPECTIVE}, uint64, int64, int64, uint64)", no_cpython_wrapper=True)
def catches(perspective: Perspective, victim: Word, way: int, left: int, state: Word) -> int:
    """Return the first step, in the view, of a turn removing an enemy by one way, or `NEVER`."""
    spare = left - steps_needed(perspective, victim, way, state)
    if spare < 0:
        return NEVER
    if not is_near(perspective, victim, way, left, state):
        return NEVER
    own = perspective[3]
    by_step = zone(victim, way, spare - 1, state) if spare >= 1 else NONE
    by_two = ~own if spare >= 2 else victim | (beside(TRAP[way]) & ~own)
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
            if is_own and by_step and catches(half, victim, way, left - 1, state) >= 0:
                return step_between(origin, target)
            others = seconds
            while others:
                second = lowest_of(others)
                others ^= second
                full = moved(half, second, origin, not is_own)
                then = origin if second == victim else there
                if is_gone(half, there) or is_gone(full, then):
                    return step_between(origin, target)
                if left > 2 and catches(full, then, way, left - 2, state) >= 0:
                    return step_between(origin, target)
    return NEVER


@kernel(f"int64({PERSPECTIVE}, uint64, int64, int64, uint64)", no_cpython_wrapper=True)
def catches_somehow(
    perspective: Perspective, victim: Word, left: int, preparing: int, state: Word
) -> int:
    """Return the same by any way, with the fewest steps, of which at most ``preparing`` prepare."""
    for prepared in range(min(preparing, left) + 1):
        for way in range(WAYS):
            needed = steps_needed(perspective, victim, way, state) + prepared
            if needed <= left:
                first = catches(perspective, victim, way, needed, state)
                if first >= 0:
                    return first
    return NEVER


@inlined(f"int64({ROW}, {PERSPECTIVE}, uint64, int64)")
def capture_by_follower(row: Words, perspective: Perspective, victim: Word, preparing: int) -> int:
    """Return the first action if it completes a push or pull that has been begun, or `NEVER`."""
    state, left = row[STATE], steps_left(row)
    followers, hole = followers_of(row)
    while followers:
        follower = lowest_of(followers)
        followers ^= follower
        after = moved(perspective, follower, hole, perspective[3] & follower != NONE)
        then = hole if follower == victim else victim
        if is_gone(after, then) or catches_somehow(after, then, left - 1, preparing, state) >= 0:
            square = lowest(follower) ^ (TURNED if state & MOVER else 0)
            over = np.int64(state >> LEFT_AT & LAST_SQUARE) - square
            return square * 4 + STEP_OVER[over + 9]
    return NEVER


@kernel(f"int64({ROW}, {PERSPECTIVE}, uint64, int64)", no_cpython_wrapper=True)
def capture_start(row: Words, perspective: Perspective, victim: Word, preparing: int) -> int:
    """Return the first action of a turn, or of its rest, that removes an enemy piece, or `NEVER`.

    Args: ``view`` is that of the row, ``victim`` a square in it; ``preparing`` is the most steps
        that may only prepare: the result is exact if all steps of a turn may.
    """
    if row[FOLLOWERS]:
        first = capture_by_follower(row, perspective, victim, preparing)
        if first >= 0 or row[STATE] & DUE:
            return first
    first = catches_somehow(perspective, victim, steps_left(row), preparing, row[STATE])
    return absolute_step(first, row[STATE]) if first >= 0 else NEVER


# --- tactical actions, and null moves -------------------------------------------------------------

PREPARING: Final = 1
"""Units: steps; captures that need more preparing steps, besides displacements, are not tactical.
With two a tenth of the speed is lost, and no more games are won."""


@inlined(f"boolean({OUT}, int64, int64)")
def is_listed(out: Numbers, total: int, action: int) -> bool:
    index = 0
    while index < total and out[index] != action:
        index += 1
    return index < total


@kernel("boolean(uint64[::1])")
def must_act(row: Words) -> bool:
    """Return whether a push must be completed, or the turn must end."""
    state = row[STATE]
    return state & IN_SETUP == NONE and (state & DUE != NONE or state & STEPS == FOUR_STEPS)


@kernel("int64(uint64[::1], int32[::1])")
def tactical(row: Words, out: Numbers) -> int:
    """Write an action that begins a capture for each enemy piece that this turn can capture."""
    here, found = as_row(row), as_out(out)
    if here[STATE] & IN_SETUP:
        return 0
    perspective = perspective_of(here)
    enemies = (perspective[0] | perspective[1] | perspective[2]) & ~perspective[3]
    total = 0
    while enemies:
        victim = lowest_of(enemies)
        enemies ^= victim
        action = capture_start(here, perspective, victim, PREPARING)
        if action >= 0 and not is_listed(found, total, action):
            found[total] = action
            total += 1
    return total


@kernel("boolean(uint64[:, ::1], int64)")
def null_move(rows: Words, ply: int) -> bool:
    """Write the row after a ply as if the turn were over, even if the board has not changed.

    Returns: false within a push, and in the setup.
    """
    here = row_at(rows, ply)
    if here[STATE] & (IN_SETUP | DUE):
        return False
    end_into(here, row_at(rows, ply + 1))
    return True
