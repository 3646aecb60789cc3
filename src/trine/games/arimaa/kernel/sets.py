"""Bitboards: sets of squares, and relations of pieces on the whole board at once."""

from typing import Final

import numpy as np

from trine.core.compiled.bits import NONE, ONE, Word, count
from trine.core.compiled.rows import inlined
from trine.games.arimaa.board import AROUND, BESIDE, GOAL_RANKS, HOME_RANKS, SQUARES, TRAPS
from trine.games.arimaa.kernel.layout import FOUR, TWO, squares_of

TRAP_SQUARES: Final = squares_of(TRAPS)
GOLD_GOAL: Final = squares_of(GOAL_RANKS[0])
SILVER_GOAL: Final = squares_of(GOAL_RANKS[1])
GOLD_HOME: Final = squares_of(HOME_RANKS[0])
SILVER_HOME: Final = squares_of(HOME_RANKS[1])
RANK_1: Final = SILVER_GOAL
RANK_8: Final = GOLD_GOAL
NOT_A: Final = squares_of(square for square in SQUARES if square % 8)
NOT_H: Final = squares_of(square for square in SQUARES if square % 8 != 7)
FAR_HALF: Final = squares_of(range(32, 64))

BESIDE_SQUARE: Final = np.array([squares_of(squares) for squares in BESIDE], np.uint64)
"""Shapes: square. The orthogonal neighbours of each square."""
REACH: Final = np.array([BESIDE_SQUARE, [squares_of(squares) for squares in AROUND]], np.uint64)
"""Shapes: whether enemies reach over corners, square. The squares where an enemy can freeze, push
or pull a piece on the square."""

ALL: Final = np.uint64((1 << 64) - 1)
RANK: Final = np.uint64(8)  # bits; the shift of a set by a step north or south

_ODD_RANKS: Final = squares_of(square for square in SQUARES if square // 8 & 1)
_RANKS_BY_TWO: Final = squares_of(square for square in SQUARES if square // 8 & 2)
_UPPER_HALF: Final = squares_of(square for square in SQUARES if square // 8 & 4)

# --- relations of sets ---------------------------------------------------------------------------


@inlined()
def beside(squares: Word) -> Word:
    """Return the squares orthogonally beside any square of a set."""
    return squares << RANK | squares >> RANK | (squares & NOT_H) << ONE | (squares & NOT_A) >> ONE


@inlined()
def ranks_of(squares: Word) -> int:
    """Return the sum of the ranks of a set of squares, the first rank counting 0."""
    return (
        count(squares & _ODD_RANKS)
        + 2 * count(squares & _RANKS_BY_TWO)
        + 4 * count(squares & _UPPER_HALF)
    )


@inlined()
def exceeding(
    low: Word, middle: Word, high: Word, not_low: Word, not_middle: Word, not_high: Word
) -> Word:
    """Return the squares where strengths exceed others, which are given as inverted planes."""
    greater = low & not_low
    greater = (middle & not_middle) | ((middle | not_middle) & greater)
    return (high & not_high) | ((high | not_high) & greater)


@inlined()
def exceeding_by_a_rank(
    low: Word, middle: Word, high: Word, not_low: Word, not_middle: Word, not_high: Word
) -> Word:
    """Return the squares that strengths on a square north or south exceed; see `exceeding`."""
    return exceeding(
        low << RANK, middle << RANK, high << RANK, not_low, not_middle, not_high
    ) | exceeding(low >> RANK, middle >> RANK, high >> RANK, not_low, not_middle, not_high)


@inlined()
def outmatched(by: Word, low: Word, middle: Word, high: Word, diagonal: bool) -> Word:
    """Return the squares that a stronger piece of a set touches, empty ones included."""
    not_low, not_middle, not_high = ~low, ~middle, ~high
    low, middle, high = low & by, middle & by, high & by
    found = exceeding_by_a_rank(low, middle, high, not_low, not_middle, not_high)
    east_low, east_middle, east_high = low & NOT_H, middle & NOT_H, high & NOT_H
    west_low, west_middle, west_high = low & NOT_A, middle & NOT_A, high & NOT_A
    low, middle, high = east_low << ONE, east_middle << ONE, east_high << ONE
    found |= exceeding(low, middle, high, not_low, not_middle, not_high)
    if diagonal:
        found |= exceeding_by_a_rank(low, middle, high, not_low, not_middle, not_high)
    low, middle, high = west_low >> ONE, west_middle >> ONE, west_high >> ONE
    found |= exceeding(low, middle, high, not_low, not_middle, not_high)
    if diagonal:
        found |= exceeding_by_a_rank(low, middle, high, not_low, not_middle, not_high)
    return found


@inlined()
def unfrozen(own: Word, low: Word, middle: Word, high: Word, enemies: Word, diagonal: bool) -> Word:
    """Return the free pieces of a side: no stronger enemy touches them, or a friend is beside."""
    return own & (beside(own) | ~outmatched(enemies, low, middle, high, diagonal))


@inlined()
def weaker_than(strength: Word, low: Word, middle: Word, high: Word) -> Word:
    """Return the squares with less than a strength, empty ones included."""
    return exceeding(
        ALL if strength & ONE else NONE,
        ALL if strength & TWO else NONE,
        ALL if strength & FOUR else NONE,
        ~low,
        ~middle,
        ~high,
    )


@inlined()
def stronger_than(strength: Word, low: Word, middle: Word, high: Word) -> Word:
    """Return the squares with more than a strength."""
    return exceeding(
        low,
        middle,
        high,
        NONE if strength & ONE else ALL,
        NONE if strength & TWO else ALL,
        NONE if strength & FOUR else ALL,
    )
