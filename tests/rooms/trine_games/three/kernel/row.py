"""A position as a row of two words: the squares of Cross, and those of Nought, a bit each."""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Row
from trine.core.compiled.bits import count
from trine.core.compiled.jit import kernel
from trine_games.three.board import LINES, SIZE

WORDS: Final = 2
ALL: Final = np.uint64((1 << SIZE) - 1)
LINE_SETS: Final = np.array([sum(1 << square for square in line) for line in LINES], np.uint64)
STIR: Final = np.uint64(0x9E3779B97F4A7C15)
"""Spreads the bits of a key: an odd number, so that different boards have different keys."""
NOUGHTS_AT: Final = np.uint64(SIZE)


@kernel("int64(uint64[::1])", forceinline=True)
def mover(row: Row) -> int:
    """The player to move."""
    return count(row[0] | row[1]) & 1


@kernel("uint64(uint64[::1])", forceinline=True)
def key(row: Row) -> np.uint64:
    """A number that equal positions share, and others do not."""
    return ((row[0] | row[1] << NOUGHTS_AT) + np.uint64(1)) * STIR


@kernel("boolean(uint64)", forceinline=True)
def has_line(squares: np.uint64) -> bool:
    """Whether three squares of a set stand in a row."""
    found = False
    for line in LINE_SETS:
        found |= squares & line == line
    return found


@kernel("uint64(uint64[::1], int64)")
def completing(row: Row, player: int) -> np.uint64:
    """The empty squares that would make three in a row for a player."""
    found, own, free = np.uint64(0), row[player], ALL & ~(row[0] | row[1])
    for line in LINE_SETS:
        if count(own & line) == 2:
            found |= line & free
    return found
