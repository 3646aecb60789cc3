"""A row: one position of Arimaa as twelve words of 64 bits.

The board is four *planes*, one bit a square (a1 the lowest, h8 the highest). Three planes hold the
strength of each piece as a binary number, from 1 for a rabbit to 6 for an elephant, 0 for an empty
square; the fourth has the silver pieces. So strengths are compared on all 64 squares at once, bit
by bit, and a board takes only four words: quick to copy, quick to compare.

Words of a row:

- `BOARD` … `BOARD + 3`: the planes of the board, the lowest bits of the strengths first, silver
  last;
- `START` … `START + 3`: the planes at the beginning of the open turn;
- `BOARD_KEY`: the Zobrist key of the board, updated piece by piece;
- `START_KEY`: the Zobrist key of that board, mixed by `stir`;
- `STATE`: all the rest as bits, see below;
- `FOLLOWERS`: the pieces that may go to the square that the last step has left: the enemies that
  can be pulled there, or the possible pushers, if that step began a push.

Bits of `STATE`:

- the rules: `IS_DIAGONAL`, `IS_EJECTION`, `IS_LOSING` (a side without rabbits has lost),
  `IS_COMPETITION` (the rule of `classic` for competitions; repetitions as in `classic`);
- `MOVER`: the side to move; `IN_SETUP`; `STEPS`: the number of actions in the open turn;
- `PUSHING`: a push may be completed; `DUE`: it must be, now; `STRENGTH`: the strength of a piece
  that may pull, else 0; `LEFT`: the square that followers may take, else 0;
- in the setup, from `HANDS_AT` on: the number of pieces of each kind that the sides have to place.

So equal positions are equal rows.
"""

from collections.abc import Iterable
from itertools import accumulate
from typing import Final

import numpy as np

from trine.core.compiled.arrays import zobrist_table
from trine.core.compiled.bits import NONE, ONE, Word
from trine.core.compiled.jit import kernel
from trine.core.compiled.rows import RowPointer, inlined
from trine.games.arimaa.board import ARMY, DIRECTIONS, OFF_BOARD, SQUARES, STRAIGHT, step_target

# --- the row -------------------------------------------------------------------------------------

BOARD: Final = 0
START: Final = 4
BOARD_KEY: Final = 8
START_KEY: Final = 9
STATE: Final = 10
FOLLOWERS: Final = 11
WORDS: Final = 12

IS_DIAGONAL: Final = np.uint64(1)
IS_EJECTION: Final = np.uint64(2)
IS_LOSING: Final = np.uint64(4)
MOVER: Final = np.uint64(8)
MOVER_AT: Final = np.uint64(3)
IN_SETUP: Final = np.uint64(16)
PUSHING: Final = np.uint64(32)
DUE: Final = np.uint64(64)
IS_COMPETITION: Final = np.uint64(128)
STEPS: Final = np.uint64(31 << 8)
STEPS_AT: Final = np.uint64(8)
ONE_STEP: Final = np.uint64(1 << 8)
TWO_STEPS: Final = np.uint64(2 << 8)
THREE_STEPS: Final = np.uint64(3 << 8)
FOUR_STEPS: Final = np.uint64(4 << 8)
LEFT: Final = np.uint64(63 << 16)
LEFT_AT: Final = np.uint64(16)
STRENGTH: Final = np.uint64(7 << 22)
STRENGTH_AT: Final = np.uint64(22)
FOLLOWING: Final = PUSHING | DUE | LEFT | STRENGTH  # the bits that depend only on the last step
TURN_BITS: Final = FOLLOWING | STEPS  # the bits that are cleared when a turn ends

HANDS_AT: Final = 32
_HAND_BITS: Final = [count.bit_length() for count in ARMY.values()] * 2
HAND_AT: Final = np.array(
    [*accumulate(_HAND_BITS, initial=HANDS_AT)][: len(_HAND_BITS)], np.uint64
).reshape(2, -1)
"""Shapes: side, kind as in ``EMHDCR``. The lowest bit in `STATE` of the number in hand."""
HAND_MASK: Final = np.array([(1 << bits) - 1 for bits in _HAND_BITS[: len(ARMY)]], np.uint64)
"""Shapes: kind. The mask of a number in hand, from bit 0."""

# --- small numbers as words ----------------------------------------------------------------------

# Numba makes a word signed if it is combined with a literal, so literals have names.
TWO: Final = np.uint64(2)
THREE: Final = np.uint64(3)
FOUR: Final = np.uint64(4)
SEVEN: Final = np.uint64(7)
EIGHT: Final = np.uint64(8)
LAST_SQUARE: Final = np.uint64(63)
HALF_WORD: Final = np.uint64(32)

# --- actions, numbered as in `trine.games.arimaa.compiled` ---------------------------------------

NORTH, EAST, SOUTH, WEST = range(4)
DIAGONAL: Final = 256
END: Final = 512
PLACEMENT: Final = 513


def squares_of(squares: Iterable[int]) -> Word:
    return np.uint64(sum(1 << square for square in squares))


_CORNERS: Final = tuple(DIRECTIONS)[len(STRAIGHT) :]
_TARGETS: Final = [
    step_target(square, direction)
    for directions in (STRAIGHT, _CORNERS)
    for square in SQUARES
    for direction in directions
]
TARGET: Final = np.array(_TARGETS, np.uint64)
"""Shapes: step. The square that a step leads to; 64 off the board."""
TARGET_BIT: Final = np.array([squares_of({square} - {OFF_BOARD}) for square in _TARGETS], np.uint64)
"""Shapes: step. The square that a step leads to, as a set; empty off the board."""
STEP_OVER: Final = np.zeros(19, np.int64)
"""Shapes: 9 + target − origin, two neighbours. The number of the step less 4 · origin."""
for _number, _direction in enumerate((*STRAIGHT, *_CORNERS)):
    _files, _ranks = DIRECTIONS[_direction]
    STEP_OVER[9 + _files + 8 * _ranks] = _number + (DIAGONAL - 4) * (_direction in _CORNERS)

# --- keys ----------------------------------------------------------------------------------------

PIECE_KEYS: Final = zobrist_table("arimaa pieces", 16, 65)
"""Shapes: strength, plus 8 for silver; square. The keys of a piece off the board are 0."""
PIECE_KEYS[:, OFF_BOARD] = 0
_STIRRING: Final = zobrist_table("arimaa stirring", 2) | ONE
STIR_FIRST: Final = np.uint64(_STIRRING[0])
STIR_THEN: Final = np.uint64(_STIRRING[1])


@kernel()
def stir(word: Word) -> Word:
    """Mix the bits of a word; different words give different results."""
    word = (word ^ (word >> HALF_WORD)) * STIR_FIRST
    word = (word ^ (word >> HALF_WORD)) * STIR_THEN
    return word ^ (word >> HALF_WORD)


@inlined()
def piece_on(square: Word, low: Word, middle: Word, high: Word, silver: Word) -> Word:
    """Return the strength of the piece on a square, plus 8 if it is silver; 0 if it is empty."""
    return (
        (low >> square & ONE)
        | (middle >> square & ONE) << ONE
        | (high >> square & ONE) << TWO
        | (silver >> square & ONE) << THREE
    )


@inlined()
def planes_at(row: RowPointer, first: int) -> tuple[Word, Word, Word, Word]:
    """Return the planes of the board now (`BOARD`) or at the beginning of the turn (`START`)."""
    return row[first], row[first + 1], row[first + 2], row[first + 3]


@inlined()
def planes(row: RowPointer) -> tuple[Word, Word, Word, Word]:
    return planes_at(row, BOARD)


@kernel()
def fresh_board_key(low: Word, middle: Word, high: Word, silver: Word) -> Word:
    """Return the Zobrist key of a board, computed from scratch."""
    key = NONE
    for number in range(64):
        square = np.uint64(number)
        piece = piece_on(square, low, middle, high, silver)
        if piece:
            key ^= PIECE_KEYS[piece, square]
    return key
