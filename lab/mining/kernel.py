"""The achievements of whole turns of Arimaa, counted by kinds of pieces; compiled.

Each is a number of pieces of each kind, rabbits first, or of goals, at index 0:

- `CAPTURED`: enemies that are removed;
- `FROZEN`: enemies, except rabbits, frozen after the turn, minus those before it;
- `HELD`: frozen enemies that one more turn could capture, minus those before it;
- `SAVED`: own pieces that the opponent could capture if it were to move, and no longer can;
- `STOPPED`: a goal that the opponent could reach if it were to move, and no longer can;
- `THREATENED`: a goal that one more turn could reach.
"""

from typing import Final

from numba import types

from trine.core.compiled.arrays import Buffers, Row, Rows
from trine.core.compiled.bits import NONE, Word, count
from trine.core.compiled.jit import kernel
from trine.core.compiled.rows import RowPointer, as_pointer, inlined, on_stack
from trine.games.arimaa.kernel.goals import detect_goal
from trine.games.arimaa.kernel.layout import (
    BOARD,
    BOARD_KEY,
    FOLLOWERS,
    IN_SETUP,
    IS_DIAGONAL,
    MOVER,
    START,
    START_KEY,
    STATE,
    WORDS,
    fresh_board_key,
    stir,
)
from trine.games.arimaa.kernel.ordering import capture_start
from trine.games.arimaa.kernel.perspectives import STEPS_IN_TURN, flipped, lowest_of, perspective_of
from trine.games.arimaa.kernel.rules import board_at, end_into
from trine.games.arimaa.kernel.sets import unfrozen

CAPTURED: Final = 0
FROZEN: Final = 1
HELD: Final = 2
SAVED: Final = 3
STOPPED: Final = 4
THREATENED: Final = 5
KINDS: Final = 6
"""The number of kinds, from rabbit to elephant."""

new_row: Final = on_stack(types.uint64, WORDS)


@inlined()
def of_kind(row: RowPointer, kind: int) -> Word:
    """Return the squares of the pieces of a kind, of both sides."""
    strength, found = kind + 1, ~NONE
    for plane in range(3):
        bits = row[BOARD + plane]
        found &= bits if strength >> plane & 1 else ~bits
    return found


@inlined()
def side_of(row: RowPointer, silver: bool) -> Word:
    here: Word = row[BOARD + 3]
    both: Word = row[BOARD] | row[BOARD + 1] | row[BOARD + 2]
    return here if silver else both & ~here


@inlined()
def frozen_of(row: RowPointer, silver: bool) -> Word:
    """Return the frozen pieces of a side, except rabbits."""
    own, enemies = side_of(row, silver), side_of(row, not silver)
    low, middle, high = row[BOARD], row[BOARD + 1], row[BOARD + 2]
    free = unfrozen(own, low, middle, high, enemies, row[STATE] & IS_DIAGONAL != NONE)
    return own & ~free & ~of_kind(row, 0)


@kernel()
def captures_in_turn(row: Row) -> Word:
    """Return the squares of enemy pieces that the player to move can remove within this turn."""
    here = as_pointer(row)
    if here[STATE] & IN_SETUP:
        return NONE
    perspective = perspective_of(here)
    low, middle, high, own = perspective
    enemies = (low | middle | high) & ~own
    found = NONE
    while enemies:
        victim = lowest_of(enemies)
        enemies ^= victim
        if capture_start(here, perspective, victim, STEPS_IN_TURN) >= 0:
            found |= victim
    return flipped(found) if here[STATE] & MOVER else found


@kernel(no_cpython_wrapper=True)
def pieces_meant(row: Row, silver: bool, which: int, mine: bool) -> Word:
    """Return a side's pieces counted by an achievement, in one position.

    Args: ``mine`` is whether the side is to move there.
    """
    here = as_pointer(row)
    if which == CAPTURED:
        return side_of(here, not silver)
    if which == FROZEN:
        return frozen_of(here, not silver)
    other = new_row()
    end_into(here, as_pointer(other))
    if which == HELD:
        return frozen_of(here, not silver) & captures_in_turn(row if mine else other)
    return captures_in_turn(other if mine else row)


@kernel()
def count_achieved(before: Row, after: Rows, which: int, out: Buffers) -> None:
    """Write how much of one achievement each of many turns from a position has.

    Shapes: ``after`` has the position after each turn as a row, ``out`` `KINDS` numbers for each.
    """
    silver = before[STATE] & MOVER != NONE
    other = new_row()
    if which >= STOPPED:
        end_into(as_pointer(before), as_pointer(other))
        was_threatened = detect_goal(other) > 0
        for number in range(len(after)):
            if which == STOPPED:
                out[number, 0] = was_threatened and detect_goal(after[number]) == 0
            else:
                end_into(as_pointer(after[number]), as_pointer(other))
                out[number, 0] = detect_goal(other) > 0
        return
    then = pieces_meant(before, silver, which, True)
    less = which in (CAPTURED, SAVED)
    for number in range(len(after)):
        now = pieces_meant(after[number], silver, which, False)
        for kind in range(KINDS):
            had = count(then & of_kind(as_pointer(before), kind))
            has = count(now & of_kind(as_pointer(after[number]), kind))
            gone = 0
            if which == SAVED:  # lost pieces are not saved
                gone = count(
                    side_of(as_pointer(before), silver) & of_kind(as_pointer(before), kind)
                )
                gone -= count(
                    side_of(as_pointer(after[number]), silver)
                    & of_kind(as_pointer(after[number]), kind)
                )
            out[number, kind] = max(0, had - has - gone if less else has - had)


@kernel()
def end_with(row: Row, boards: Rows, number: int, after: Row) -> None:
    """Write the row after a whole turn from a row, given the board after it."""
    low, middle, high, own = board_at(boards, number)
    silver = own if row[STATE] & MOVER else (low | middle | high) & ~own
    if row[STATE] & MOVER:
        low, middle, high, silver = flipped(low), flipped(middle), flipped(high), flipped(silver)
    for at in (BOARD, START):
        after[at], after[at + 1], after[at + 2], after[at + 3] = low, middle, high, silver
    after[BOARD_KEY] = fresh_board_key(low, middle, high, silver)
    after[START_KEY] = stir(after[BOARD_KEY])
    after[STATE] = row[STATE] ^ MOVER
    after[FOLLOWERS] = NONE
