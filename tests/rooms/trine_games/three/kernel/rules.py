"""The compiled rules.

A position is a row of two words: the squares of Cross, and those of Nought, a bit each.
"""

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Buffer, Row, Rows
from trine.core.compiled.bits import ONE, count, lowest
from trine.core.compiled.jit import kernel
from trine.core.contract.score import DRAW, ONGOING
from trine_games.three.board import CROSS, LINES, NOUGHT, SIZE

MAX_ACTIONS: Final = SIZE
WORDS: Final = 2
ALL: Final = np.uint64((1 << SIZE) - 1)
LINE_SETS: Final = np.array([sum(1 << square for square in line) for line in LINES], np.uint64)
STIR: Final = np.uint64(0x9E3779B97F4A7C15)
"""Multiplied with a key to spread its bits; odd, so that different boards have different keys."""
NOUGHTS_AT: Final = np.uint64(SIZE)


@kernel(forceinline=True)
def mover(row: Row) -> int:
    return count(row[0] | row[1]) & 1


@kernel(forceinline=True)
def key(row: Row) -> np.uint64:
    """Return a number that differs for any two different positions."""
    return ((row[0] | row[1] << NOUGHTS_AT) + np.uint64(1)) * STIR


@kernel(forceinline=True)
def has_line(squares: np.uint64) -> bool:
    """Return whether a set has three squares in a row."""
    found = False
    for line in LINE_SETS:
        found |= squares & line == line
    return found


@kernel()
def completing(row: Row, player: int) -> np.uint64:
    """Return the empty squares that would make three in a row for a player."""
    found, own, free = np.uint64(0), row[player], ALL & ~(row[0] | row[1])
    for line in LINE_SETS:
        if count(own & line) == 2:
            found |= line & free
    return found


@kernel(forceinline=True)
def result(row: Row) -> int:
    """Return the winner, `DRAW` or `ONGOING`."""
    if has_line(row[CROSS]):
        return CROSS
    if has_line(row[NOUGHT]):
        return NOUGHT
    return DRAW if row[CROSS] | row[NOUGHT] == ALL else ONGOING


@kernel(forceinline=True)
def generate(row: Row, buffer: Buffer) -> int:
    """Write the legal actions; return their number."""
    if result(row) != ONGOING:
        return 0
    free, total = ALL & ~(row[CROSS] | row[NOUGHT]), 0
    while free:
        buffer[total] = lowest(free)
        free &= free - ONE
        total += 1
    return total


@kernel(forceinline=True)
def play(rows: Rows, ply: int, action: int) -> None:
    """Write the row after an action."""
    for player in range(2):
        rows[ply + 1, player] = rows[ply, player]
    rows[ply + 1, mover(rows[ply])] |= ONE << np.uint64(action)
