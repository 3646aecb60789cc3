"""The compiled rules of TZAAR, equal to the referee's.

A position is a row (`trine.games.tzaar.kernel.layout`). Rows lie in an array, one for each ply;
playing writes the next row, so nothing is ever undone. A buffer of actions holds `MAX_ACTIONS`.

Nothing is checked: actions must be legal. There is no history, since positions of TZAAR cannot
repeat.

Actions are numbers: origin · 60 + target for a stack that goes onto another, whose owner
distinguishes a capture from a stacking; `PASS`; `PLACEMENT` + kind · 60 + point, with the kinds in
the order TYZ.
"""

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Buffer, Row, Rows
from trine.core.compiled.bits import NONE, ONE, Word, count, lowest
from trine.core.compiled.jit import kernel
from trine.core.contract.score import ONGOING
from trine.games.tzaar.board import ARMY_SIZE, BLACK, KINDS, SIDES, WHITE
from trine.games.tzaar.kernel import layout

PASS: Final = layout.SIZE * layout.SIZE
PLACEMENT: Final = PASS + 1
MAX_ACTIONS: Final = ARMY_SIZE * 2 * layout.DIRECTIONS + 1
"""An upper bound: six lines from each of 30 stacks, and the pass. Placements are at most 3 · 60."""


# --- the laws of the board -----------------------------------------------------------------------


@layout.inlined()
def digits_used(row: Row) -> int:
    """Return the number of binary digits that the tallest stack needs; higher words are empty."""
    used = layout.DIGITS
    while used > 0 and row[layout.BELOW + used - 1] == NONE:
        used -= 1
    return used


@layout.inlined()
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
        lower = layout.next_above(upper, occupied, direction)
        same = ~(upper ^ lower)
        lower_wins = lower_wins & same | lower & ~upper
        upper_wins = upper_wins & same | upper & ~lower
    return lower_wins, upper_wins


@layout.inlined()
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
    above_own = layout.next_above(own, occupied, direction)
    upward = above_own & enemy
    downward = layout.next_above(enemy, occupied, direction) & own
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
    for direction in range(layout.DIRECTIONS):
        upward, downward = steps_along(row, side, direction, digits, False)
        total += count(upward) + count(downward)
    return total


@layout.inlined()
def can_capture(row: Row, side: int) -> bool:
    digits = digits_used(row)
    for direction in range(layout.DIRECTIONS):
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


@layout.inlined()
def in_hand(row: Row, side: int, kind: int) -> bool:
    """Return whether a side has yet to place a piece of a kind, while the board is being filled."""
    return count(layout.stacks_of(row, side, kind)) < layout.ARMIES[kind]


@layout.inlined()
def over(row: Row) -> bool:
    """Return whether a side is extinct; a side without captures has no actions anyway."""
    return layout.extinct(row, WHITE) or layout.extinct(row, BLACK)


@layout.inlined()
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
                out[total] = PLACEMENT + kind * layout.SIZE + lowest(empty)
                empty &= empty - ONE
                total += 1
        return total
    if over(row):
        return 0
    digits, second = digits_used(row), layout.stage(row) == layout.STAGE_TWO
    for direction in range(layout.DIRECTIONS):
        upward, downward = steps_along(row, side, direction, digits, second)
        occupied = row[direction * layout.FIELD + WHITE] | row[direction * layout.FIELD + BLACK]
        total = layout.list_steps(upward, occupied, direction, True, out, total)
        total = layout.list_steps(downward, occupied, direction, False, out, total)
    if second:
        out[total] = PASS
        total += 1
    return total


@layout.inlined()
def count_actions(row: Row) -> int:
    side = layout.mover(row)
    total = 0
    if layout.stage(row) == layout.STAGE_PLACE:
        for kind in range(len(KINDS)):
            total += in_hand(row, side, kind)
        return total * count(layout.ALL_PLACES & ~(row[WHITE] | row[BLACK]))
    if over(row):
        return 0
    digits, second = digits_used(row), layout.stage(row) == layout.STAGE_TWO
    for direction in range(layout.DIRECTIONS):
        upward, downward = steps_along(row, side, direction, digits, second)
        total += count(upward) + count(downward)
    return total + second


# --- playing an action ---------------------------------------------------------------------------


@layout.inlined()
def _enter(row: Row, state: Word) -> None:
    """Change the side to move and the stage."""
    row[layout.KEY] ^= layout.STATE_KEYS[row[layout.STATE]] ^ layout.STATE_KEYS[state]
    row[layout.STATE] = state


@layout.inlined()
def _place(row: Row, kind: int, point: int) -> None:
    """Put a piece of the player to move on an empty point."""
    side, state = layout.mover(row), row[layout.STATE]
    for direction in range(layout.DIRECTIONS):
        row[direction * layout.FIELD + side] |= layout.BIT_OF[direction, point]
    if kind > 0:
        row[layout.TZARRAS + kind - 1] |= layout.BIT_OF[0, point]
    row[layout.KEY] ^= layout.PIECE_KEYS[len(KINDS) * side + kind, point]
    full = row[WHITE] | row[BLACK] == layout.ALL_PLACES
    _enter(row, layout.FILLED[state] if full else layout.NEXT_STATE[state])


@layout.inlined()
def _restack(row: Row, origin: Word, target: Word, digits: Word, below_top: Word) -> None:
    """Write the digits of the heights on two points: zeros on the first, new ones on the second."""
    for direction in range(layout.DIRECTIONS):
        left, reached = layout.BIT_OF[direction, origin], layout.BIT_OF[direction, target]
        digit = NONE
        while digits >> digit:
            word = np.uint64(direction * layout.FIELD + layout.BELOW) + digit
            row[word] &= ~(left | reached)
            if below_top >> digit & ONE:
                row[word] |= reached
            digit += ONE


@layout.inlined()
def _move(before: Row, after: Row, origin: Word, target: Word) -> None:
    """Write the row after a stack has gone onto another: the kinds, the sides, the heights."""
    state, zobrist = before[layout.STATE], before[layout.KEY]
    side = state & ONE
    stacking = before[side] >> target & ONE
    both = ONE << origin | ONE << target

    tzarras, tzaars = before[layout.TZARRAS], before[layout.TZAARS]
    tzarra, tzaar = tzarras >> origin & ONE, tzaars >> origin & ONE
    after[layout.TZARRAS] = tzarras & ~both | tzarra << target
    after[layout.TZAARS] = tzaars & ~both | tzaar << target
    two, three = np.uint64(2), np.uint64(len(KINDS))
    top = three * side + tzarra + two * tzaar
    covered_side = side ^ ONE ^ stacking
    covered = three * covered_side + (tzarras >> target & ONE) + two * (tzaars >> target & ONE)
    zobrist ^= (
        layout.PIECE_KEYS[top, origin]
        ^ layout.PIECE_KEYS[top, target]
        ^ layout.PIECE_KEYS[covered, target]
    )

    for direction in range(layout.DIRECTIONS):
        field = np.uint64(direction * layout.FIELD)
        left, reached = layout.BIT_OF[direction, origin], layout.BIT_OF[direction, target]
        own, enemy = field + side, field + (side ^ ONE)
        after[own] = before[own] & ~left | reached
        after[enemy] = before[enemy] & ~reached
        for digit in range(layout.DIGITS):
            word = field + np.uint64(layout.BELOW + digit)
            after[word] = before[word]

    below_origin = below_target = NONE
    if layout.tall(before) & both:
        below_origin, below_target = layout.below(before, origin), layout.below(before, target)
    below_top = below_origin + below_target + ONE if stacking else below_origin
    digits = below_origin | below_target | below_top
    if digits:
        zobrist ^= layout.BELOW_KEYS[below_origin, origin] ^ layout.BELOW_KEYS[below_target, target]
        zobrist ^= layout.BELOW_KEYS[below_top, target]
        _restack(after, origin, target, digits, below_top)

    after[layout.STATE] = layout.NEXT_STATE[state]
    after[layout.KEY] = (
        zobrist ^ layout.STATE_KEYS[state] ^ layout.STATE_KEYS[layout.NEXT_STATE[state]]
    )


@layout.inlined()
def _play(before: Row, after: Row, action: int) -> None:
    if action < PASS:
        origin = np.uint64(action) // np.uint64(layout.SIZE)
        _move(before, after, origin, np.uint64(action) - origin * np.uint64(layout.SIZE))
        return
    for word in range(layout.WORDS):
        after[word] = before[word]
    if action == PASS:
        _enter(after, layout.NEXT_STATE[after[layout.STATE]])
    else:
        _place(after, (action - PLACEMENT) // layout.SIZE, (action - PLACEMENT) % layout.SIZE)


@layout.inlined()
def play(rows: Rows, ply: int, action: int) -> None:
    """Write the row of the next ply: the position after an action."""
    # Unsigned numbers, so that machine code need not test whether an index counts from the end.
    _play(rows[np.uint64(ply)], rows[np.uint64(ply + 1)], action)
