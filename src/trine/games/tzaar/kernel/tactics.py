"""Tactical actions of TZAAR for the quiescence search, and its null move."""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Buffer, Row, Rows
from trine.core.compiled.bits import NONE, ONE, Word, count, lowest
from trine.core.compiled.jit import kernel
from trine.games.tzaar.board import KINDS
from trine.games.tzaar.kernel import layout
from trine.games.tzaar.kernel.attacks import takers
from trine.games.tzaar.kernel.lines import SIZE, inlined
from trine.games.tzaar.kernel.movegen import captures

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
        stacks = layout.stacks_of(row, side, kind)
        if count(stacks) <= MAX_SCARCE:
            found |= stacks
    return found


@kernel()
def must_act(row: Row) -> bool:
    """Return whether there are very few first actions."""
    return layout.stage(row) == layout.STAGE_ONE and captures(row, layout.mover(row)) <= MAX_FORCED


@kernel()
def tactical(row: Row, out: Buffer) -> int:
    """Write the captures of kinds that have become scarce, and return their number."""
    if layout.stage(row) in (layout.STAGE_PLACE, layout.STAGE_FIRST):
        return 0
    side, total = layout.mover(row), 0
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
    [
        layout.state_of(1 - (state & 1), layout.STAGE_ONE, bool(state >> 3))
        for state in layout.STATES
    ],
    np.uint64,
)
"""Shapes: state. The state at the beginning of the other side's turn."""


@kernel()
def null_move(rows: Rows, ply: int) -> bool:
    """Write the row after a null move: the other side's turn begins; return whether it was written.

    Within a turn a null move is a pass. Before a turn it proves nothing if captures are few, since
    the duty to capture may be what loses (zugzwang).
    """
    before, after = rows[ply], rows[ply + 1]
    now, side = layout.stage(before), layout.mover(before)
    if now in (layout.STAGE_PLACE, layout.STAGE_FIRST):
        return False
    if now == layout.STAGE_ONE and (
        captures(before, side) < MIN_CAPTURES or captures(before, 1 - side) < MIN_CAPTURES
    ):
        return False
    for word in range(layout.WORDS):
        after[word] = before[word]
    state = NULL_MOVE_STATES[before[layout.STATE]]
    after[layout.KEY] = (
        before[layout.KEY] ^ layout.STATE_KEYS[before[layout.STATE]] ^ layout.STATE_KEYS[state]
    )
    after[layout.STATE] = state
    return True
