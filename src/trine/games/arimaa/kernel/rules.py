"""The compiled rules of Arimaa, equal to the referee's.

A position is a row of words (`trine.games.arimaa.kernel.layout`). Rows lie in an array, one a ply;
playing an action writes the next row. Actions are numbers (`trine.games.arimaa.encoding`). The rule
set is data in the row: a separate compilation for each would play 3 to 5 % faster, and compiling
would take four times as long.

This file plays actions, and has the entry points; legal actions are in `movegen`, whole turns in
`turns`. They build on `sets`, the module to read first.
"""

from __future__ import annotations

import numpy as np

from trine.core.compiled.arrays import Buffer, Row, Rows
from trine.core.compiled.bits import NONE, ONE, Word, count, lowest
from trine.core.compiled.jit import kernel
from trine.core.compiled.rows import RowPointer, as_out, as_row, inlined, row_at
from trine.core.contract.score import DRAW as DRAW
from trine.core.contract.score import ONGOING as ONGOING
from trine.games.arimaa.kernel import layout
from trine.games.arimaa.kernel.layout import EIGHT, FOUR, SEVEN, THREE, TWO
from trine.games.arimaa.kernel.movegen import MAX_ACTIONS as MAX_ACTIONS
from trine.games.arimaa.kernel.movegen import generate_from, mover_of, result_of
from trine.games.arimaa.kernel.sets import REACH, TRAP_SQUARES, beside, stronger_than, weaker_than
from trine.games.arimaa.kernel.turns import BOARD_WORDS as BOARD_WORDS
from trine.games.arimaa.kernel.turns import count_turns as count_turns
from trine.games.arimaa.kernel.turns import turn_results as turn_results


@inlined()
def pushers(
    square: Word, strength: Word, low: Word, middle: Word, high: Word, own: Word, diagonal: Word
) -> Word:
    """Return the own pieces that can push an enemy off a square: stronger, and not frozen."""
    found = stronger_than(strength, low, middle, high) & own & REACH[diagonal, square]
    alone = found & ~beside(own)
    enemies = (low | middle | high) & ~own
    while alone:
        lone = np.uint64(lowest(alone))
        lone_strength = layout.piece_on(lone, low, middle, high, NONE)
        if stronger_than(lone_strength, low, middle, high) & enemies & REACH[diagonal, lone]:
            found ^= ONE << lone
        alone &= alone - ONE
    return found


@inlined()
def step_into(row: RowPointer, action: int, after: RowPointer) -> None:
    low, middle, high, silver = (
        row[layout.BOARD],
        row[layout.BOARD + 1],
        row[layout.BOARD + 2],
        row[layout.BOARD + 3],
    )
    state = row[layout.STATE]
    number = np.uint64(action)
    origin = np.uint64(action >> 2 & 63)
    target = layout.TARGET_BIT[number]
    # The target is empty, so a piece moves by flipping both squares in the planes that hold it.
    both = ONE << origin | target
    piece = layout.piece_on(origin, low, middle, high, silver)
    new_low = low ^ (both if piece & ONE else NONE)
    new_middle = middle ^ (both if piece & TWO else NONE)
    new_high = high ^ (both if piece & FOUR else NONE)
    new_silver = silver ^ (both if piece & EIGHT else NONE)
    board_key = (
        row[layout.BOARD_KEY]
        ^ layout.PIECE_KEYS[piece, origin]
        ^ layout.PIECE_KEYS[piece, layout.TARGET[number]]
    )
    side = new_silver if piece & EIGHT else (new_low | new_middle | new_high) & ~new_silver
    lost = side & TRAP_SQUARES & ~beside(side)
    if lost:
        trap = np.uint64(lowest(lost))
        board_key ^= layout.PIECE_KEYS[
            layout.piece_on(trap, new_low, new_middle, new_high, new_silver), trap
        ]
        new_low &= ~lost
        new_middle &= ~lost
        new_high &= ~lost
        new_silver &= ~lost

    strength = piece & SEVEN
    diagonal = state & layout.IS_DIAGONAL
    occupied = low | middle | high
    own = silver if state & layout.MOVER else occupied & ~silver
    next_state = (state & ~layout.FOLLOWING) + layout.ONE_STEP
    followers = NONE
    if own >> origin & ONE:
        if state & layout.STEPS < layout.THREE_STEPS:
            followers = weaker_than(strength, low, middle, high) & occupied & ~own
            followers &= REACH[diagonal, origin]
            if (
                followers
                and state & layout.PUSHING
                and ONE << (state >> layout.LEFT_AT & layout.LAST_SQUARE) == target
                and (state & layout.DUE or action >= layout.DIAGONAL)
            ):
                # The step only completes a push, so no pull begins. A pusher cannot have been
                # frozen since the push began: only the pushed piece has moved.
                followers = NONE
            if followers:
                next_state |= origin << layout.LEFT_AT | strength << layout.STRENGTH_AT
    elif state & layout.STEPS < layout.THREE_STEPS and action < layout.DIAGONAL:
        followers = pushers(origin, strength, low, middle, high, own, diagonal)
        if followers:
            next_state |= origin << layout.LEFT_AT | layout.PUSHING
            pulled = state & layout.STRENGTH and row[layout.FOLLOWERS] >> origin & ONE
            if not pulled or ONE << (state >> layout.LEFT_AT & layout.LAST_SQUARE) != target:
                next_state |= layout.DUE

    after[layout.BOARD] = new_low
    after[layout.BOARD + 1] = new_middle
    after[layout.BOARD + 2] = new_high
    after[layout.BOARD + 3] = new_silver
    for word in range(layout.START, layout.START + 4):
        after[word] = row[word]
    after[layout.BOARD_KEY] = board_key
    after[layout.START_KEY] = row[layout.START_KEY]
    after[layout.STATE] = next_state
    after[layout.FOLLOWERS] = followers


@inlined()
def end_into(row: RowPointer, after: RowPointer) -> None:
    for word in range(4):
        after[layout.BOARD + word] = after[layout.START + word] = row[layout.BOARD + word]
    after[layout.BOARD_KEY] = row[layout.BOARD_KEY]
    after[layout.START_KEY] = layout.stir(row[layout.BOARD_KEY])
    state = row[layout.STATE]
    if state & layout.MOVER:
        state &= ~layout.IN_SETUP
    after[layout.STATE] = state & ~layout.TURN_BITS ^ layout.MOVER
    after[layout.FOLLOWERS] = NONE


@inlined()
def place_into(row: RowPointer, action: int, after: RowPointer) -> None:
    for word in range(layout.WORDS):
        after[word] = row[word]
    kind = (action - layout.PLACEMENT) >> 6
    square = np.uint64((action - layout.PLACEMENT) & 63)
    side = row[layout.STATE] >> layout.MOVER_AT & ONE
    piece = np.uint64(6 - kind) | side << THREE
    after[layout.BOARD] |= (piece & ONE) << square
    after[layout.BOARD + 1] |= (piece >> ONE & ONE) << square
    after[layout.BOARD + 2] |= (piece >> TWO & ONE) << square
    after[layout.BOARD + 3] |= side << square
    after[layout.BOARD_KEY] ^= layout.PIECE_KEYS[piece, square]
    after[layout.STATE] += layout.ONE_STEP - (ONE << layout.HAND_AT[side, kind])


@inlined()
def play_into(row: RowPointer, action: int, after: RowPointer) -> None:
    if action < layout.END:
        step_into(row, action, after)
    elif action == layout.END:
        end_into(row, after)
    else:
        place_into(row, action, after)


# --- entry points of all rooms -------------------------------------------------------------------


@kernel()
def mover(row: Row) -> int:
    return mover_of(as_row(row))


@kernel()
def result(row: Row) -> int:
    """Return `ONGOING`, `DRAW` or the winner at a turn's beginning, regardless of repetition."""
    return result_of(as_row(row))


@kernel(forceinline=True)
def generate(row: Row, out: Buffer) -> int:
    """Write the numbers of the legal actions; none after the end of the play."""
    return generate_from(as_row(row), as_out(out))


@kernel(forceinline=True)
def play(rows: Rows, ply: int, action: int) -> None:
    """Write the row after a legal action to the next row."""
    play_into(row_at(rows, ply), action, row_at(rows, ply + 1))


# --- keys ----------------------------------------------------------------------------------------


@inlined()
def state_key(row: RowPointer) -> Word:
    """Return the part of the key for the state: everything except the boards."""
    key = layout.stir(row[layout.STATE])
    return layout.stir(key ^ row[layout.FOLLOWERS]) if row[layout.FOLLOWERS] else key


@kernel()
def key(row: Row) -> Word:
    """Return a 64-bit hash of the position; different positions collide with a chance of 2⁻⁶⁴."""
    return row[layout.BOARD_KEY] ^ row[layout.START_KEY] ^ state_key(as_row(row))


@kernel()
def fresh_key(row: Row) -> Word:
    """Return the key computed from scratch, without the keys in the row."""
    board = layout.fresh_board_key(
        row[layout.BOARD], row[layout.BOARD + 1], row[layout.BOARD + 2], row[layout.BOARD + 3]
    )
    start = layout.fresh_board_key(
        row[layout.START], row[layout.START + 1], row[layout.START + 2], row[layout.START + 3]
    )
    return board ^ layout.stir(start) ^ state_key(as_row(row))


# --- repetition ----------------------------------------------------------------------------------


@kernel(forceinline=True)
def can_recur(row: Row) -> bool:
    """Return whether a turn begins and the setup is over."""
    return row[layout.STATE] & (layout.IN_SETUP | layout.STEPS) == NONE


@kernel(forceinline=True)
def pieces(row: Row) -> int:
    return count(row[layout.BOARD] | row[layout.BOARD + 1] | row[layout.BOARD + 2])


@kernel(forceinline=True)
def play_in_place(rows: Rows, action: int) -> bool:
    """Play an action; return whether it loses a piece, so that no earlier position can recur."""
    play(rows, 0, action)
    row, after = rows[0], rows[1]
    lost = pieces(after) < pieces(row)
    for word in range(layout.WORDS):
        row[word] = after[word]
    return lost
