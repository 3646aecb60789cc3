"""The compiled rules of TZAAR, equal to the referee's.

A position is a row (`trine.games.tzaar.kernel.layout`). Rows lie in an array, one for each ply;
playing writes the next row, so nothing is ever undone. The actions and their numbers are described
in `trine.games.tzaar.kernel.movegen`. A buffer of actions holds `MAX_ACTIONS`.

Nothing is checked: actions must be legal. There is no history, since positions of TZAAR cannot
repeat.
"""

from __future__ import annotations

import numpy as np

from trine.core.compiled.arrays import Row, Rows
from trine.core.compiled.bits import NONE, ONE, Word
from trine.core.contract.score import ONGOING
from trine.games.tzaar.board import BLACK, KINDS, WHITE
from trine.games.tzaar.kernel.layout import (
    ALL_PLACES,
    BELOW,
    BELOW_KEYS,
    DIGITS,
    FIELD,
    FILLED,
    KEY,
    NEXT_STATE,
    PIECE_KEYS,
    STATE,
    STATE_KEYS,
    TZAARS,
    TZARRAS,
    WORDS,
    below,
    fresh_key,
    key,
    mover,
    tall,
)
from trine.games.tzaar.kernel.lines import BIT_OF, DIRECTIONS, SIZE, inlined
from trine.games.tzaar.kernel.movegen import (
    MAX_ACTIONS,
    PASS,
    PLACEMENT,
    captures,
    count_actions,
    generate,
    result,
)

__all__ = [
    "MAX_ACTIONS",
    "ONGOING",
    "WORDS",
    "captures",
    "count_actions",
    "fresh_key",
    "generate",
    "key",
    "mover",
    "result",
]

# --- playing an action ---------------------------------------------------------------------------


@inlined()
def _enter(row: Row, state: Word) -> None:
    """Change the side to move and the stage."""
    row[KEY] ^= STATE_KEYS[row[STATE]] ^ STATE_KEYS[state]
    row[STATE] = state


@inlined()
def _place(row: Row, kind: int, point: int) -> None:
    """Put a piece of the player to move on an empty point."""
    side, state = mover(row), row[STATE]
    for direction in range(DIRECTIONS):
        row[direction * FIELD + side] |= BIT_OF[direction, point]
    if kind > 0:
        row[TZARRAS + kind - 1] |= BIT_OF[0, point]
    row[KEY] ^= PIECE_KEYS[len(KINDS) * side + kind, point]
    full = row[WHITE] | row[BLACK] == ALL_PLACES
    _enter(row, FILLED[state] if full else NEXT_STATE[state])


@inlined()
def _restack(row: Row, origin: Word, target: Word, digits: Word, below_top: Word) -> None:
    """Write the digits of the heights on two points: zeros on the first, new ones on the second."""
    for direction in range(DIRECTIONS):
        left, reached = BIT_OF[direction, origin], BIT_OF[direction, target]
        digit = NONE
        while digits >> digit:
            word = np.uint64(direction * FIELD + BELOW) + digit
            row[word] &= ~(left | reached)
            if below_top >> digit & ONE:
                row[word] |= reached
            digit += ONE


@inlined()
def _move(before: Row, after: Row, origin: Word, target: Word) -> None:
    """Write the row after a stack has gone onto another: the kinds, the sides, the heights."""
    state, zobrist = before[STATE], before[KEY]
    side = state & ONE
    stacking = before[side] >> target & ONE
    both = ONE << origin | ONE << target

    tzarras, tzaars = before[TZARRAS], before[TZAARS]
    tzarra, tzaar = tzarras >> origin & ONE, tzaars >> origin & ONE
    after[TZARRAS] = tzarras & ~both | tzarra << target
    after[TZAARS] = tzaars & ~both | tzaar << target
    two, three = np.uint64(2), np.uint64(len(KINDS))
    top = three * side + tzarra + two * tzaar
    covered_side = side ^ ONE ^ stacking
    covered = three * covered_side + (tzarras >> target & ONE) + two * (tzaars >> target & ONE)
    zobrist ^= PIECE_KEYS[top, origin] ^ PIECE_KEYS[top, target] ^ PIECE_KEYS[covered, target]

    for direction in range(DIRECTIONS):
        field = np.uint64(direction * FIELD)
        left, reached = BIT_OF[direction, origin], BIT_OF[direction, target]
        own, enemy = field + side, field + (side ^ ONE)
        after[own] = before[own] & ~left | reached
        after[enemy] = before[enemy] & ~reached
        for digit in range(DIGITS):
            word = field + np.uint64(BELOW + digit)
            after[word] = before[word]

    below_origin = below_target = NONE
    if tall(before) & both:
        below_origin, below_target = below(before, origin), below(before, target)
    below_top = below_origin + below_target + ONE if stacking else below_origin
    digits = below_origin | below_target | below_top
    if digits:
        zobrist ^= BELOW_KEYS[below_origin, origin] ^ BELOW_KEYS[below_target, target]
        zobrist ^= BELOW_KEYS[below_top, target]
        _restack(after, origin, target, digits, below_top)

    after[STATE] = NEXT_STATE[state]
    after[KEY] = zobrist ^ STATE_KEYS[state] ^ STATE_KEYS[NEXT_STATE[state]]


@inlined()
def _play(before: Row, after: Row, action: int) -> None:
    if action < PASS:
        origin = np.uint64(action) // np.uint64(SIZE)
        _move(before, after, origin, np.uint64(action) - origin * np.uint64(SIZE))
        return
    for word in range(WORDS):
        after[word] = before[word]
    if action == PASS:
        _enter(after, NEXT_STATE[after[STATE]])
    else:
        _place(after, (action - PLACEMENT) // SIZE, (action - PLACEMENT) % SIZE)


@inlined()
def play(rows: Rows, ply: int, action: int) -> None:
    """Write the row of the next ply: the position after an action."""
    # Unsigned numbers, so that machine code need not test whether an index counts from the end.
    _play(rows[np.uint64(ply)], rows[np.uint64(ply + 1)], action)
