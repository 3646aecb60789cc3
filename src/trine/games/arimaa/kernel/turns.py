"""All distinct positions after a whole turn: the part of the kernel that works with whole turns.

A turn is a sequence of own steps, pushes and pulls, the last two taking two steps. So boards are
enough: half of a push or pull is never represented. Boards are found breadth-first, by the fewest
steps that make them: a board reached with fewer steps leads to all that it leads to with more, so
each board is expanded once. Known boards are found by their keys and then compared plane by plane:
the count is exact. All are in the perspective of the player to move.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Row, Rows
from trine.core.compiled.bits import NONE, ONE, Word
from trine.core.compiled.jit import kernel
from trine.core.compiled.rows import as_row, inlined
from trine.games.arimaa.kernel import perspectives
from trine.games.arimaa.kernel.layout import IN_SETUP, STATE, STEPS, stir

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
    key = stir(board[0] ^ stir(board[1] ^ stir(board[2] ^ stir(board[3]))))
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
    state = row[STATE]
    size = len(table)
    if state & (IN_SETUP | STEPS) or size & (size - 1) or size < 2 * len(boards):
        return -1
    for slot in range(size):
        table[slot] = NONE
    total = add(boards, table, 0, perspectives.perspective_of(as_row(row)))
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
    if row[STATE] & (IN_SETUP | STEPS):
        return -1
    size = DEFAULT_TABLE_SIZE
    while True:
        found = turn_results(
            row, np.zeros((size // 2, BOARD_WORDS), np.uint64), np.zeros(size, np.uint64)
        )
        if found >= 0:
            return int(found)
        size *= 2
