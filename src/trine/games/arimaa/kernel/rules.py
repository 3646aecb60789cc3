"""The compiled rules of Arimaa, equal to the referee's.

A position is a row of words (`trine.games.arimaa.kernel.row`). Rows lie in an array, one a ply;
playing an action writes the next row. Actions are numbers (`trine.games.arimaa.encoding`). The rule
set is data in the row: a separate compilation for each would play 3 to 5 % faster, and compiling
would take four times as long.

This file plays actions, and has the entry points; legal actions are in `movegen`, whole turns in
`turns`. They build on `sets`, the module to read first.
"""

from __future__ import annotations

import numpy as np

from trine.core.compiled.bits import NONE, ONE, Word, count, lowest
from trine.core.compiled.jit import kernel
from trine.core.contract.score import DRAW as DRAW
from trine.core.contract.score import ONGOING as ONGOING
from trine.games.arimaa.kernel.movegen import MAX_ACTIONS as MAX_ACTIONS
from trine.games.arimaa.kernel.movegen import generate_from, mover_of, result_of
from trine.games.arimaa.kernel.row import (
    BOARD,
    BOARD_KEY,
    DIAGONAL,
    DUE,
    EIGHT,
    END,
    FOLLOWERS,
    FOLLOWING,
    FOUR,
    HAND_AT,
    IN_SETUP,
    IS_DIAGONAL,
    LAST_SQUARE,
    LEFT_AT,
    MOVER,
    MOVER_AT,
    ONE_STEP,
    PIECE_KEYS,
    PLACEMENT,
    PUSHING,
    ROW,
    SEVEN,
    START,
    START_KEY,
    STATE,
    STEPS,
    STRENGTH,
    STRENGTH_AT,
    TARGET,
    TARGET_BIT,
    THREE,
    THREE_STEPS,
    TURN_BITS,
    TWO,
    Numbers,
    Words,
    as_out,
    as_row,
    fresh_board_key,
    inlined,
    piece_on,
    row_at,
    stir,
)
from trine.games.arimaa.kernel.row import WORDS as WORDS
from trine.games.arimaa.kernel.sets import REACH, TRAP_SQUARES, beside, stronger_than, weaker_than
from trine.games.arimaa.kernel.turns import BOARD_WORDS as BOARD_WORDS
from trine.games.arimaa.kernel.turns import count_turns as count_turns
from trine.games.arimaa.kernel.turns import turn_results as turn_results


@inlined("uint64(uint64, uint64, uint64, uint64, uint64, uint64, uint64)")
def pushers(
    square: Word, strength: Word, low: Word, middle: Word, high: Word, own: Word, diagonal: Word
) -> Word:
    """Return the own pieces that can push an enemy off a square: stronger, and not frozen."""
    found = stronger_than(strength, low, middle, high) & own & REACH[diagonal, square]
    alone = found & ~beside(own)
    enemies = (low | middle | high) & ~own
    while alone:
        lone = np.uint64(lowest(alone))
        lone_strength = piece_on(lone, low, middle, high, NONE)
        if stronger_than(lone_strength, low, middle, high) & enemies & REACH[diagonal, lone]:
            found ^= ONE << lone
        alone &= alone - ONE
    return found


@inlined(f"void({ROW}, int64, {ROW})")
def step_into(row: Words, action: int, after: Words) -> None:
    low, middle, high, silver = row[BOARD], row[BOARD + 1], row[BOARD + 2], row[BOARD + 3]
    state = row[STATE]
    number = np.uint64(action)
    origin = np.uint64(action >> 2 & 63)
    target = TARGET_BIT[number]
    # The target is empty, so a piece moves by flipping both squares in the planes that hold it.
    both = ONE << origin | target
    piece = piece_on(origin, low, middle, high, silver)
    new_low = low ^ (both if piece & ONE else NONE)
    new_middle = middle ^ (both if piece & TWO else NONE)
    new_high = high ^ (both if piece & FOUR else NONE)
    new_silver = silver ^ (both if piece & EIGHT else NONE)
    board_key = row[BOARD_KEY] ^ PIECE_KEYS[piece, origin] ^ PIECE_KEYS[piece, TARGET[number]]
    side = new_silver if piece & EIGHT else (new_low | new_middle | new_high) & ~new_silver
    lost = side & TRAP_SQUARES & ~beside(side)
    if lost:
        trap = np.uint64(lowest(lost))
        board_key ^= PIECE_KEYS[piece_on(trap, new_low, new_middle, new_high, new_silver), trap]
        new_low &= ~lost
        new_middle &= ~lost
        new_high &= ~lost
        new_silver &= ~lost

    strength = piece & SEVEN
    diagonal = state & IS_DIAGONAL
    occupied = low | middle | high
    own = silver if state & MOVER else occupied & ~silver
    next_state = (state & ~FOLLOWING) + ONE_STEP
    followers = NONE
    if own >> origin & ONE:
        if state & STEPS < THREE_STEPS:
            followers = weaker_than(strength, low, middle, high) & occupied & ~own
            followers &= REACH[diagonal, origin]
            if (
                followers
                and state & PUSHING
                and ONE << (state >> LEFT_AT & LAST_SQUARE) == target
                and (state & DUE or action >= DIAGONAL)
            ):
                # The step only completes a push, so no pull begins. A pusher cannot have been
                # frozen since the push began: only the pushed piece has moved.
                followers = NONE
            if followers:
                next_state |= origin << LEFT_AT | strength << STRENGTH_AT
    elif state & STEPS < THREE_STEPS and action < DIAGONAL:
        followers = pushers(origin, strength, low, middle, high, own, diagonal)
        if followers:
            next_state |= origin << LEFT_AT | PUSHING
            pulled = state & STRENGTH and row[FOLLOWERS] >> origin & ONE
            if not pulled or ONE << (state >> LEFT_AT & LAST_SQUARE) != target:
                next_state |= DUE

    after[BOARD] = new_low
    after[BOARD + 1] = new_middle
    after[BOARD + 2] = new_high
    after[BOARD + 3] = new_silver
    for word in range(START, START + 4):
        after[word] = row[word]
    after[BOARD_KEY] = board_key
    after[START_KEY] = row[START_KEY]
    after[STATE] = next_state
    after[FOLLOWERS] = followers


@inlined(f"void({ROW}, {ROW})")
def end_into(row: Words, after: Words) -> None:
    for word in range(4):
        after[BOARD + word] = after[START + word] = row[BOARD + word]
    after[BOARD_KEY] = row[BOARD_KEY]
    after[START_KEY] = stir(row[BOARD_KEY])
    state = row[STATE]
    if state & MOVER:
        state &= ~IN_SETUP
    after[STATE] = state & ~TURN_BITS ^ MOVER
    after[FOLLOWERS] = NONE


@inlined(f"void({ROW}, int64, {ROW})")
def place_into(row: Words, action: int, after: Words) -> None:
    for word in range(WORDS):
        after[word] = row[word]
    kind = (action - PLACEMENT) >> 6
    square = np.uint64((action - PLACEMENT) & 63)
    side = row[STATE] >> MOVER_AT & ONE
    piece = np.uint64(6 - kind) | side << THREE
    after[BOARD] |= (piece & ONE) << square
    after[BOARD + 1] |= (piece >> ONE & ONE) << square
    after[BOARD + 2] |= (piece >> TWO & ONE) << square
    after[BOARD + 3] |= side << square
    after[BOARD_KEY] ^= PIECE_KEYS[piece, square]
    after[STATE] += ONE_STEP - (ONE << HAND_AT[side, kind])


@inlined(f"void({ROW}, int64, {ROW})")
def play_into(row: Words, action: int, after: Words) -> None:
    if action < END:
        step_into(row, action, after)
    elif action == END:
        end_into(row, after)
    else:
        place_into(row, action, after)


# --- entry points of all rooms -------------------------------------------------------------------


@kernel("int64(uint64[::1])")
def mover(row: Words) -> int:
    return mover_of(as_row(row))


@kernel("int64(uint64[::1])")
def result(row: Words) -> int:
    """Return `ONGOING`, `DRAW` or the winner at a turn's beginning, regardless of repetition."""
    return result_of(as_row(row))


@kernel("int64(uint64[::1], int32[::1])", forceinline=True)
def generate(row: Words, out: Numbers) -> int:
    """Write the numbers of the legal actions; none after the end of the play."""
    return generate_from(as_row(row), as_out(out))


@kernel("void(uint64[:, ::1], int64, int64)", forceinline=True)
def play(rows: Words, ply: int, action: int) -> None:
    """Write the row after a legal action to the next row."""
    play_into(row_at(rows, ply), action, row_at(rows, ply + 1))


# --- keys ----------------------------------------------------------------------------------------


@inlined(f"uint64({ROW})")
def state_key(row: Words) -> Word:
    """Return the part of the key for the state: everything except the boards."""
    key = stir(row[STATE])
    return stir(key ^ row[FOLLOWERS]) if row[FOLLOWERS] else key


@kernel("uint64(uint64[::1])")
def key(row: Words) -> Word:
    """Return a 64-bit hash of the position; different positions collide with a chance of 2⁻⁶⁴."""
    return row[BOARD_KEY] ^ row[START_KEY] ^ state_key(as_row(row))


@kernel("uint64(uint64[::1])")
def fresh_key(row: Words) -> Word:
    """Return the key computed from scratch, without the keys in the row."""
    board = fresh_board_key(row[BOARD], row[BOARD + 1], row[BOARD + 2], row[BOARD + 3])
    start = fresh_board_key(row[START], row[START + 1], row[START + 2], row[START + 3])
    return board ^ stir(start) ^ state_key(as_row(row))


# --- repetition ----------------------------------------------------------------------------------


@kernel("boolean(uint64[::1])", forceinline=True)
def can_recur(row: Words) -> bool:
    """Return whether a turn begins and the setup is over."""
    return row[STATE] & (IN_SETUP | STEPS) == NONE


@kernel("int64(uint64[::1])", forceinline=True)
def pieces(row: Words) -> int:
    return count(row[BOARD] | row[BOARD + 1] | row[BOARD + 2])


@kernel("boolean(uint64[:, ::1], int64)", forceinline=True)
def play_in_place(rows: Words, action: int) -> bool:
    """Play an action; return whether it loses a piece, so that no earlier position can recur."""
    play(rows, 0, action)
    row, after = rows[0], rows[1]
    lost = pieces(after) < pieces(row)
    for word in range(WORDS):
        row[word] = after[word]
    return lost
