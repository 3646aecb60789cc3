"""The inputs of a net that sees a position of Corridor: walls before and behind each pawn.

Each player has a block of inputs, as seen in the direction in which the player goes: the closed
sides of the squares, once for each third of the board in which the pawn can stand, and the pawn,
the steps to its goal, the walls in hand and the turn. Walls of all lengths are closed sides, and
smaller boards lie in a corner of the largest. Wide boards (`trine.games.corridor.kernel.row`) have
no inputs.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.bits import NONE, ONE
from trine.core.jit import kernel
from trine.games.corridor.kernel.narrow import OPEN_SETS, narrow_distance
from trine.games.corridor.kernel.row import (
    EAST,
    LOW,
    NARROW,
    NO_LIMIT,
    NORTH,
    Row,
    hand_of,
    is_in_setup,
    mover,
    pawn_of,
    size_of,
)

PLAYERS: Final = 2
BANDS: Final = 3
"""The parts of the board, across the way of the pawn, in which it can stand."""
BAND_WORDS: Final = 3
"""The words of the closed sides: north sides, east sides, and those of the highest ranks."""
REST: Final = BANDS * BAND_WORDS
"""The word of a block with the steps, the hand, the turn, and the highest squares of the pawn; the
next word has its other squares."""
BLOCK: Final = REST + 2
"""Units: words; of one player."""
WORDS: Final = PLAYERS * BLOCK
INPUTS: Final = WORDS * 64
MOST_STEPS: Final = 22
"""All longer ways count as this long."""
NO_WAY: Final = MOST_STEPS + 1
HAND_AT: Final = NO_WAY + 1
"""The bit of an empty hand."""
MOST_HAND: Final = 12
"""Hands with more walls, and those without limit, count as this large."""
TURN_AT: Final = HAND_AT + MOST_HAND + 1
PAWN_AT: Final = TURN_AT + 1
"""The bit of the first square of the pawn that the other word has no room for."""
MOST_SET: Final = PLAYERS * (2 * NARROW * (NARROW - 1) + 4)
"""No position has more inputs set: all sides closed, and the rest."""
MIRRORED: Final = np.roll(np.arange(INPUTS), INPUTS // PLAYERS).astype(np.int32)
"""Shapes: input. The blocks of the players change places."""

_RANK: Final = np.uint64((1 << NARROW) - 1)
_RANKS_BELOW: Final = LOW // NARROW
"""The number of ranks in a low word."""


@kernel("uint64(uint64, uint64, int64)", forceinline=True)
def rank_of(low: np.uint64, high: np.uint64, rank: int) -> np.uint64:
    """Return the files of a rank of a set."""
    if rank < _RANKS_BELOW:
        return low >> np.uint64(NARROW * rank) & _RANK
    return high >> np.uint64(NARROW * (rank - _RANKS_BELOW)) & _RANK


@kernel("UniTuple(uint64, 2)(uint64, uint64, int64)", forceinline=True)
def flipped(low: np.uint64, high: np.uint64, ranks: int) -> tuple[np.uint64, np.uint64]:
    """Return a set with its lowest ranks, so many of them, in the opposite order."""
    turned = turned_high = NONE
    for rank in range(ranks):
        files, place = rank_of(low, high, rank), ranks - 1 - rank
        if place < _RANKS_BELOW:
            turned |= files << np.uint64(NARROW * place)
        else:
            turned_high |= files << np.uint64(NARROW * (place - _RANKS_BELOW))
    return turned, turned_high


@kernel("void(uint64[::1], uint64[::1])")
def inputs(row: Row, out: Row) -> None:
    """Write the inputs that are set, as South sees them, a bit each.

    None is set while starts are chosen, and on wide boards. Two must play.

    Shapes: ``out`` has `WORDS` words.
    """
    for word in range(len(out)):
        out[word] = NONE
    size = size_of(row)
    if size > NARROW or is_in_setup(row):
        return
    north, north_high = OPEN_SETS[size, 0] & ~row[NORTH], OPEN_SETS[size, 1] & ~row[NORTH + 1]
    east, east_high = OPEN_SETS[size, 2] & ~row[EAST], OPEN_SETS[size, 3] & ~row[EAST + 1]
    for player in range(PLAYERS):
        block, pawn = player * BLOCK, pawn_of(row, player)
        rank, file = pawn // NARROW, pawn % NARROW
        if player:
            rank = size - 1 - rank
            north, north_high = flipped(north, north_high, size - 1)
            east, east_high = flipped(east, east_high, size)
        band = block + rank * BANDS // size * BAND_WORDS
        out[band] = north
        out[band + 1] = east
        out[band + 2] = north_high | east_high << np.uint64(2 * NARROW)
        steps, hand = narrow_distance(row, player), hand_of(row, player)
        steps = NO_WAY if steps < 0 else min(steps, MOST_STEPS)
        hand = MOST_HAND if hand == NO_LIMIT else min(hand, MOST_HAND)
        rest = ONE << np.uint64(steps) | ONE << np.uint64(HAND_AT + hand)
        if mover(row) == player:
            rest |= ONE << np.uint64(TURN_AT)
        square = rank * NARROW + file
        if square < 64:
            out[block + REST + 1] = ONE << np.uint64(square)
        else:
            rest |= ONE << np.uint64(PAWN_AT + square - 64)
        out[block + REST] = rest
