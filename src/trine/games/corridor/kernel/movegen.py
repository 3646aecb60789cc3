"""The legal actions of Corridor for the kernel: moves of the pawn, and walls that can be placed."""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Buffer, Row
from trine.core.compiled.bits import ONE, count, lowest
from trine.core.compiled.jit import kernel, kernel_only
from trine.core.contract.score import ONGOING
from trine.games.corridor.board import EAST as EAST_SIDE
from trine.games.corridor.board import NORTH as NORTH_SIDE
from trine.games.corridor.board import SIDES
from trine.games.corridor.board import WEST as WEST_SIDE
from trine.games.corridor.kernel import layout
from trine.games.corridor.kernel.shortest_paths import open_sides_of
from trine.games.corridor.kernel.squares import (
    Sides,
    Squares,
    number_in,
    open_sides,
    without,
    word_of,
)
from trine.games.corridor.kernel.walls import great_walls, quoridor_walls

MAX_ACTIONS: Final = 8 + 2 * layout.STRIDE * (layout.STRIDE - 1)
"""An upper bound of the legal actions: through each of four open sides a pawn reaches at most two
squares, and a wall is between two squares. There are fewer start squares."""

# The targets of a pawn are twelve bits: one step to each of the four sides, two steps to each, and
# the diagonal squares: south-west, north-west, north-east, south-east.
TARGETS: Final = 12
STRAIGHT: Final = 4
DIAGONAL: Final = 8
DELTAS: Final = np.array(
    [step * times for times in (1, 2) for step in (-layout.STRIDE, -1, layout.STRIDE, 1)]
    + [-layout.STRIDE - 1, layout.STRIDE - 1, layout.STRIDE + 1, 1 - layout.STRIDE],
    np.int64,
)
"""The number of each target minus that of the pawn's square."""

# --- moves ---------------------------------------------------------------------------------------


@kernel()
def jumps(row: Row, over: int, side: int) -> int:
    """Return the targets of a jump over the pawn on a square, towards a side."""
    sides = open_sides_of(row, over)
    if sides >> side & 1 and not layout.has_pawn_on(row, over + int(DELTAS[side])):
        return 1 << (STRAIGHT + side)
    if layout.rules_of(row) != layout.QUORIDOR:
        return 0
    targets = 0
    after, before = (side + 1) & 3, (side - 1) & 3
    if sides >> after & 1 and not layout.has_pawn_on(row, over + int(DELTAS[after])):
        targets |= 1 << (DIAGONAL + side)
    if sides >> before & 1 and not layout.has_pawn_on(row, over + int(DELTAS[before])):
        targets |= 1 << (DIAGONAL + before)
    return targets


@kernel(forceinline=True)
def pawn_targets(row: Row, square: int) -> int:
    """Return the targets of the pawn of the player to move from a square, as bits (`TARGETS`)."""
    beside = 0
    for player in range(layout.players_of(row)):
        gap = layout.pawn_of(row, player) - square
        beside |= (
            (gap == -layout.STRIDE)
            | (gap == -1) << 1
            | (gap == layout.STRIDE) << 2
            | (gap == 1) << 3
        )
    sides = open_sides_of(row, square)
    targets = sides & ~beside
    if sides & beside:
        for side in SIDES:
            if sides & beside & 1 << side:
                targets |= jumps(row, square + int(DELTAS[side]), side)
    return targets


@kernel_only(forceinline=True)
def legal_targets(row: Row) -> int:
    return pawn_targets(row, layout.pawn_of(row, layout.mover(row)))


@kernel_only(forceinline=True)
def target_number(row: Row, target: int) -> int:
    return int(
        layout.NUMBER[
            layout.size_of(row), layout.pawn_of(row, layout.mover(row)) + int(DELTAS[target])
        ]
    )


@kernel_only()
def nth_choice(row: Row, number: int) -> int:
    """Return the legal start square at an index, or -1 if there are fewer."""
    size = layout.size_of(row)
    side = layout.START_SIDES[layout.players_of(row), layout.mover(row)]
    first = size * (size - 1) if side == NORTH_SIDE else size - 1 if side == EAST_SIDE else 0
    step = size if side in (WEST_SIDE, EAST_SIDE) else 1
    for place in range(first, first + step * size, step):
        if not layout.has_pawn_on(row, int(layout.SQUARE[size, place])):
            if number == 0:
                return place
            number -= 1
    return -1


# --- walls ---------------------------------------------------------------------------------------


@kernel_only(forceinline=True)
def walls_of(row: Row) -> Sides:
    """Return the walls that the player to move can place, if any are in hand."""
    if layout.rules_of(row) == layout.QUORIDOR:
        return quoridor_walls(row)
    if layout.rules_of(row) == layout.GREAT_WALL:
        return without(open_sides(row), great_walls(row))
    return open_sides(row)


@kernel_only(forceinline=True)
def list_axis(row: Row, axis: int, walls: Squares, out: Buffer, found: int) -> int:
    """Write the walls of an axis into a list from an index on; return the next index."""
    size = layout.size_of(row)
    first = size * size * (1 + axis)
    for word in range(2):
        bits = word_of(walls, word)
        while bits:
            out[found] = first + layout.NUMBER[size, 64 * word + lowest(bits)]
            found += 1
            bits &= bits - ONE
    return found


@kernel_only()
def list_walls(row: Row, out: Buffer, found: int) -> int:
    """Write the legal walls into a list from an index on; return the next index."""
    if layout.hand_of(row, layout.mover(row)) == 0:
        return found
    walls = walls_of(row)
    found = list_axis(row, 0, walls.north, out, found)
    return list_axis(row, 1, walls.east, out, found)


@kernel_only(forceinline=True)
def number_of_walls(row: Row) -> int:
    return 0 if layout.hand_of(row, layout.mover(row)) == 0 else number_in(walls_of(row))


@kernel_only(forceinline=True)
def pass_number(row: Row) -> int:
    """Return the number of a pass, which is legal only if no other action is."""
    size = layout.size_of(row)
    return 3 * size * size


# --- legal actions -------------------------------------------------------------------------------


@kernel()
def generate(row: Row, out: Buffer) -> int:
    """Write the legal actions, each once: moves, then horizontal walls, then vertical walls."""
    if layout.result(row) != ONGOING:
        return 0
    found = 0
    if layout.is_in_setup(row):
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
    found = list_walls(row, out, found)
    if found == 0:
        out[0] = pass_number(row)
        return 1
    return found


@kernel()
def count_actions(row: Row) -> int:
    """Return the number of legal actions: `generate` without a list."""
    if layout.result(row) != ONGOING:
        return 0
    if layout.is_in_setup(row):
        found = 0
        while nth_choice(row, found) >= 0:
            found += 1
        return found
    return max(1, count(np.uint64(legal_targets(row))) + number_of_walls(row))
