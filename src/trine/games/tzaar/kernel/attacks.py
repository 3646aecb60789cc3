"""Attacks between the stacks of TZAAR, on a board or on a board after one more action.

No function depends on the side to move. An action from a point to the same point changes nothing,
so the board itself is a case of the board after an action.
"""

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Row
from trine.core.compiled.bits import NONE, ONE, Word, lowest
from trine.core.compiled.jit import kernel
from trine.games.tzaar.board import BLACK, WHITE
from trine.games.tzaar.kernel import layout
from trine.games.tzaar.kernel.rules import digits_used, height_order

NO_POINT: Final = -1
_TWO: Final = np.uint64(2)
_FOUR: Final = np.uint64(4)


@layout.inlined()
def next_below(stacks: Word, occupied: Word, direction: int) -> Word:
    """Return the next stacks below the stacks of a set.

    A sum carries only upward, so each stack is smeared over the empty places below it (Kogge-Stone
    fill), in three strides of 1, 2 and 4: no line has more than seven places between two stacks.
    The highest place of a line never counts as empty, since the smear would come from the next
    line.
    Source: P. Kogge, H. Stone, "A parallel algorithm for the efficient solution of a general class
        of recurrence equations" (1973).
    """
    inside = layout.NOT_HIGHEST[direction]
    empty = inside & ~occupied
    stacks |= empty & (stacks >> ONE)
    empty &= empty >> ONE
    stacks |= empty & (stacks >> _TWO)
    empty &= empty >> _TWO
    stacks |= empty & (stacks >> _FOUR)
    return (stacks >> ONE) & inside & occupied


@layout.inlined()
def to_points(places: Word, direction: int) -> Word:
    """Convert a set of places to a set of points."""
    if direction == 0:
        return places
    points = NONE
    while places:
        points |= ONE << np.uint64(layout.POINT_AT[direction, lowest(places)])
        places &= places - ONE
    return points


@layout.inlined()
def tallest(row: Row, stacks: Word, digits: int) -> Word:
    """Return the number of pieces below the top of the tallest stack of a set."""
    height = NONE
    for digit in range(digits - 1, -1, -1):
        higher = stacks & row[layout.BELOW + digit]
        if higher:
            stacks = higher
            height |= ONE << np.uint64(digit)
    return height


@layout.inlined()
def higher_than(row: Row, stacks: Word, height: Word, digits: int) -> Word:
    """Return the stacks of a set with more than ``height`` pieces below their tops."""
    found = NONE
    for digit in range(digits - 1, -1, -1):
        marked = row[layout.BELOW + digit]
        if height >> np.uint64(digit) & ONE:
            stacks &= marked
        else:
            found |= stacks & marked
            stacks &= ~marked
    return found


@kernel()
def attacked(row: Row, side: int) -> Word:
    """Return the points of a side's stacks that the other side could capture."""
    digits = digits_used(row)
    points = NONE
    for direction in range(layout.DIRECTIONS):
        field = direction * layout.FIELD
        own, enemy = row[field + side], row[field + 1 - side]
        occupied = own | enemy
        lower_wins, upper_wins = height_order(row, direction, digits)
        from_below = layout.next_above(enemy, occupied, direction) & own & lower_wins
        from_above = layout.next_above(own, occupied, direction) & enemy & upper_wins
        lowers = next_below(from_above, occupied, direction)
        points |= to_points(from_below | lowers, direction)
    return points


@layout.inlined()
def neighbour(row: Row, point: int, direction: int, upward: bool) -> int:
    """Return the point of the next stack along a line from a point, or `NO_POINT`."""
    occupied = row[direction * layout.FIELD + WHITE] | row[direction * layout.FIELD + BLACK]
    bit = layout.BIT_OF[direction, point]
    if upward:
        found = layout.next_above(bit, occupied, direction)
    else:
        found = next_below(bit, occupied, direction)
    return layout.POINT_AT[direction, lowest(found)] if found else NO_POINT


@kernel()
def takers_after(row: Row, target: int, height: Word, side: int, origin: int, reached: int) -> Word:
    """Return the points of a side's stacks that could capture a stack after the mover's action.

    ``target`` is the point, after the action, of the stack in danger, which has ``height`` pieces
    below its top; ``origin`` and ``reached`` are the action.
    """
    moves = layout.mover(row) == side
    arrived = layout.below(row, np.uint64(origin))
    if row[layout.mover(row)] >> np.uint64(reached) & ONE and reached != origin:
        arrived += layout.below(row, np.uint64(reached)) + ONE
    found = NONE
    for direction in range(layout.DIRECTIONS):
        field = direction * layout.FIELD
        left, taken = layout.BIT_OF[direction, origin], layout.BIT_OF[direction, reached]
        occupied = (row[field + WHITE] | row[field + BLACK]) & ~left | taken
        own = row[field + side] & ~left
        own = own | taken if moves else own & ~taken
        bit = layout.BIT_OF[direction, target]
        near = layout.next_above(bit, occupied, direction) | next_below(bit, occupied, direction)
        near &= own
        while near:
            point = layout.POINT_AT[direction, lowest(near)]
            near &= near - ONE
            high = arrived if point == reached and moves else layout.below(row, np.uint64(point))
            if high >= height:
                found |= ONE << np.uint64(point)
    return found


@kernel()
def takers(row: Row, target: int, side: int) -> Word:
    """Return the points of a side's stacks that could capture the stack on a point."""
    still = lowest(row[layout.mover(row)])
    return takers_after(row, target, layout.below(row, np.uint64(target)), side, still, still)


@kernel()
def is_silent_after(row: Row, origin: int, target: int) -> bool:
    """Return whether a move of the mover's stack onto another leaves the other side no capture."""
    side = layout.mover(row)
    top = layout.below(row, np.uint64(origin))
    if row[side] >> np.uint64(target) & ONE:
        top += layout.below(row, np.uint64(target)) + ONE
    digits = min(digits_used(row) + 1, layout.DIGITS)
    for direction in range(layout.DIRECTIONS):
        field = direction * layout.FIELD
        left, reached = layout.BIT_OF[direction, origin], layout.BIT_OF[direction, target]
        own = row[field + side] & ~left | reached
        enemy = row[field + 1 - side] & ~reached
        occupied = own | enemy
        upward = layout.next_above(enemy, occupied, direction) & own
        downward = layout.next_above(own, occupied, direction) & enemy
        lower_wins = upper_wins = layout.ALL_PLACES
        for digit in range(digits):
            upper = row[field + layout.BELOW + digit] & ~(left | reached)
            if top >> np.uint64(digit) & ONE:
                upper |= reached
            lower = layout.next_above(upper, occupied, direction)
            same = ~(upper ^ lower)
            lower_wins = lower_wins & same | lower & ~upper
            upper_wins = upper_wins & same | upper & ~lower
        if upward & lower_wins | downward & upper_wins:
            return False
    return True
