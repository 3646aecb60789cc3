"""Repetition in compiled plays, judged exactly as the referee does, for whoever plays or searches.

What has stood is a memory of keys: ``keys``, ``uint64[n]``, the positions that have stood and can
stand again, and ``stood``, ``int32[2]``, how many they are, and whether one of them has stood
twice. A room says once what counts and what a third standing means
(`trine.core.contract.Repetition`). Two positions that share a key by chance (2⁻⁶⁴) are taken for
one.

The loops over a room's functions are templates (`trine.core.compiled.jit.fill_in`); `referee_of`
fills them in. In all of them ``rule`` is the room's rule for the play, and ``lines``,
``uint64[plies, words]``, and ``buffers``, ``int32[plies, most_actions]``, are scratch for a whole
turn, two plies more than the longest has actions.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from trine.core.compiled.arrays import Buffer, Buffers, Row, Rows
from trine.core.compiled.jit import FILLED_IN, fill_in, kernel, template
from trine.core.contract.score import DRAW, DRAWS, FORBIDDEN, LOSES, NO_MATTER, ONGOING

if TYPE_CHECKING:
    from trine.core.contract import Kernel

generate = play = result = mover = key = FILLED_IN
"""Doors of a room's `Kernel`."""
advance = can_stand_again = FILLED_IN
"""More of them, or what stands for them here."""
can_be_completed = without_repeating = judge_standing = FILLED_IN
"""Templates of this file."""

MOST_STANDINGS: Final = 2
"""A position that has stood so often must not stand again, or ends the play when it does."""


@kernel("int64(uint64[::1], int64, uint64)", forceinline=True)
def count(keys: Row, standing: int, wanted: np.uint64) -> int:
    """Return how often a position stands among the first keys."""
    found = 0
    for index in range(standing):
        found += keys[index] == wanted
    return found


@kernel("int64(uint64[::1], int32[::1], uint64)", forceinline=True)
def add(keys: Row, stood: Buffer, now: np.uint64) -> int:
    """Let a position stand once more; return how often it has."""
    found = 1 + count(keys, stood[0], now)
    keys[stood[0]] = now
    stood[0] += 1
    if found > 1:
        stood[1] = 1
    return found


@kernel("boolean(uint64[::1])", forceinline=True)
def each_counts(row: Row) -> bool:
    """Whether a position is one that counts, in a room that leaves none out."""
    return True


@template("boolean(uint64[:, ::1], int64)", forceinline=True)
def play_and_copy(rows: Rows, action: int) -> bool:
    """`Kernel.advance` of a room that has none of its own."""
    play(rows, 0, action)
    row, after = rows[0], rows[1]
    for word in range(len(row)):
        row[word] = after[word]
    return False


@template("boolean(uint64[:, ::1], int64, uint64[::1], int64, int32[:, ::1])")
def can_complete(lines: Rows, ply: int, keys: Row, standing: int, buffers: Buffers) -> bool:
    """Return whether the turn in a row can be ended without a third standing."""
    total = generate(lines[ply], buffers[ply])
    for index in range(total):
        play(lines, ply, buffers[ply, index])
        if can_stand_again(lines[ply + 1]):
            if count(keys, standing, key(lines[ply + 1])) < MOST_STANDINGS:
                return True
        elif can_complete(lines, ply + 1, keys, standing, buffers):
            return True
    return False


@template(
    "int64(uint64[::1], uint64[::1], int64, uint64[:, ::1], int32[:, ::1], int32[::1], int64)"
)
def filter_legal(
    row: Row, keys: Row, standing: int, lines: Rows, buffers: Buffers, out: Buffer, total: int
) -> int:
    """Keep of a list those actions that leave a way to end the turn without a third standing.

    Returns: how many are left.
    """
    for word in range(len(row)):
        lines[0, word] = row[word]
    kept = 0
    for index in range(total):
        action = out[index]
        play(lines, 0, action)
        if can_stand_again(lines[1]):
            keep = count(keys, standing, key(lines[1])) < MOST_STANDINGS
        else:
            keep = can_be_completed(lines, 1, keys, standing, buffers)
        if keep:
            out[kept] = action
            kept += 1
    return kept


@template(
    "int64(uint64[::1], uint64[::1], int32[::1], int64, uint64[:, ::1], int32[:, ::1], int32[::1])",
    forceinline=True,
)
def list_legal(
    row: Row, keys: Row, stood: Buffer, rule: int, lines: Rows, buffers: Buffers, out: Buffer
) -> int:
    """List the legal actions, the past included in the judgement; return how many they are.

    ``row`` may be the first line, and ``out`` the first buffer.
    """
    total = generate(row, out)
    if rule == FORBIDDEN and stood[1]:
        return without_repeating(row, keys, stood[0], lines, buffers, out, total)
    return total


@template(
    "int64(uint64[::1], uint64[::1], int32[::1], int64, uint64[:, ::1], int32[:, ::1])",
    forceinline=True,
)
def judge(row: Row, keys: Row, stood: Buffer, rule: int, lines: Rows, buffers: Buffers) -> int:
    """Return the result of a position, `ONGOING` where the play goes on; it stands if it counts."""
    outcome = result(row)
    if rule == NO_MATTER or not can_stand_again(row):
        return outcome
    found = add(keys, stood, key(row))
    if outcome != ONGOING:
        return outcome
    if rule == DRAWS and found > MOST_STANDINGS:
        return DRAW
    if rule == LOSES and found > MOST_STANDINGS:
        return mover(row)
    if rule == FORBIDDEN and stood[1]:
        for word in range(len(row)):
            lines[0, word] = row[word]
        if not can_be_completed(lines, 0, keys, stood[0], buffers):
            return 1 - mover(row)
    return ONGOING


@template(
    "int64(uint64[:, ::1], int64, uint64[::1], int32[::1], int64, uint64[:, ::1], int32[:, ::1])",
    forceinline=True,
)
def act(
    rows: Rows, action: int, keys: Row, stood: Buffer, rule: int, lines: Rows, buffers: Buffers
) -> int:
    """Play a legal action in the first of two rows; return the result, as `judge` does."""
    if advance(rows, action):
        stood[0] = stood[1] = 0  # nothing of before can stand again
    return judge_standing(rows[0], keys, stood, rule, lines, buffers)


class Referee(NamedTuple):
    """The referee of a play in compiled code: `Kernel` and the past, on a room's functions."""

    act: Any
    """`act`"""
    list_legal: Any
    """`list_legal`"""
    judge: Any
    """`judge`"""


@cache
def referee_of(kernel: Kernel) -> Referee:
    """Return the referee of a room; the first time ever, it is compiled."""
    names: dict[str, Any] = {
        "generate": kernel.generate,
        "play": kernel.play,
        "result": kernel.result,
        "mover": kernel.mover,
        "key": kernel.key,
        "can_stand_again": kernel.repetition.can_stand_again or each_counts,
    }
    room = kernel.generate
    names["advance"] = kernel.advance or fill_in(play_and_copy, room, **names)
    names["can_be_completed"] = fill_in(can_complete, room, **names)
    names["without_repeating"] = fill_in(filter_legal, room, **names)
    names["judge_standing"] = fill_in(judge, room, **names)
    return Referee(
        fill_in(act, room, **names), fill_in(list_legal, room, **names), names["judge_standing"]
    )


def plies_needed(kernel: Kernel) -> int:
    """Return how many scratch rows and buffers a play needs: for a turn, and one on each side."""
    return kernel.repetition.longest_turn + 2
