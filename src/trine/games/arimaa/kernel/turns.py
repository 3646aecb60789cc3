"""All distinct positions after a whole turn: the part of the kernel that works with whole turns.

A turn is a sequence of own steps, pushes and pulls, the last two taking two steps. So boards alone
are enough: no half of a push or pull needs to be represented. Boards are found in the order of the
fewest steps that make them: a board reached with fewer steps leads to all that it leads to with
more, so each board is expanded once. Known boards are found by their keys and then compared plane
by plane: the count is exact.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.compiled.bits import NONE, ONE, Word, lowest
from trine.core.compiled.jit import kernel
from trine.games.arimaa.board import OFF_BOARD
from trine.games.arimaa.kernel.row import (
    BOARD,
    BOARD_KEY,
    EIGHT,
    FOLLOWERS,
    FOUR,
    IN_SETUP,
    IS_DIAGONAL,
    IS_EJECTION,
    MOVER,
    PIECE_KEYS,
    SEVEN,
    START,
    START_KEY,
    STATE,
    STEPS,
    TWO,
    Words,
    inner,
    piece_on,
    stir,
)
from trine.games.arimaa.kernel.sets import (
    RANK,
    RANK_1,
    RANK_8,
    REACH,
    TRAP_SQUARES,
    beside,
    outmatched,
    stronger_than,
    unfrozen,
    weaker_than,
)

Board = tuple[Word, Word, Word, Word, Word]
"""The four planes of a board, and its key."""
BOARD_WORDS: Final = 5
KEY: Final = 4
PLACE: Final = np.uint64(0xFFFF_FFFF)
"""The half of a table entry that holds the index of a board; the other half is of its key."""
OFF: Final = np.uint64(OFF_BOARD)
USUAL_TABLE: Final = 1 << 17
"""A size that is enough for most middle games, which have some 20,000 boards after a turn."""


@inner("int64(uint64[:, ::1], uint64[::1], int64, UniTuple(uint64, 5))")
def add(boards: Words, table: Words, total: int, board: Board) -> int:
    """Add a board, unless it is known or there is no room; return the number of boards."""
    last = np.uint64(len(table) - 1)
    slot = board[KEY] & last
    mark = board[KEY] & ~PLACE
    while table[slot]:
        entry = table[slot]
        if entry & ~PLACE == mark:
            place = (entry & PLACE) - ONE
            if (
                boards[place, 0] == board[0]
                and boards[place, 1] == board[1]
                and boards[place, 2] == board[2]
                and boards[place, 3] == board[3]
            ):
                return total
        slot = (slot + ONE) & last
    if total < len(boards):
        for word in range(BOARD_WORDS):
            boards[total, word] = board[word]
        total += 1
        table[slot] = mark | np.uint64(total)
    return total


@inner("UniTuple(uint64, 5)(UniTuple(uint64, 5), uint64, uint64, uint64, uint64)")
def moved(board: Board, side: Word, piece: Word, origin: Word, target: Word) -> Board:
    """Return a board after one piece of a side has moved and the traps have acted."""
    low, middle, high, silver, key = board
    both = ONE << origin
    if target != OFF:
        both |= ONE << target
    low ^= both if piece & ONE else NONE
    middle ^= both if piece & TWO else NONE
    high ^= both if piece & FOUR else NONE
    silver ^= both if piece & EIGHT else NONE
    key ^= PIECE_KEYS[piece, origin] ^ PIECE_KEYS[piece, target]
    side ^= both
    lost = side & TRAP_SQUARES & ~beside(side)
    if lost:
        trap = np.uint64(lowest(lost))
        key ^= PIECE_KEYS[piece_on(trap, low, middle, high, silver), trap]
        low &= ~lost
        middle &= ~lost
        high &= ~lost
        silver &= ~lost
    return low, middle, high, silver, key


@inner("UniTuple(uint64, 5)(uint64[:, ::1], int64)")
def board_at(boards: Words, number: int) -> Board:
    return (
        boards[number, 0],
        boards[number, 1],
        boards[number, 2],
        boards[number, 3],
        boards[number, KEY],
    )


@inner("int64(uint64[:, ::1], uint64[::1], int64, int64, uint64)")
def add_steps(boards: Words, table: Words, total: int, number: int, state: Word) -> int:
    board = board_at(boards, number)
    low, middle, high, silver, _ = board
    occupied = low | middle | high
    own = silver if state & MOVER else occupied & ~silver
    free = unfrozen(own, low, middle, high, occupied ^ own, state & IS_DIAGONAL != NONE)
    rabbits = low & ~(middle | high)
    origins = free & beside(~occupied)
    while origins:
        origin = np.uint64(lowest(origins))
        bit = ONE << origin
        origins ^= bit
        piece = piece_on(origin, low, middle, high, silver)
        targets = beside(bit) & ~occupied
        if bit & rabbits:
            targets &= ~(bit << RANK) if state & MOVER else ~(bit >> RANK)
        while targets:
            target = np.uint64(lowest(targets))
            targets &= targets - ONE
            total = add(boards, table, total, moved(board, own, piece, origin, target))
    return total


@inner("int64(uint64[:, ::1], uint64[::1], int64, int64, uint64)")
def add_pushes(boards: Words, table: Words, total: int, number: int, state: Word) -> int:
    board = board_at(boards, number)
    low, middle, high, silver, _ = board
    occupied = low | middle | high
    own = silver if state & MOVER else occupied & ~silver
    enemies = occupied ^ own
    diagonal = state & IS_DIAGONAL
    free = unfrozen(own, low, middle, high, enemies, diagonal != NONE)
    edge = low & ~(middle | high) & (RANK_1 | RANK_8) if state & IS_EJECTION else NONE
    victims = outmatched(free, low, middle, high, diagonal != NONE) & enemies
    victims &= beside(~occupied) | edge
    while victims:
        origin = np.uint64(lowest(victims))
        bit = ONE << origin
        victims ^= bit
        piece = piece_on(origin, low, middle, high, silver)
        pushers = stronger_than(piece & SEVEN, low, middle, high) & free & REACH[diagonal, origin]
        targets = beside(bit) & ~occupied
        off = bit & edge
        while targets or off:
            target = OFF
            if targets:
                target = np.uint64(lowest(targets))
                targets &= targets - ONE
            else:
                off = NONE
            half = moved(board, enemies, piece, origin, target)
            left = pushers
            while left:
                pusher = np.uint64(lowest(left))
                left &= left - ONE
                by = piece_on(pusher, low, middle, high, silver)
                total = add(boards, table, total, moved(half, own, by, pusher, origin))
    return total


@inner("int64(uint64[:, ::1], uint64[::1], int64, int64, uint64)")
def add_pulls(boards: Words, table: Words, total: int, number: int, state: Word) -> int:
    board = board_at(boards, number)
    low, middle, high, silver, _ = board
    occupied = low | middle | high
    own = silver if state & MOVER else occupied & ~silver
    enemies = occupied ^ own
    diagonal = state & IS_DIAGONAL
    free = unfrozen(own, low, middle, high, enemies, diagonal != NONE)
    pullers = free & beside(~occupied) & (middle | high)
    while pullers:
        origin = np.uint64(lowest(pullers))
        pullers &= pullers - ONE
        piece = piece_on(origin, low, middle, high, silver)
        victims = weaker_than(piece & SEVEN, low, middle, high) & enemies & REACH[diagonal, origin]
        targets = beside(ONE << origin) & ~occupied if victims else NONE
        while targets:
            target = np.uint64(lowest(targets))
            targets &= targets - ONE
            half = moved(board, own, piece, origin, target)
            left = victims
            while left:
                victim = np.uint64(lowest(left))
                left &= left - ONE
                drawn = piece_on(victim, low, middle, high, silver)
                total = add(boards, table, total, moved(half, enemies, drawn, victim, origin))
    return total


@kernel("int64(uint64[::1], uint64[:, ::1], uint64[::1])")
def turn_results(row: Words, boards: Words, table: Words) -> int:
    """Find all boards that one whole turn can make, each once, regardless of results and history.

    Shapes: ``boards`` takes a board of `BOARD_WORDS` a row: first the present one, then those that
        turns make, by the fewest steps that they need; ``table`` is scratch, of a length that is a
        power of two and at least twice that of ``boards``.

    Returns: the number of boards that turns make; -1 if the buffers are too small (they fill up),
        or in a setup or within a turn.
    """
    state = row[STATE]
    size = len(table)
    if state & (IN_SETUP | STEPS) or size & (size - 1) or size < 2 * len(boards):
        return -1
    for slot in range(size):
        table[slot] = NONE
    board = (row[BOARD], row[BOARD + 1], row[BOARD + 2], row[BOARD + 3], row[BOARD_KEY])
    total = add(boards, table, 0, board)
    # Each round adds boards that need one step more: steps lead on from the boards of the round
    # before (from `last` on), pushes and pulls from those of the round before that (from `before`).
    before, last = 0, 0
    for _ in range(4):
        found = total
        for number in range(last, found):
            total = add_steps(boards, table, total, number, state)
        for number in range(before, last):
            total = add_pushes(boards, table, total, number, state)
            total = add_pulls(boards, table, total, number, state)
        before, last = last, found
    return total - 1 if total < len(boards) else -1


def count_turns(row: Words) -> int:
    """Return the number of boards that one whole turn can make; -1 in a setup or within a turn."""
    if row[STATE] & (IN_SETUP | STEPS):
        return -1
    size = USUAL_TABLE
    while True:
        found = turn_results(
            row, np.zeros((size // 2, BOARD_WORDS), np.uint64), np.zeros(size, np.uint64)
        )
        if found >= 0:
            return int(found)
        size *= 2


@kernel("void(uint64[::1], uint64[:, ::1], int64, uint64[::1])")
def end_with(row: Words, boards: Words, number: int, after: Words) -> None:
    """Write the row after a whole turn from a row, given one of the boards found."""
    for word in range(4):
        after[BOARD + word] = after[START + word] = boards[number, word]
    after[BOARD_KEY] = boards[number, KEY]
    after[START_KEY] = stir(boards[number, KEY])
    after[STATE] = row[STATE] ^ MOVER
    after[FOLLOWERS] = NONE
