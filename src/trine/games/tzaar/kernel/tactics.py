"""Tactical actions of TZAAR for the quiescence search, and its null move."""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Buffer, Row, Rows
from trine.core.compiled.bits import NONE, ONE, Word, count, lowest
from trine.core.compiled.jit import kernel
from trine.games.tzaar.board import KINDS
from trine.games.tzaar.kernel.attacks import takers
from trine.games.tzaar.kernel.lines import SIZE, inlined
from trine.games.tzaar.kernel.movegen import captures
from trine.games.tzaar.kernel.row import (
    KEY,
    STAGE_FIRST,
    STAGE_ONE,
    STAGE_PLACE,
    STATE,
    STATE_KEYS,
    STATES,
    WORDS,
    mover,
    stacks_of,
    stage,
    state_of,
)

MAX_SCARCE: Final = 3
"""Captures of a kind are tactical if at most this many of its stacks are left. Guess."""
MAX_FORCED: Final = 2
"""A player with at most this many first actions cannot stand pat. Guess."""
MIN_CAPTURES: Final = 4
"""A player with at least this many captures is not in zugzwang by the duty to capture. Guess."""


@inlined()
def scarce(row: Row, side: int) -> Word:
    """Return the stacks of a side's scarce kinds."""
    found = NONE
    for kind in range(len(KINDS)):
        stacks = stacks_of(row, side, kind)
        if count(stacks) <= MAX_SCARCE:
            found |= stacks
    return found


@kernel()
def must_act(row: Row) -> bool:
    """Return whether there are very few first actions."""
    return stage(row) == STAGE_ONE and captures(row, mover(row)) <= MAX_FORCED


@kernel()
def tactical(row: Row, out: Buffer) -> int:
    """Write the captures of kinds that have become scarce, and return their number."""
    if stage(row) in (STAGE_PLACE, STAGE_FIRST):
        return 0
    side, total = mover(row), 0
    targets = scarce(row, 1 - side)
    while targets:
        target = lowest(targets)
        targets &= targets - ONE
        origins = takers(row, target, side)
        while origins:
            out[total] = lowest(origins) * SIZE + target
            origins &= origins - ONE
            total += 1
    return total


NULL_MOVE_STATES: Final = np.array(
    [state_of(1 - (state & 1), STAGE_ONE, bool(state >> 3)) for state in STATES], np.uint64
)
"""Shapes: state. The state at the beginning of the other side's turn."""


@kernel()
def null_move(rows: Rows, ply: int) -> bool:
    """Write the row after a null move: the other side's turn begins; return whether it was written.

    Within a turn a null move is a pass. Before a turn it proves nothing if captures are few, since
    the duty to capture may be what loses (zugzwang).
    """
    before, after = rows[ply], rows[ply + 1]
    now, side = stage(before), mover(before)
    if now in (STAGE_PLACE, STAGE_FIRST):
        return False
    if now == STAGE_ONE and (
        captures(before, side) < MIN_CAPTURES or captures(before, 1 - side) < MIN_CAPTURES
    ):
        return False
    for word in range(WORDS):
        after[word] = before[word]
    state = NULL_MOVE_STATES[before[STATE]]
    after[KEY] = before[KEY] ^ STATE_KEYS[before[STATE]] ^ STATE_KEYS[state]
    after[STATE] = state
    return True
