"""Tactical actions, the beginnings of captures; and null moves."""

from __future__ import annotations

from typing import Final

from trine.core.compiled.bits import NONE
from trine.core.compiled.jit import kernel
from trine.games.arimaa.kernel.captures import capture_start
from trine.games.arimaa.kernel.make import end_into
from trine.games.arimaa.kernel.row import (
    DUE,
    FOUR_STEPS,
    IN_SETUP,
    OUT,
    STATE,
    STEPS,
    Numbers,
    Words,
    as_out,
    as_row,
    inner,
    row_at,
)
from trine.games.arimaa.kernel.view import lowest_of, view_of

PREPARING: Final = 1
"""Units: steps; captures that need more preparing steps, besides displacements, are not tactical.
Guess: looking for those takes ten times as long."""


@inner(f"boolean({OUT}, int64, int64)")
def is_listed(out: Numbers, total: int, action: int) -> bool:
    """Return whether an action is among the first of a buffer."""
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
    """Write an action that begins a capture for each enemy piece that can be captured in this turn.

    Returns: their number.
    """
    here, found = as_row(row), as_out(out)
    if here[STATE] & IN_SETUP:
        return 0
    view = view_of(here)
    enemies = (view[0] | view[1] | view[2]) & ~view[3]
    total = 0
    while enemies:
        victim = lowest_of(enemies)
        enemies ^= victim
        action = capture_start(here, view, victim, PREPARING)
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
