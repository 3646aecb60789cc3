"""Boards up to 9 x 9 for the kernel: sets of squares, floods, known ways.

A set is a *low* and a *high* word (see `trine.games.corridor.kernel.row`). One step of a flood
moves a whole set at once. As words divide a set between ranks, steps to the east and west stay in a
word, and bit 63 of a low word has no meaning.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.bits import NONE, ONE, lowest
from trine.core.jit import inner, kernel
from trine.games.corridor.board import EAST as EAST_SIDE
from trine.games.corridor.board import NORTH as NORTH_SIDE
from trine.games.corridor.board import SIDES, SIZES, SOUTH, WEST, side_squares
from trine.games.corridor.kernel.row import (
    EAST,
    GOALS,
    LOW,
    NARROW,
    NORTH,
    QUORIDOR,
    TURN,
    UNKNOWN,
    WAY,
    WAYS,
    WITNESS,
    WITNESS_AT,
    Row,
    is_playing,
    pawn_of,
    players_of,
    rules_of,
    size_of,
    witness_of,
)

Word = np.uint64

# --- tables --------------------------------------------------------------------------------------


def sets_of(size: int, squares: list[int]) -> tuple[int, int]:
    """Return a set as a low and a high word, given squares numbered as on the board."""
    placed = [square // size * NARROW + square % size for square in squares]
    low = sum(1 << square for square in placed if square < LOW)
    return low, sum(1 << (square - LOW) for square in placed if square >= LOW)


def _side_sets() -> np.ndarray[tuple[int, int, int], np.dtype[np.uint64]]:
    table = np.zeros((NARROW + 1, 4, 2), np.uint64)
    for size in range(SIZES[0], NARROW + 1):
        for side in SIDES:
            table[size, side] = sets_of(size, list(side_squares(size, side)))
    return table


def _open_sets() -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
    table = np.zeros((NARROW + 1, 4), np.uint64)
    for size in range(SIZES[0], NARROW + 1):
        squares = range(size * size)
        table[size, :2] = sets_of(size, [square for square in squares if square // size < size - 1])
        table[size, 2:] = sets_of(size, [square for square in squares if square % size < size - 1])
    return table


def _cuts() -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
    table = np.zeros((2, NARROW * NARROW), np.uint64)
    for square in range(NARROW * NARROW):
        rank, file = divmod(square, NARROW)
        lying = [(file - along, rank) for along in range(2)]
        standing = [(file, rank - along) for along in range(2)]
        for axis, walls in enumerate((lying, standing)):
            table[axis, square] = sum(
                1 << 8 * up + right for right, up in walls if 0 <= right < 8 and 0 <= up < 8
            )
    return table


SIDE_SETS: Final = _side_sets()
"""By size and side, the squares along a side of the board."""
OPEN_SETS: Final = _open_sets()
"""By size, the squares whose north sides (two words) and east sides can be open."""
CUTS: Final = _cuts()
"""By axis and square, the walls of Quoridor that shut the north, or the east side of the square."""

# --- sets ----------------------------------------------------------------------------------------


@inner("UniTuple(uint64, 2)(int64)", forceinline=True)
def set_of(square: int) -> tuple[Word, Word]:
    """Return the set of one square."""
    if square < LOW:
        return ONE << square, NONE
    return NONE, ONE << (square - LOW)


@inner("int64(uint64, uint64)", forceinline=True)
def first_of(low: Word, high: Word) -> int:
    """Return the first square of a set that is not empty."""
    return lowest(low) if low else lowest(high) + LOW


@kernel("boolean(uint64, uint64, int64)", forceinline=True)
def has(low: Word, high: Word, square: int) -> bool:
    """Return whether a square is in a set."""
    word, bit = (low, square) if square < LOW else (high, square - LOW)
    return bool(word >> bit & ONE)


@kernel("UniTuple(uint64, 2)(UniTuple(uint64, 4), uint64, uint64)", forceinline=True)
def spread(passages: tuple[Word, Word, Word, Word], low: Word, high: Word) -> tuple[Word, Word]:
    """Return a set with all squares that are one step away through open north and east sides."""
    north, north_high, east, east_high = passages
    up = low & north
    up_high = high & north_high
    return (
        low | up << 9 | (low >> 9 | high << 54) & north | (low & east) << 1 | low >> 1 & east,
        high
        | up_high << 9
        | up >> 54
        | high >> 9 & north_high
        | (high & east_high) << 1
        | high >> 1 & east_high,
    )


@inner("boolean(UniTuple(uint64, 4), int64, uint64, uint64)", forceinline=True)
def can_reach(
    passages: tuple[Word, Word, Word, Word], square: int, goal: Word, goal_high: Word
) -> bool:
    """Return whether a way leads from a square to a set of squares."""
    low, high = set_of(square)
    while True:
        if low & goal | high & goal_high:
            return True
        wider, wider_high = spread(passages, low, high)
        if wider == low and wider_high == high:
            return False
        low, high = wider, wider_high


@inner("int64(UniTuple(uint64, 4), int64, uint64, uint64)")
def count_steps(
    passages: tuple[Word, Word, Word, Word], square: int, goal: Word, goal_high: Word
) -> int:
    """Return the fewest steps from a square to a set of squares, or -1 if there is no way."""
    low, high = set_of(square)
    steps = 0
    while not low & goal | high & goal_high:
        wider, wider_high = spread(passages, low, high)
        if wider == low and wider_high == high:
            return -1
        low, high = wider, wider_high
        steps += 1
    return steps


@inner("UniTuple(uint64, 4)(uint64[::1])", forceinline=True)
def passages_of(row: Row) -> tuple[Word, Word, Word, Word]:
    """Return the open sides of squares: north (low, high) and east (low, high)."""
    return row[NORTH], row[NORTH + 1], row[EAST], row[EAST + 1]


@kernel("UniTuple(uint64, 2)(uint64[::1], int64)", forceinline=True)
def goal_of(row: Row, player: int) -> tuple[Word, Word]:
    """Return the goal squares of a player."""
    size = size_of(row)
    side = GOALS[players_of(row), player]
    return SIDE_SETS[size, side, 0], SIDE_SETS[size, side, 1]


@inner("int64(uint64[::1], int64)", forceinline=True)
def narrow_doors(row: Row, square: int) -> int:
    """Return the open sides of a square, as bits in the order of the sides."""
    south = square >= NARROW and has(row[NORTH], row[NORTH + 1], square - NARROW)
    west = square >= 1 and has(row[EAST], row[EAST + 1], square - 1)
    north = has(row[NORTH], row[NORTH + 1], square)
    east = has(row[EAST], row[EAST + 1], square)
    return south << SOUTH | west << WEST | north << NORTH_SIDE | east << EAST_SIDE


@inner("int64(uint64[::1], int64)")
def narrow_distance(row: Row, player: int) -> int:
    """Return the fewest steps from a player's pawn to its goal, or -1 if there is no way."""
    goal, goal_high = goal_of(row, player)
    return count_steps(passages_of(row), pawn_of(row, player), goal, goal_high)


# --- known ways ----------------------------------------------------------------------------------


@inner("UniTuple(uint64, 4)(UniTuple(uint64, 4), int64, uint64, uint64)")
def find_way(
    passages: tuple[Word, Word, Word, Word], square: int, goal: Word, goal_high: Word
) -> tuple[Word, Word, Word, Word]:
    """Return the sides that a shortest way from a square to a set of squares crosses.

    Returns: north sides (low, high) and east sides (low, high); all bits if there is no way.
    """
    # The distances of neighbours differ by one step at most, so the way back needs distances only
    # modulo three: sets of the squares 0, 1 and 2 steps away, and so on.
    low, high = set_of(square)
    zero, zero_high = low, high
    one = one_high = two = two_high = NONE
    steps = 0
    while not low & goal | high & goal_high:
        wider, wider_high = spread(passages, low, high)
        new, new_high = wider & ~low, wider_high & ~high
        if not new | new_high:
            return UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN
        low, high = wider, wider_high
        steps += 1
        if steps % 3 == 0:
            zero, zero_high = zero | new, zero_high | new_high
        elif steps % 3 == 1:
            one, one_high = one | new, one_high | new_high
        else:
            two, two_high = two | new, two_high | new_high
    here, here_high = set_of(first_of(low & goal, high & goal_high))
    north, north_high, east, east_high = passages
    way = way_high = side_way = side_way_high = NONE
    while steps > 0:
        steps -= 1
        if steps % 3 == 0:
            near, near_high = zero, zero_high
        elif steps % 3 == 1:
            near, near_high = one, one_high
        else:
            near, near_high = two, two_high
        below, below_high = (
            (here >> 9 | here_high << 54) & north & near,
            here_high >> 9 & north_high & near_high,
        )
        left, left_high = here >> 1 & east & near, here_high >> 1 & east_high & near_high
        above, above_high = (
            (here & north) << 9 & near,
            ((here_high & north_high) << 9 | (here & north) >> 54) & near_high,
        )
        if below | below_high:
            here, here_high = below, below_high
            way, way_high = way | here, way_high | here_high
        elif above | above_high:
            way, way_high = way | here, way_high | here_high
            here, here_high = above, above_high
        elif left | left_high:
            here, here_high = left, left_high
            side_way, side_way_high = side_way | here, side_way_high | here_high
        else:
            side_way, side_way_high = side_way | here, side_way_high | here_high
            here, here_high = (here & east) << 1, (here_high & east_high) << 1
    return way, way_high, side_way, side_way_high


@inner("void(uint64[::1], UniTuple(uint64, 4))", forceinline=True)
def set_way(row: Row, way: tuple[Word, Word, Word, Word]) -> None:
    """Store a way of the witness."""
    row[WAY], row[WAY + 1], row[WAY + 2], row[WAY + 3] = way


@inner("boolean(uint64[::1])")
def narrow_find_witness(row: Row) -> bool:
    """Find a player who has a way to the goal, trying the present witness first.

    Returns: whether there is one; then that player becomes the witness, and the way is stored.
    """
    players = players_of(row)
    passages = passages_of(row)
    player = witness_of(row)
    for _ in range(players):
        if is_playing(row, player):
            goal, goal_high = goal_of(row, player)
            way = find_way(passages, pawn_of(row, player), goal, goal_high)
            if way[0] != UNKNOWN:
                set_way(row, way)
                row[TURN] = row[TURN] & ~WITNESS | np.uint64(player) << WITNESS_AT
                return True
        player = player + 1 if player + 1 < players else 0
    return False


@inner("void(uint64[::1], int64, int64, int64)", forceinline=True)
def extend_ways(row: Row, player: int, start: int, target: int) -> None:
    """Update the known way of a pawn that has gone from a square to another.

    A step is put before the way; after a jump no way is known.
    """
    gap = target - start
    is_step = gap in (NARROW, -NARROW, 1, -1)
    axis = int(gap in (1, -1))
    side = min(start, target)
    if rules_of(row) == QUORIDOR:
        word = WAYS + 2 * player
        if is_step:
            row[word + axis] |= CUTS[axis, side]
        else:
            row[word] = row[word + 1] = UNKNOWN
    elif player == witness_of(row):
        if is_step:
            low, high = set_of(side)
            row[WAY + 2 * axis] |= low
            row[WAY + 2 * axis + 1] |= high
        else:
            set_way(row, (UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN))
