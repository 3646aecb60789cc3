"""Repetition in compiled games and searches, by exactly the referee's rules.

The history is ``keys``, ``uint64[n]``, of the positions that have occurred and can recur, and
``repetition_state``, ``int32[2]``: their number, and whether one has occurred twice. A game defines
which positions count and what a third occurrence means (`contract.heuristics.Repetition`). Two
positions whose keys collide (2⁻⁶⁴) are taken for one.

The loops over a game's functions are templates (`trine.core.compiled.jit.specialize`), bound by
`history_kernel`. In all of them ``rule`` is the game's repetition rule for the play; ``lines``,
``uint64[plies, words]``, and ``buffers``, ``int32[plies, max_actions]``, are scratch memory with
`plies_needed` plies.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from trine.core.compiled.arrays import Buffer, Buffers, Row, Rows
from trine.core.compiled.jit import PLACEHOLDER, kernel, specialize, template
from trine.core.contract.heuristics import Kernel
from trine.core.contract.score import DRAW, DRAWS, FORBIDDEN, LOSES, ONGOING, UNRESTRICTED

generate = play = result = mover = key = PLACEHOLDER  # functions of a game's `Kernel`
play_in_place = can_recur = PLACEHOLDER
"""Optional functions of a game's `Kernel`, or their defaults in this file."""
can_be_completed = without_repeating = result_after = PLACEHOLDER
"""Specialized templates of this file."""

MAX_OCCURRENCES: Final = 2
"""A position can occur this often; its next occurrence is forbidden, or ends the game."""


@kernel(forceinline=True)
def count(keys: Row, length: int, wanted: np.uint64) -> int:
    """Return how often a key occurs among the first ``length`` keys."""
    found = 0
    for index in range(length):
        found += keys[index] == wanted
    return found


@kernel(forceinline=True)
def add(keys: Row, repetition_state: Buffer, now: np.uint64) -> int:
    """Count one more occurrence of a position; return its number of occurrences."""
    found = 1 + count(keys, repetition_state[0], now)
    keys[repetition_state[0]] = now
    repetition_state[0] += 1
    if found > 1:
        repetition_state[1] = 1
    return found


@kernel(forceinline=True)
def each_counts(row: Row) -> bool:
    """The default of `Repetition.can_recur`: every position counts."""
    return True


@template(forceinline=True)
def play_and_copy(rows: Rows, action: int) -> bool:
    """The default of `Kernel.play_in_place`."""
    play(rows, 0, action)
    row, after = rows[0], rows[1]
    for word in range(len(row)):
        row[word] = after[word]
    return False


@template()
def can_complete(lines: Rows, ply: int, keys: Row, length: int, buffers: Buffers) -> bool:
    """Return whether the open turn of a row can end without a third occurrence."""
    total = generate(lines[ply], buffers[ply])
    for index in range(total):
        play(lines, ply, buffers[ply, index])
        if can_recur(lines[ply + 1]):
            if count(keys, length, key(lines[ply + 1])) < MAX_OCCURRENCES:
                return True
        elif can_complete(lines, ply + 1, keys, length, buffers):
            return True
    return False


@template()
def filter_legal(
    row: Row, keys: Row, length: int, lines: Rows, buffers: Buffers, out: Buffer, total: int
) -> int:
    """Drop actions if the turn can then only end in a third occurrence; return the number kept."""
    for word in range(len(row)):
        lines[0, word] = row[word]
    kept = 0
    for index in range(total):
        action = out[index]
        play(lines, 0, action)
        if can_recur(lines[1]):
            keep = count(keys, length, key(lines[1])) < MAX_OCCURRENCES
        else:
            keep = can_be_completed(lines, 1, keys, length, buffers)
        if keep:
            out[kept] = action
            kept += 1
    return kept


@template(forceinline=True)
def list_legal(
    row: Row,
    keys: Row,
    repetition_state: Buffer,
    rule: int,
    lines: Rows,
    buffers: Buffers,
    out: Buffer,
) -> int:
    """List the legal actions, repetition included; return their number.

    ``row`` may be the first line, and ``out`` the first buffer.
    """
    total = generate(row, out)
    if rule == FORBIDDEN and repetition_state[1]:
        return without_repeating(row, keys, repetition_state[0], lines, buffers, out, total)
    return total


@template(forceinline=True)
def result_with_history(
    row: Row, keys: Row, repetition_state: Buffer, rule: int, lines: Rows, buffers: Buffers
) -> int:
    """Record the position if it counts; return its result, or `ONGOING`."""
    outcome = result(row)
    if rule == UNRESTRICTED or not can_recur(row):
        return outcome
    found = add(keys, repetition_state, key(row))
    if outcome != ONGOING:
        return outcome
    if rule == DRAWS and found > MAX_OCCURRENCES:
        return DRAW
    if rule == LOSES and found > MAX_OCCURRENCES:
        return mover(row)
    if rule == FORBIDDEN and repetition_state[1]:
        for word in range(len(row)):
            lines[0, word] = row[word]
        if not can_be_completed(lines, 0, keys, repetition_state[0], buffers):
            return 1 - mover(row)
    return ONGOING


@template(forceinline=True)
def act(
    rows: Rows,
    action: int,
    keys: Row,
    repetition_state: Buffer,
    rule: int,
    lines: Rows,
    buffers: Buffers,
) -> int:
    """Play a legal action in the first of two rows; return `result_with_history` after it."""
    if play_in_place(rows, action):
        repetition_state[0] = repetition_state[1] = 0  # no earlier position can recur
    return result_after(rows[0], keys, repetition_state, rule, lines, buffers)


class HistoryKernel(NamedTuple):
    """A game's `Kernel` plus repetition: compiled rules with history."""

    act: Any
    list_legal: Any
    result_with_history: Any


@cache
def history_kernel(kernel: Kernel) -> HistoryKernel:
    """Return the compiled rules with history of a game; the first call ever compiles them."""
    names: dict[str, Any] = {
        "generate": kernel.generate,
        "play": kernel.play,
        "result": kernel.result,
        "mover": kernel.mover,
        "key": kernel.key,
        "can_recur": kernel.repetition.can_recur or each_counts,
    }
    room = kernel.generate
    names["play_in_place"] = kernel.play_in_place or specialize(play_and_copy, room, **names)
    names["can_be_completed"] = specialize(can_complete, room, **names)
    names["without_repeating"] = specialize(filter_legal, room, **names)
    names["result_after"] = specialize(result_with_history, room, **names)
    return HistoryKernel(
        specialize(act, room, **names), specialize(list_legal, room, **names), names["result_after"]
    )


def plies_needed(kernel: Kernel) -> int:
    """Return the number of scratch rows and buffers of a game: for a turn, and one on each side."""
    return kernel.repetition.longest_turn + 2
