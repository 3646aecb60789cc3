"""Tactical actions, the jumps that gain a step; and null moves."""

from __future__ import annotations

from trine.core.compiled.arrays import Buffer, Row, Rows
from trine.core.compiled.jit import kernel, kernel_only
from trine.games.corridor.kernel import layout
from trine.games.corridor.kernel.movegen import STRAIGHT, TARGETS, legal_targets, target_number
from trine.games.corridor.kernel.rules import copy
from trine.games.corridor.kernel.shortest_paths import bundle_of
from trine.games.corridor.kernel.squares import has


@kernel_only(forceinline=True)
def pawns_touch(row: Row) -> bool:
    """Return whether another pawn is next to the pawn of the player to move, despite walls."""
    own = layout.pawn_of(row, layout.mover(row))
    found = False
    for player in range(layout.players_of(row)):
        gap = abs(layout.pawn_of(row, player) - own)
        found |= gap in (1, layout.STRIDE)
    return found


@kernel_only()
def gains_by_jump(row: Row, square: int) -> bool:
    """Return whether the player to move gains a step by a jump to a square."""
    return has(bundle_of(row, layout.mover(row)).second, square)


@kernel()
def tactical(row: Row, out: Buffer) -> int:
    """Write the jumps that gain a step, and return their number."""
    if layout.is_in_setup(row) or not pawns_touch(row):
        return 0
    targets = legal_targets(row)
    if targets <= 15:
        return 0
    found = 0
    for target in range(STRAIGHT, TARGETS):
        if targets >> target & 1:
            action = target_number(row, target)
            if gains_by_jump(row, int(layout.SQUARE[layout.size_of(row), action])):
                out[found] = action
                found += 1
    return found


@kernel()
def null_move(rows: Rows, ply: int) -> bool:
    """Write the row after a null move; return false if it would prove nothing.

    Waiting can then be good: next to another pawn, or without walls in hand.
    """
    row, after = rows[ply], rows[ply + 1]
    if layout.is_in_setup(row) or layout.hand_of(row, layout.mover(row)) == 0 or pawns_touch(row):
        return False
    copy(row, after)
    layout.pass_turn(after)
    return True
