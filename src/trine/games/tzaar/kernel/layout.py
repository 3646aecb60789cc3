"""A position of TZAAR as one row of words, functions that read it, and neighbours on the lines.

A row is `WORDS` words of 64 bits. Sets of points are words of bits, in the *places* of one of the
three directions of the lines; in the first direction, places are points. The words are:

- for each direction `FIELD` words: the stacks of White; the stacks of Black; then, from `BELOW` on,
  the number of pieces below the top of each stack (its height less one) in binary digits: `DIGITS`
  words, the first with the stacks where the digit for 1 is set, the next with those for 2, and so
  on. These words are empty if all stacks are single pieces;
- `TZARRAS` and `TZAARS`: the stacks of both sides with a Tzarra, a Tzaar on top; all others have a
  Tott there;
- `STATE`: the side to move (bit 0), the stage (bits 1 and 2), and the rule set (bit 3: whether the
  first turn of White is single, as in `official`). So rule sets are data, and only the action that
  fills the board depends on them;
- `KEY`: the Zobrist key of the position.

The board has lines in three directions. For each direction the points are numbered along the lines,
line after line, so that one step up a line is one number more; these numbers are called *places*. A
set of points is one word of bits, in the places of one direction. In the first direction, along the
columns, the places are the numbers of the points themselves.

The next stack above each stack of a set is then found by a single addition. Put a bit just above
each of them and add the empty places: a bit that falls into a run of empty places is carried
through the run, and comes to rest on the place that ends it. Nothing may be carried from one line
into the next: so no bit is put above the highest place of a line, and that place never counts as
empty. The missing centre never matters, since lines end there.

Two neighbours on a line are found once, at the *upper* of the two, and stand for both directions:
actions of the lower on the upper, and of the upper on the lower.
"""

from functools import partial
from typing import Final

import numpy as np

from trine.core.compiled.arrays import Buffer, Row, zobrist_table
from trine.core.compiled.bits import NONE, ONE, Word, highest, lowest
from trine.core.compiled.jit import kernel
from trine.games.tzaar.board import ARMY, ARMY_SIZE, KINDS, LINES_FROM, POINTS, SIDES, WHITE
from trine.games.tzaar.board import DIRECTIONS as WAYS

inlined: Final = partial(kernel, forceinline=True)
"""The decorator of functions that every position needs: LLVM inlines them into their callers.
Measured in `perft`: 9 ns for an action played, 14 ns without inlining."""

DIRECTIONS: Final = 3
SIZE: Final = len(POINTS)
assert all(
    (-column, -height) == WAYS[way + DIRECTIONS]
    for way, (column, height) in enumerate(WAYS[:DIRECTIONS])
), "of the six ways along the lines, the last three are the first three backward"

_ORDERS: Final = tuple(
    tuple(
        point
        for lowest_point in POINTS
        if not LINES_FROM[lowest_point][direction + DIRECTIONS]
        for point in (lowest_point, *LINES_FROM[lowest_point][direction])
    )
    for direction in range(DIRECTIONS)
)
"""The points of each direction, line after line, each line upward."""
POINT_AT: Final = np.array(_ORDERS, np.int64)  # Shapes: direction, place. The point at a place
PLACE_OF: Final = np.argsort(POINT_AT).astype(np.uint64)
"""Shapes: direction, point. The place of a point in the order of a direction, line by line; the
inverse of `POINT_AT`."""
BIT_OF: Final = ONE << PLACE_OF  # Shapes: direction, point. `PLACE_OF` as a bit
NOT_HIGHEST: Final = np.array(
    [
        sum(1 << place for place, point in enumerate(order) if LINES_FROM[point][direction])
        for direction, order in enumerate(_ORDERS)
    ],
    np.uint64,
)
"""Shapes: direction. The places that are not the highest of their lines."""


@inlined()
def next_above(stacks: Word, occupied: Word, direction: int) -> Word:
    """Return the next stacks above the stacks of a set."""
    inside = NOT_HIGHEST[direction]
    return (((stacks & inside) << ONE) + (inside & ~occupied)) & occupied


@inlined()
def step(upper: int, occupied: Word, direction: int, upward: bool) -> int:
    """Return the number of the action between the stack at a place and the next one below it.

    If ``upward``, the lower goes onto the upper, else the upper onto the lower.
    """
    lower = highest(occupied & ((ONE << np.uint64(upper)) - ONE))
    low, high = POINT_AT[direction, lower], POINT_AT[direction, upper]
    return low * SIZE + high if upward else high * SIZE + low


@inlined()
def list_steps(
    uppers: Word, occupied: Word, direction: int, upward: bool, out: Buffer, count: int
) -> int:
    """Append the actions between stacks of a set and their lower neighbours; return the count."""
    while uppers:
        upper = lowest(uppers)
        uppers &= uppers - ONE
        out[count] = step(upper, occupied, direction, upward)
        count += 1
    return count


BELOW: Final = len(SIDES)  # the first word of the digits in a field
DIGITS: Final = (ARMY_SIZE - 1).bit_length()
"""The number of binary digits of a height: enough for a whole army in one stack."""
FIELD: Final = BELOW + DIGITS
TZARRAS: Final = DIRECTIONS * FIELD
TZAARS: Final = TZARRAS + 1
STATE: Final = TZARRAS + 2
KEY: Final = TZARRAS + 3
WORDS: Final = TZARRAS + 4

ALL_PLACES: Final = np.uint64((1 << SIZE) - 1)

STAGE_ONE, STAGE_TWO, STAGE_FIRST, STAGE_PLACE = 0, 1, 2, 3
"""The stages, by the next action: the first or the second of a turn, the single one of White's
first turn, or a placement."""
FIRST_TURN_SINGLE: Final = np.uint64(8)  # the bit of the rule set in `STATE`


def state_of(mover: int, stage: int, first_turn_single: bool) -> int:
    return mover | stage << 1 | first_turn_single << 3


def _next_state(state: int) -> int:
    """Return the state after an action that does not fill the board."""
    mover, stage, single = state & 1, state >> 1 & 3, bool(state >> 3)
    if stage == STAGE_ONE:
        return state_of(mover, STAGE_TWO, single)
    return state_of(1 - mover, STAGE_PLACE if stage == STAGE_PLACE else STAGE_ONE, single)


STATES: Final = range(16)
NEXT_STATE: Final = np.array([_next_state(state) for state in STATES], np.uint64)
FILLED: Final = np.array(
    [
        state_of(WHITE, STAGE_FIRST if state >> 3 else STAGE_ONE, bool(state >> 3))
        for state in STATES
    ],
    np.uint64,
)
"""Shapes: state. The state after the action that fills the board."""
ARMIES: Final = np.array([ARMY[kind] for kind in KINDS], np.int64)

PIECE_KEYS: Final = zobrist_table("tzaar pieces", len(SIDES) * len(KINDS), SIZE)
"""Shapes: 3 · side + kind, point."""
BELOW_KEYS: Final = zobrist_table("tzaar pieces below", 1 << DIGITS, SIZE)
"""Shapes: number of pieces below the top, point. Zero pieces leave the key unchanged."""
BELOW_KEYS[0] = 0
STATE_KEYS: Final = zobrist_table("tzaar states", len(STATES))


@inlined()
def mover(row: Row) -> int:
    return np.int64(row[STATE] & ONE)


@inlined()
def stage(row: Row) -> int:
    """Return the stage: `STAGE_ONE`, `STAGE_TWO`, `STAGE_FIRST` or `STAGE_PLACE`."""
    return np.int64(row[STATE] >> ONE) & 3


@inlined()
def stacks_of(row: Row, side: int, kind: int) -> Word:
    """Return the points with the stacks of a side that have a kind on top."""
    if kind == 0:
        return row[side] & ~(row[TZARRAS] | row[TZAARS])
    return row[side] & row[TZARRAS + kind - 1]


@inlined()
def below(row: Row, point: Word) -> Word:
    """Return the number of pieces below the top of the stack on a point: its height less one."""
    total = NONE
    for digit in range(DIGITS):
        total |= (row[BELOW + digit] >> point & ONE) << np.uint64(digit)
    return total


@inlined()
def tall(row: Row) -> Word:
    """Return the points with stacks of two pieces or more."""
    total = NONE
    for digit in range(DIGITS):
        total |= row[BELOW + digit]
    return total


@inlined()
def extinct(row: Row, side: int) -> bool:
    return (
        stacks_of(row, side, 0) == NONE
        or stacks_of(row, side, 1) == NONE
        or stacks_of(row, side, 2) == NONE
    )


@kernel()
def key(row: Row) -> Word:
    return row[KEY]


@kernel()
def fresh_key(row: Row) -> Word:
    """Return the Zobrist key, computed from all other words."""
    total = STATE_KEYS[row[STATE]]
    for side in range(len(SIDES)):
        for kind in range(len(KINDS)):
            stacks = stacks_of(row, side, kind)
            while stacks:
                point = np.uint64(lowest(stacks))
                stacks &= stacks - ONE
                total ^= PIECE_KEYS[len(KINDS) * side + kind, point]
                total ^= BELOW_KEYS[below(row, point), point]
    return total
