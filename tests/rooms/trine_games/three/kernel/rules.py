"""The rules once more, on bits."""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Buffer, Row, Rows
from trine.core.compiled.bits import ONE, lowest
from trine.core.compiled.jit import kernel
from trine.core.contract.score import DRAW, ONGOING
from trine_games.three.board import CROSS, NOUGHT, SIZE
from trine_games.three.kernel.row import ALL, has_line, mover

MOST_ACTIONS: Final = SIZE


@kernel("int64(uint64[::1])", forceinline=True)
def result(row: Row) -> int:
    """The winner, `DRAW` or `ONGOING`."""
    if has_line(row[CROSS]):
        return CROSS
    if has_line(row[NOUGHT]):
        return NOUGHT
    return DRAW if row[CROSS] | row[NOUGHT] == ALL else ONGOING


@kernel("int64(uint64[::1], int32[::1])", forceinline=True)
def generate(row: Row, buffer: Buffer) -> int:
    """Write the legal actions; their number."""
    if result(row) != ONGOING:
        return 0
    free, total = ALL & ~(row[CROSS] | row[NOUGHT]), 0
    while free:
        buffer[total] = lowest(free)
        free &= free - ONE
        total += 1
    return total


@kernel("void(uint64[:, ::1], int64, int64)", forceinline=True)
def play(rows: Rows, ply: int, action: int) -> None:
    """Write the row after an action."""
    for player in range(2):
        rows[ply + 1, player] = rows[ply, player]
    rows[ply + 1, mover(rows[ply])] |= ONE << np.uint64(action)
