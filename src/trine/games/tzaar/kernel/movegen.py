"""The legal actions in a row of TZAAR, listed and counted; and the result.

Actions are numbers: origin · 60 + target for a stack that goes onto another, whose owner
distinguishes a capture from a stacking; `PASS`; `PLACEMENT` + kind · 60 + point, with the kinds in
the order TYZ.
"""

from __future__ import annotations

from typing import Final

from trine.core.compiled.arrays import Buffer, Row
from trine.core.compiled.bits import NONE, ONE, Word, count, lowest
from trine.core.compiled.jit import kernel
from trine.core.contract.score import ONGOING
from trine.games.tzaar.board import ARMY_SIZE, BLACK, KINDS, SIDES, WHITE
from trine.games.tzaar.kernel import layout
from trine.games.tzaar.kernel.lines import DIRECTIONS, SIZE, inlined, list_steps, next_above

PASS: Final = SIZE * SIZE
PLACEMENT: Final = PASS + 1
MAX_ACTIONS: Final = ARMY_SIZE * 2 * DIRECTIONS + 1
"""An upper bound: six lines from each of 30 stacks, and the pass. Placements are at most 3 · 60."""


# --- the laws of the board -----------------------------------------------------------------------


@inlined()
def digits_used(row: Row) -> int:
    """Return the number of binary digits that the tallest stack needs; higher words are empty."""
    used = layout.DIGITS
    while used > 0 and row[layout.BELOW + used - 1] == NONE:
        used -= 1
    return used


@inlined()
def height_order(row: Row, direction: int, digits: int) -> tuple[Word, Word]:
    """Compare the heights of neighbours; the results are at the upper of the two.

    Returns: where the lower is at least as high as the upper, and where the upper is at least as
        high as the lower.
    """
    field = direction * layout.FIELD
    occupied = row[field + WHITE] | row[field + BLACK]
    lower_wins = upper_wins = layout.ALL_PLACES
    # The highest digit that differs decides, so each higher digit overrides the lower ones.
    for digit in range(digits):
        upper = row[field + layout.BELOW + digit]
        lower = next_above(upper, occupied, direction)
        same = ~(upper ^ lower)
        lower_wins = lower_wins & same | lower & ~upper
        upper_wins = upper_wins & same | upper & ~lower
    return lower_wins, upper_wins


@inlined()
def steps_along(
    row: Row, side: int, direction: int, digits: int, stacking: bool
) -> tuple[Word, Word]:
    """Find the captures of a side along the lines of a direction and, if wanted, its stackings.

    ``digits`` is the result of `digits_used`.

    Returns: the upper stacks of the pairs whose lower stack can go onto the upper, and of the pairs
        whose upper stack can go onto the lower.
    """
    field = direction * layout.FIELD
    own, enemy = row[field + side], row[field + 1 - side]
    occupied = own | enemy
    above_own = next_above(own, occupied, direction)
    upward = above_own & enemy
    downward = next_above(enemy, occupied, direction) & own
    if digits:
        lower_wins, upper_wins = height_order(row, direction, digits)
        upward &= lower_wins
        downward &= upper_wins
    if stacking:
        upward |= above_own & own
        downward |= above_own & own
    return upward, downward


@kernel()
def captures(row: Row, side: int) -> int:
    """Return the number of captures of a side, regardless of the side to move and the result."""
    digits = digits_used(row)
    total = 0
    for direction in range(DIRECTIONS):
        upward, downward = steps_along(row, side, direction, digits, False)
        total += count(upward) + count(downward)
    return total


@inlined()
def can_capture(row: Row, side: int) -> bool:
    digits = digits_used(row)
    for direction in range(DIRECTIONS):
        upward, downward = steps_along(row, side, direction, digits, False)
        if upward | downward:
            return True
    return False


@kernel()
def result(row: Row) -> int:
    """Return the winner or `ONGOING`, judged at once, also in the middle of a turn."""
    if layout.stage(row) == layout.STAGE_PLACE:
        return ONGOING
    for side in range(len(SIDES)):
        if layout.extinct(row, side):
            return 1 - side
    if layout.stage(row) != layout.STAGE_TWO and not can_capture(row, layout.mover(row)):
        return 1 - layout.mover(row)
    return ONGOING


# --- legal actions -------------------------------------------------------------------------------


@inlined()
def in_hand(row: Row, side: int, kind: int) -> bool:
    """Return whether a side has yet to place a piece of a kind, while the board is being filled."""
    return count(layout.stacks_of(row, side, kind)) < layout.ARMIES[kind]


@inlined()
def over(row: Row) -> bool:
    """Return whether a side is extinct; a side without captures has no actions anyway."""
    return layout.extinct(row, WHITE) or layout.extinct(row, BLACK)


@inlined()
def generate(row: Row, out: Buffer) -> int:
    """Write the legal actions, each once; return their number, 0 exactly after the end."""
    side = layout.mover(row)
    total = 0
    if layout.stage(row) == layout.STAGE_PLACE:
        for kind in range(len(KINDS)):
            empty = layout.ALL_PLACES & ~(row[WHITE] | row[BLACK])
            if not in_hand(row, side, kind):
                continue
            while empty:
                out[total] = PLACEMENT + kind * SIZE + lowest(empty)
                empty &= empty - ONE
                total += 1
        return total
    if over(row):
        return 0
    digits, second = digits_used(row), layout.stage(row) == layout.STAGE_TWO
    for direction in range(DIRECTIONS):
        upward, downward = steps_along(row, side, direction, digits, second)
        occupied = row[direction * layout.FIELD + WHITE] | row[direction * layout.FIELD + BLACK]
        total = list_steps(upward, occupied, direction, True, out, total)
        total = list_steps(downward, occupied, direction, False, out, total)
    if second:
        out[total] = PASS
        total += 1
    return total


@inlined()
def count_actions(row: Row) -> int:
    """Return the number of legal actions: `generate` without a list."""
    side = layout.mover(row)
    total = 0
    if layout.stage(row) == layout.STAGE_PLACE:
        for kind in range(len(KINDS)):
            total += in_hand(row, side, kind)
        return total * count(layout.ALL_PLACES & ~(row[WHITE] | row[BLACK]))
    if over(row):
        return 0
    digits, second = digits_used(row), layout.stage(row) == layout.STAGE_TWO
    for direction in range(DIRECTIONS):
        upward, downward = steps_along(row, side, direction, digits, second)
        total += count(upward) + count(downward)
    return total + second
