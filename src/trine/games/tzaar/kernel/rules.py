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
from trine.games.tzaar.board import BLACK, KINDS, WHITE
from trine.games.tzaar.kernel import layout
from trine.games.tzaar.kernel.lines import BIT_OF, DIRECTIONS, SIZE, inlined
from trine.games.tzaar.kernel.movegen import (
    PASS,
    PLACEMENT,
)

# --- playing an action ---------------------------------------------------------------------------


@inlined()
def _enter(row: Row, state: Word) -> None:
    """Change the side to move and the stage."""
    row[layout.KEY] ^= layout.STATE_KEYS[row[layout.STATE]] ^ layout.STATE_KEYS[state]
    row[layout.STATE] = state


@inlined()
def _place(row: Row, kind: int, point: int) -> None:
    """Put a piece of the player to move on an empty point."""
    side, state = layout.mover(row), row[layout.STATE]
    for direction in range(DIRECTIONS):
        row[direction * layout.FIELD + side] |= BIT_OF[direction, point]
    if kind > 0:
        row[layout.TZARRAS + kind - 1] |= BIT_OF[0, point]
    row[layout.KEY] ^= layout.PIECE_KEYS[len(KINDS) * side + kind, point]
    full = row[WHITE] | row[BLACK] == layout.ALL_PLACES
    _enter(row, layout.FILLED[state] if full else layout.NEXT_STATE[state])


@inlined()
def _restack(row: Row, origin: Word, target: Word, digits: Word, below_top: Word) -> None:
    """Write the digits of the heights on two points: zeros on the first, new ones on the second."""
    for direction in range(DIRECTIONS):
        left, reached = BIT_OF[direction, origin], BIT_OF[direction, target]
        digit = NONE
        while digits >> digit:
            word = np.uint64(direction * layout.FIELD + layout.BELOW) + digit
            row[word] &= ~(left | reached)
            if below_top >> digit & ONE:
                row[word] |= reached
            digit += ONE


@inlined()
def _move(before: Row, after: Row, origin: Word, target: Word) -> None:
    """Write the row after a stack has gone onto another: the kinds, the sides, the heights."""
    state, zobrist = before[layout.STATE], before[layout.KEY]
    side = state & ONE
    stacking = before[side] >> target & ONE
    both = ONE << origin | ONE << target

    tzarras, tzaars = before[layout.TZARRAS], before[layout.TZAARS]
    tzarra, tzaar = tzarras >> origin & ONE, tzaars >> origin & ONE
    after[layout.TZARRAS] = tzarras & ~both | tzarra << target
    after[layout.TZAARS] = tzaars & ~both | tzaar << target
    two, three = np.uint64(2), np.uint64(len(KINDS))
    top = three * side + tzarra + two * tzaar
    covered_side = side ^ ONE ^ stacking
    covered = three * covered_side + (tzarras >> target & ONE) + two * (tzaars >> target & ONE)
    zobrist ^= (
        layout.PIECE_KEYS[top, origin]
        ^ layout.PIECE_KEYS[top, target]
        ^ layout.PIECE_KEYS[covered, target]
    )

    for direction in range(DIRECTIONS):
        field = np.uint64(direction * layout.FIELD)
        left, reached = BIT_OF[direction, origin], BIT_OF[direction, target]
        own, enemy = field + side, field + (side ^ ONE)
        after[own] = before[own] & ~left | reached
        after[enemy] = before[enemy] & ~reached
        for digit in range(layout.DIGITS):
            word = field + np.uint64(layout.BELOW + digit)
            after[word] = before[word]

    below_origin = below_target = NONE
    if layout.tall(before) & both:
        below_origin, below_target = layout.below(before, origin), layout.below(before, target)
    below_top = below_origin + below_target + ONE if stacking else below_origin
    digits = below_origin | below_target | below_top
    if digits:
        zobrist ^= layout.BELOW_KEYS[below_origin, origin] ^ layout.BELOW_KEYS[below_target, target]
        zobrist ^= layout.BELOW_KEYS[below_top, target]
        _restack(after, origin, target, digits, below_top)

    after[layout.STATE] = layout.NEXT_STATE[state]
    after[layout.KEY] = (
        zobrist ^ layout.STATE_KEYS[state] ^ layout.STATE_KEYS[layout.NEXT_STATE[state]]
    )


@inlined()
def _play(before: Row, after: Row, action: int) -> None:
    if action < PASS:
        origin = np.uint64(action) // np.uint64(SIZE)
        _move(before, after, origin, np.uint64(action) - origin * np.uint64(SIZE))
        return
    for word in range(layout.WORDS):
        after[word] = before[word]
    if action == PASS:
        _enter(after, layout.NEXT_STATE[after[layout.STATE]])
    else:
        _place(after, (action - PLACEMENT) // SIZE, (action - PLACEMENT) % SIZE)


@inlined()
def play(rows: Rows, ply: int, action: int) -> None:
    """Write the row of the next ply: the position after an action."""
    # Unsigned numbers, so that machine code need not test whether an index counts from the end.
    _play(rows[np.uint64(ply)], rows[np.uint64(ply + 1)], action)
