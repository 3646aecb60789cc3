"""The legal actions of Corridor for the kernel: moves of the pawn, and walls that can be placed.

`generate` lists them, `count_actions` counts them, `nth_action` picks one, all in the same order.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.bits import NONE, ONE, count, lowest, nth
from trine.core.jit import inner, kernel
from trine.core.score import ONGOING
from trine.games.corridor.board import EAST as EAST_SIDE
from trine.games.corridor.board import NORTH as NORTH_SIDE
from trine.games.corridor.board import SIDES, SIDES_OF, SIZES
from trine.games.corridor.board import WEST as WEST_SIDE
from trine.games.corridor.kernel.narrow import (
    narrow_doors,
    passages_of,
)
from trine.games.corridor.kernel.narrow_walls import great_walls
from trine.games.corridor.kernel.row import (
    GREAT_WALL,
    LOW,
    NARROW,
    NUMBER,
    QUORIDOR,
    SQUARE,
    WIDE,
    Numbers,
    Row,
    hand_of,
    has_pawn_on,
    is_in_setup,
    mover,
    pawn_of,
    players_of,
    result,
    rules_of,
    size_of,
)
from trine.games.corridor.kernel.walls import quoridor_walls
from trine.games.corridor.kernel.wide import (
    wide_doors,
    wide_walls,
)

MOST_ACTIONS: Final = 8 + 2 * SIZES[-1] * (SIZES[-1] - 1)
"""No position has more legal actions: through each of four open sides a pawn comes to one square or
two; a wall stands between two squares. There are fewer start squares than that."""

# The targets of a pawn are twelve bits: one step towards each of the four sides, two steps towards
# each, and those between two sides: south-west, north-west, north-east, south-east.
TARGETS: Final = 12
STEPS: Final = np.uint64(15)
STRAIGHT: Final = 4
DIAGONAL: Final = 8
DELTAS: Final = np.array(
    [
        [step * times for times in (1, 2) for step in (-stride, -1, stride, 1)]
        + [-stride - 1, stride - 1, stride + 1, 1 - stride]
        for stride in (NARROW, WIDE)
    ],
    np.int64,
)
"""For the two strides, the distance of each target."""
START_SIDES: Final = np.array(
    [
        list(SIDES_OF.get(players, ())) + [0] * (4 - len(SIDES_OF.get(players, ())))
        for players in range(5)
    ],
    np.int64,
)
"""By the number of players, the side from which each starts."""


def _bit_numbers() -> NDArray[np.int32]:
    table = np.zeros((NARROW + 1, 2, 4, 64), np.int32)
    for size in SIZES:
        for part in range(4) if size <= NARROW else ():
            for bit in range(64):
                short, long = bit + LOW * (part % 2), bit + bit // 8
                for is_long, square in enumerate((short, long)):
                    if square < NARROW * NARROW:
                        first = size * size * (1 + part // 2)
                        table[size, is_long, part, bit] = first + NUMBER[size, square]
    return table


BIT_NUMBERS: Final = _bit_numbers()
"""By size, whether walls are two squares long, part of `narrow_walls` and bit: the action.
"""
NTH_STEP: Final = np.array(
    [([side for side in SIDES if steps >> side & 1] + [0] * 4)[:4] for steps in range(16)], np.int64
)
"""By a set of steps and an index, the step: without a branch that chance would mispredict."""

# --- moves ---------------------------------------------------------------------------------------


@kernel("int64(uint64[::1], int64)", forceinline=True)
def doors(row: Row, square: int) -> int:
    """Return the open sides of a square, as bits in the order of the sides."""
    return narrow_doors(row, square) if size_of(row) <= NARROW else wide_doors(row, square)


@kernel("int64(uint64[::1], int64, int64, int64)")
def jumps(row: Row, over: int, side: int, wide: int) -> int:
    """Return the targets of a jump over the pawn on a square, towards a side."""
    ways = doors(row, over)
    if ways >> side & 1 and not has_pawn_on(row, over + int(DELTAS[wide, side])):
        return 1 << (STRAIGHT + side)
    if rules_of(row) != QUORIDOR:
        return 0
    targets = 0
    after, before = (side + 1) & 3, (side - 1) & 3
    if ways >> after & 1 and not has_pawn_on(row, over + int(DELTAS[wide, after])):
        targets |= 1 << (DIAGONAL + side)
    if ways >> before & 1 and not has_pawn_on(row, over + int(DELTAS[wide, before])):
        targets |= 1 << (DIAGONAL + before)
    return targets


@kernel("int64(uint64[::1], int64, int64)", forceinline=True)
def pawn_targets(row: Row, square: int, wide: int) -> int:
    """Return the targets of the pawn of the player to move from a square, as bits (`TARGETS`)."""
    stride = int(DELTAS[wide, 2])
    beside = 0
    for player in range(players_of(row)):
        gap = pawn_of(row, player) - square
        beside |= (gap == -stride) | (gap == -1) << 1 | (gap == stride) << 2 | (gap == 1) << 3
    ways = doors(row, square)
    targets = ways & ~beside
    if ways & beside:
        for side in SIDES:
            if ways & beside & 1 << side:
                targets |= jumps(row, square + int(DELTAS[wide, side]), side, wide)
    return targets


@inner("int64(uint64[::1])", forceinline=True)
def legal_targets(row: Row) -> int:
    """Return the targets of the player to move, as bits (`TARGETS`)."""
    return pawn_targets(row, pawn_of(row, mover(row)), int(size_of(row) > NARROW))


@inner("int64(uint64[::1], int64)", forceinline=True)
def target_number(row: Row, target: int) -> int:
    """Return the action of going to a target."""
    size = size_of(row)
    square = pawn_of(row, mover(row)) + int(DELTAS[int(size > NARROW), target])
    return int(NUMBER[size, square])


@inner("int64(uint64[::1], int64)")
def nth_choice(row: Row, number: int) -> int:
    """Return the start square at an index of those that can be chosen, or -1 if there are fewer."""
    size = size_of(row)
    side = START_SIDES[players_of(row), mover(row)]
    first = size * (size - 1) if side == NORTH_SIDE else size - 1 if side == EAST_SIDE else 0
    step = size if side in (WEST_SIDE, EAST_SIDE) else 1
    for place in range(first, first + step * size, step):
        if not has_pawn_on(row, int(SQUARE[size, place])):
            if number == 0:
                return place
            number -= 1
    return -1


# --- walls ---------------------------------------------------------------------------------------


@inner("UniTuple(uint64, 4)(uint64[::1])", forceinline=True)
def narrow_walls(row: Row) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return the walls that can be placed on a narrow board, regardless of hands: lying, standing.

    Returns: two words each: the squares by which they are named, or in Quoridor their middles and
        an empty word.
    """
    if rules_of(row) == QUORIDOR:
        lying, standing = quoridor_walls(row)
        return lying, NONE, standing, NONE
    north, north_high, east, east_high = passages_of(row)
    if rules_of(row) == GREAT_WALL:
        shut, shut_high, shut_east, shut_east_high = great_walls(row)
        return (
            north & ~shut,
            north_high & ~shut_high,
            east & ~shut_east,
            east_high & ~shut_east_high,
        )
    return north, north_high, east, east_high


@inner("int64(uint64[::1], int64, int64)", forceinline=True)
def narrow_number(row: Row, part: int, bit: int) -> int:
    """Return the action of placing a wall that is a bit in a part of `narrow_walls`."""
    return int(BIT_NUMBERS[size_of(row), int(rules_of(row) == QUORIDOR), part, bit])


@inner("int64(uint64[::1], int64, uint64, int32[::1], int64)", forceinline=True)
def list_walls(row: Row, part: int, walls: np.uint64, out: Numbers, found: int) -> int:
    """Write the walls of a part of `narrow_walls` from an index on, and return the next index."""
    numbers = BIT_NUMBERS[size_of(row), int(rules_of(row) == QUORIDOR), part]
    while walls:
        out[found] = numbers[lowest(walls)]
        found += 1
        walls &= walls - ONE
    return found


@inner("int64(uint64[::1], int64, int64, int64)")
def wide_number(row: Row, axis: int, rank: int, file: int) -> int:
    """Return the action of placing a wall on a wide board."""
    size = size_of(row)
    return size * size * (1 + axis) + rank * size + file


@inner("int64(uint64[::1], int32[::1], int64)")
def add_walls(row: Row, out: Numbers, found: int) -> int:
    """Write the legal walls from an index on, and return the next index."""
    if hand_of(row, mover(row)) == 0:
        return found
    if size_of(row) <= NARROW:
        lying, lying_high, standing, standing_high = narrow_walls(row)
        found = list_walls(row, 0, lying, out, found)
        found = list_walls(row, 1, lying_high, out, found)
        found = list_walls(row, 2, standing, out, found)
        return list_walls(row, 3, standing_high, out, found)
    for axis in range(2):
        for rank in range(size_of(row)):
            walls = wide_walls(row, axis, rank)
            while walls:
                out[found] = wide_number(row, axis, rank, lowest(walls))
                found += 1
                walls &= walls - ONE
    return found


@inner("int64(uint64[::1])", forceinline=True)
def count_walls(row: Row) -> int:
    """Return the number of walls that the player to move can place."""
    if hand_of(row, mover(row)) == 0:
        return 0
    if size_of(row) <= NARROW:
        lying, lying_high, standing, standing_high = narrow_walls(row)
        return count(lying) + count(lying_high) + count(standing) + count(standing_high)
    found = 0
    for axis in range(2):
        for rank in range(size_of(row)):
            found += count(wide_walls(row, axis, rank))
    return found


@inner("int64(uint64[::1])", forceinline=True)
def pass_number(row: Row) -> int:
    """Return the action of a pass, legal only where nothing else is."""
    size = size_of(row)
    return 3 * size * size


# --- legal actions -------------------------------------------------------------------------------


@kernel("int64(uint64[::1], int32[::1])")
def generate(row: Row, out: Numbers) -> int:
    """Write the legal actions, each once: moves, then walls that lie, then walls that stand.

    Shapes: ``out`` has room for `MOST_ACTIONS`.

    Returns: their number; 0 after the end of the play.
    """
    if result(row) != ONGOING:
        return 0
    found = 0
    if is_in_setup(row):
        while True:
            choice = nth_choice(row, found)
            if choice < 0:
                return found
            out[found] = choice
            found += 1
    targets = legal_targets(row)
    for target in range(TARGETS):
        if targets >> target & 1:
            out[found] = target_number(row, target)
            found += 1
    found = add_walls(row, out, found)
    if found == 0:
        out[0] = pass_number(row)
        return 1
    return found


@kernel("int64(uint64[::1], int32[::1])")
def legal_walls(row: Row, out: Numbers) -> int:
    """Write the legal walls, all found at once, and return their number."""
    if result(row) != ONGOING or is_in_setup(row):
        return 0
    return add_walls(row, out, 0)


@kernel("int64(uint64[::1])")
def count_actions(row: Row) -> int:
    """Return the number of legal actions: `generate` without a list."""
    if result(row) != ONGOING:
        return 0
    if is_in_setup(row):
        found = 0
        while nth_choice(row, found) >= 0:
            found += 1
        return found
    return max(1, count(np.uint64(legal_targets(row))) + count_walls(row))


@inner("int64(uint64[::1], UniTuple(uint64, 4), int64)", forceinline=True)
def nth_of_narrow(
    row: Row, walls: tuple[np.uint64, np.uint64, np.uint64, np.uint64], number: int
) -> int:
    """Return the wall at an index of the result of `narrow_walls`, or -1 if there are fewer."""
    for part in range(4):
        if number < count(walls[part]):
            return narrow_number(row, part, nth(walls[part], number))
        number -= count(walls[part])
    return -1


@inner("int64(uint64[::1], int64)")
def nth_of_walls(row: Row, number: int) -> int:
    """Return the legal wall at an index, or -1 if there are fewer."""
    if size_of(row) <= NARROW:
        return nth_of_narrow(row, narrow_walls(row), number)
    for axis in range(2):
        for rank in range(size_of(row)):
            walls = wide_walls(row, axis, rank)
            if number < count(walls):
                return wide_number(row, axis, rank, nth(walls, number))
            number -= count(walls)
    return -1


@kernel("int64(uint64[::1], int64)")
def nth_action(row: Row, number: int) -> int:
    """Return the action that `generate` writes at an index, which must exist, without a list."""
    if is_in_setup(row):
        return nth_choice(row, number)
    targets = np.uint64(legal_targets(row))
    moves = count(targets)
    if number < moves:
        return target_number(row, nth(targets, number))
    if hand_of(row, mover(row)) != 0:
        wall = nth_of_walls(row, number - moves)
        if wall >= 0:
            return wall
    return pass_number(row)
