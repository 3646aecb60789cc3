"""The compiled rules of Arimaa, equal to the referee's.

A position is a row of words (`trine.games.arimaa.kernel.layout`). Rows lie in an array, one a ply;
playing an action writes the next row. Actions are numbers (`trine.games.arimaa.compiled`). The rule
set is data in the row: a separate compilation for each would play 3 to 5 % faster, and compiling
would take four times as long.

This file plays actions, has the entry points, and finds the results of whole turns; legal actions
are in `movegen`. Both build on `sets`, the module to read first.
"""

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Buffer, Row, Rows
from trine.core.compiled.bits import NONE, ONE, Word, count, lowest
from trine.core.compiled.jit import kernel
from trine.core.compiled.rows import RowPointer, as_pointer, inlined, row_at
from trine.games.arimaa.kernel import layout, perspectives
from trine.games.arimaa.kernel.movegen import generate_from, mover_of, result_of
from trine.games.arimaa.kernel.sets import REACH, TRAP_SQUARES, beside, stronger_than, weaker_than


@inlined()
def pushers(
    square: Word, strength: Word, low: Word, middle: Word, high: Word, own: Word, diagonal: Word
) -> Word:
    """Return own pieces that can push an enemy off a square: stronger, and not frozen."""
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
    low, middle, high, silver = layout.planes(row)
    state = row[layout.STATE]
    number = np.uint64(action)
    origin = np.uint64(action >> 2 & 63)
    target = layout.TARGET_BIT[number]
    # The target is empty, so a piece moves by flipping both squares in the planes that hold it.
    both = ONE << origin | target
    piece = layout.piece_on(origin, low, middle, high, silver)
    new_low = low ^ (both if piece & ONE else NONE)
    new_middle = middle ^ (both if piece & layout.TWO else NONE)
    new_high = high ^ (both if piece & layout.FOUR else NONE)
    new_silver = silver ^ (both if piece & layout.EIGHT else NONE)
    board_key = (
        row[layout.BOARD_KEY]
        ^ layout.PIECE_KEYS[piece, origin]
        ^ layout.PIECE_KEYS[piece, layout.TARGET[number]]
    )
    side = new_silver if piece & layout.EIGHT else (new_low | new_middle | new_high) & ~new_silver
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

    strength = piece & layout.SEVEN
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
    piece = np.uint64(6 - kind) | side << layout.THREE
    after[layout.BOARD] |= (piece & ONE) << square
    after[layout.BOARD + 1] |= (piece >> ONE & ONE) << square
    after[layout.BOARD + 2] |= (piece >> layout.TWO & ONE) << square
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
    return mover_of(as_pointer(row))


@kernel()
def result(row: Row) -> int:
    """Return `ONGOING`, `DRAW` or the winner at a turn's beginning, regardless of repetition."""
    return result_of(as_pointer(row))


@kernel(forceinline=True)
def generate(row: Row, out: Buffer) -> int:
    return generate_from(as_pointer(row), as_pointer(out))


@kernel(forceinline=True)
def play(rows: Rows, ply: int, action: int) -> None:
    play_into(row_at(rows, ply), action, row_at(rows, ply + 1))


@inlined()
def state_key(row: RowPointer) -> Word:
    """Return the part of the key for the state: everything except the boards."""
    key = layout.stir(row[layout.STATE])
    return layout.stir(key ^ row[layout.FOLLOWERS]) if row[layout.FOLLOWERS] else key


@kernel()
def key(row: Row) -> Word:
    return row[layout.BOARD_KEY] ^ row[layout.START_KEY] ^ state_key(as_pointer(row))


@kernel()
def fresh_key(row: Row) -> Word:
    """Return the key computed from scratch, without the keys in the row."""
    here = as_pointer(row)
    board = layout.fresh_board_key(*layout.planes(here))
    start = layout.fresh_board_key(*layout.planes_at(here, layout.START))
    return board ^ layout.stir(start) ^ state_key(here)


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


# --- whole turns ----------------------------------------------------------------------------------
#
# A turn is a sequence of own steps, pushes and pulls, the last two taking two steps. So boards are
# enough: half of a push or pull is never represented. Boards are found breadth-first, by the fewest
# steps that make them: a board reached with fewer steps leads to all that it leads to with more, so
# each board is expanded once. Known boards are found by their keys and then compared plane by
# plane: the count is exact. All are in the perspective of the player to move.

BOARD_WORDS: Final = 4
INDEX_MASK: Final = np.uint64(0xFFFF_FFFF)
"""The half of a table entry that holds the index of a board; the other half is of its key."""
DEFAULT_TABLE_SIZE: Final = 1 << 17
"""Enough for most middle games, which have some 20,000 boards after a turn."""


@inlined()
def board_at(boards: Rows, number: int) -> perspectives.Perspective:
    return boards[number, 0], boards[number, 1], boards[number, 2], boards[number, 3]


@inlined()
def add(boards: Rows, table: Row, total: int, board: perspectives.Perspective) -> int:
    """Add a board, unless it is known or the buffer is full; return the number of boards."""
    last = np.uint64(len(table) - 1)
    key = layout.stir(
        board[0] ^ layout.stir(board[1] ^ layout.stir(board[2] ^ layout.stir(board[3])))
    )
    slot, mark = key & last, key & ~INDEX_MASK
    while table[slot]:
        entry = table[slot]
        if entry & ~INDEX_MASK == mark and board_at(boards, (entry & INDEX_MASK) - ONE) == board:
            return total
        slot = (slot + ONE) & last
    if total < len(boards):
        for word in range(BOARD_WORDS):
            boards[total, word] = board[word]
        total += 1
        table[slot] = mark | np.uint64(total)
    return total


@inlined()
def add_actions(boards: Rows, table: Row, total: int, number: int, state: Word, pairs: bool) -> int:
    """Add the boards after each own step or, with ``pairs``, after each push and pull."""
    perspective = board_at(boards, number)
    free = perspectives.free_of(perspective, state)
    origins = perspectives.first_movers(perspective, free, 2 if pairs else 1, state)
    while origins:
        origin = perspectives.lowest_of(origins)
        origins ^= origin
        is_own = perspective[3] & origin != NONE
        seconds = perspectives.seconds_of(perspective, free, origin, state) if pairs else NONE
        targets, off = (
            perspectives.targets_of(perspective, origin),
            perspectives.off_board(perspective, origin, state),
        )
        if pairs and not seconds:
            targets, off = NONE, NONE
        while targets or off:
            target = perspectives.lowest_of(targets)
            off = off if target else NONE
            targets ^= target
            half = perspectives.moved(perspective, origin, target, is_own)
            if not pairs:
                total = add(boards, table, total, half)
            others = seconds
            while others:
                second = perspectives.lowest_of(others)
                others ^= second
                total = add(
                    boards, table, total, perspectives.moved(half, second, origin, not is_own)
                )
    return total


@kernel()
def turn_results(row: Row, boards: Rows, table: Row) -> int:
    """Find all boards that one whole turn can make, each once, regardless of results and history.

    Shapes: ``boards`` takes a board of `BOARD_WORDS` a row, in the perspective of the player to
        move: first the present board, then the boards that turns make, by their fewest steps;
        ``table`` is scratch, of a length that is a power of two and at least twice that of
        ``boards``.

    Returns: the number of boards that turns make; -1 if the buffers are too small (they fill up),
        or in a setup or within a turn.
    """
    state = row[layout.STATE]
    size = len(table)
    if state & (layout.IN_SETUP | layout.STEPS) or size & (size - 1) or size < 2 * len(boards):
        return -1
    for slot in range(size):
        table[slot] = NONE
    total = add(boards, table, 0, perspectives.perspective_of(as_pointer(row)))
    # Each round adds the boards that need one step more: by steps from the boards of the last round
    # (from `last` on), by pushes and pulls from those of the round before it (from `before` on).
    before, last = 0, 0
    for _ in range(4):
        found = total
        for number in range(last, found):
            total = add_actions(boards, table, total, number, state, False)
        for number in range(before, last):
            total = add_actions(boards, table, total, number, state, True)
        before, last = last, found
    return total - 1 if total < len(boards) else -1


def count_turns(row: Row) -> int:
    """Return the number of boards that one whole turn can make; -1 in a setup or within a turn."""
    if row[layout.STATE] & (layout.IN_SETUP | layout.STEPS):
        return -1
    size = DEFAULT_TABLE_SIZE
    while True:
        found = turn_results(
            row, np.zeros((size // 2, BOARD_WORDS), np.uint64), np.zeros(size, np.uint64)
        )
        if found >= 0:
            return int(found)
        size *= 2
