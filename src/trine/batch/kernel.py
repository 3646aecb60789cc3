"""Loops over the games of a batch, compiled for each room on its own functions.

All games of a batch lie in arrays, game by game; each of several threads is given a stretch of the
games. Nothing is checked and nothing allocated. Repetition is judged here, exactly as the referee
does, but for positions that share a key by chance (2⁻⁶⁴).

Shapes, for n games: rows ``uint64[n, 2, words]``, the position and a row for scratch; starts
``uint64[n, words]``; keys ``uint64[n, keys]`` and stood ``int32[n, 2]``: the positions that have
stood and can stand again, how many they are, and whether one of them has stood twice; results
``int8[n]``, `ONGOING` or how a game ended; actions ``int32[n]``; legal ``int32[n, most_actions]``
with counts ``int32[n]``; masks ``bool[n, numbers of actions]``; movers and viewers ``int8[n]``;
observations ``int8[n, cells]``; for scratch, each thread its own: lines ``uint64[plies, words]``
and buffers ``int32[plies, most_actions]``, plies enough for a whole turn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trine.core.compiled.arrays import Buffer, Buffers, Cells, Row, Rows
from trine.core.compiled.jit import FILLED_IN, kernel, template
from trine.core.contract.score import DRAW, DRAWS, FORBIDDEN, LOSES, NO_MATTER, ONGOING

Flags = NDArray[np.bool_]

generate = play = result = mover = key = FILLED_IN
"""Doors of the room's `Kernel`."""
see = advance = can_stand_again = FILLED_IN
"""Doors of its `BatchKernel`."""
stand = can_be_completed = without_repeating = judge = FILLED_IN
"""Templates of this file."""


@kernel("boolean(uint64[::1])")
def never_again(row: Row) -> bool:
    """`RepetitionKernel.can_stand_again` of a game in which nothing repeats."""
    return False


@template("boolean(uint64[:, ::1], int64)", forceinline=True)
def play_and_copy(rows: Rows, action: int) -> bool:
    """`BatchKernel.advance` of a room that has none of its own."""
    play(rows, 0, action)
    row, after = rows[0], rows[1]
    for word in range(len(row)):
        row[word] = after[word]
    return False


# --- repetition ----------------------------------------------------------------------------------


@kernel("int64(uint64[::1], int64, uint64)", forceinline=True)
def times(keys: Row, standing: int, wanted: np.uint64) -> int:
    """Return how often a position has stood."""
    found = 0
    for index in range(standing):
        found += keys[index] == wanted
    return found


@template("int64(uint64[::1], uint64[::1], int32[::1])", forceinline=True)
def stand_once_more(row: Row, keys: Row, stood: Buffer) -> int:
    """Let a position stand once more, and say how often it has."""
    now = key(row)
    found = 1 + times(keys, stood[0], now)
    keys[stood[0]] = now
    stood[0] += 1
    if found > 1:
        stood[1] = 1
    return found


@template("boolean(uint64[:, ::1], int64, uint64[::1], int64, int32[:, ::1])")
def can_complete(lines: Rows, ply: int, keys: Row, standing: int, buffers: Buffers) -> bool:
    """Whether the turn in a row can be ended without making a position for the third time."""
    total = generate(lines[ply], buffers[ply])
    for index in range(total):
        play(lines, ply, buffers[ply, index])
        if can_stand_again(lines[ply + 1]):
            if times(keys, standing, key(lines[ply + 1])) < 2:
                return True
        elif can_complete(lines, ply + 1, keys, standing, buffers):
            return True
    return False


@template(
    "int64(uint64[::1], uint64[::1], int64, uint64[:, ::1], int32[:, ::1], int32[::1], int64)"
)
def leave_out_repeating(
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
            keep = times(keys, standing, key(lines[1])) < 2
        else:
            keep = can_be_completed(lines, 1, keys, standing, buffers)
        if keep:
            out[kept] = action
            kept += 1
    return kept


@template(
    "int64(uint64[::1], uint64[::1], int32[::1], int64, uint64[:, ::1], int32[:, ::1])",
    forceinline=True,
)
def judge_standing(
    row: Row, keys: Row, stood: Buffer, repetition: int, lines: Rows, buffers: Buffers
) -> int:
    """Return the result after a turn that has just ended, or `ONGOING`; the position stands now."""
    found = stand(row, keys, stood)
    outcome = result(row)
    if outcome != ONGOING:
        return outcome
    if repetition == DRAWS and found >= 3:
        return DRAW
    if repetition == LOSES and found >= 3:
        return mover(row)
    if repetition == FORBIDDEN and stood[1]:
        for word in range(len(row)):
            lines[0, word] = row[word]
        if not can_be_completed(lines, 0, keys, stood[0], buffers):
            return 1 - mover(row)
    return ONGOING


# --- steps ---------------------------------------------------------------------------------------


@template(
    "void(uint64[:, :, ::1], uint64[:, ::1], boolean[::1], uint64[:, ::1], int32[:, ::1], "
    "int8[::1], int64)"
)
def begin(
    rows: Rows,
    starts: Rows,
    wanted: Flags,
    keys: Rows,
    stood: Buffers,
    results: Cells,
    repetition: int,
) -> None:
    """Begin games from their starts: those that are wanted."""
    for game in range(len(rows)):
        if wanted[game]:
            row = rows[game, 0]
            for word in range(len(row)):
                row[word] = starts[game, word]
            stood[game, 0] = stood[game, 1] = 0
            if repetition != NO_MATTER and can_stand_again(row):
                stand(row, keys[game], stood[game])
            results[game] = result(row)


@template(
    "void(uint64[:, :, ::1], int32[::1], uint64[:, ::1], int32[:, ::1], int8[::1], int64, "
    "uint64[:, ::1], int32[:, ::1])"
)
def step(
    rows: Rows,
    actions: Buffer,
    keys: Rows,
    stood: Buffers,
    results: Cells,
    repetition: int,
    lines: Rows,
    buffers: Buffers,
) -> None:
    """Play a legal action in each game that goes on, and judge it."""
    for game in range(len(rows)):
        if results[game] != ONGOING:
            continue
        if advance(rows[game], actions[game]):
            stood[game, 0] = stood[game, 1] = 0  # nothing of before can come again
        row = rows[game, 0]
        if repetition != NO_MATTER and can_stand_again(row):
            results[game] = judge(row, keys[game], stood[game], repetition, lines, buffers)
        else:
            results[game] = result(row)


@template(
    "void(uint64[:, :, ::1], uint64[:, ::1], int32[:, ::1], int8[::1], int64, uint64[:, ::1], "
    "int32[:, ::1], int32[:, ::1], int32[::1], boolean[:, ::1], int8[::1])"
)
def list_actions(
    rows: Rows,
    keys: Rows,
    stood: Buffers,
    results: Cells,
    repetition: int,
    lines: Rows,
    buffers: Buffers,
    legal: Buffers,
    counts: Buffer,
    masks: Flags,
    movers: Cells,
) -> None:
    """Write the legal actions of each game, none after its end, and the player to move.

    The lists of before are read, to clear the masks.
    """
    for game in range(len(rows)):
        row = rows[game, 0]
        for index in range(counts[game]):
            masks[game, legal[game, index]] = False
        total = 0
        if results[game] == ONGOING:
            total = generate(row, legal[game])
            if repetition == FORBIDDEN and stood[game, 1]:
                total = without_repeating(
                    row, keys[game], stood[game, 0], lines, buffers, legal[game], total
                )
        counts[game] = total
        for index in range(total):
            masks[game, legal[game, index]] = True
        movers[game] = mover(row)


@template("void(uint64[:, :, ::1], int8[::1], int8[:, ::1])")
def observe(rows: Rows, viewers: Cells, observations: Cells) -> None:
    """Write what the viewer of each game sees."""
    for game in range(len(rows)):
        cells = observations[game]
        for cell in range(len(cells)):
            cells[cell] = 0
        see(rows[game, 0], int(viewers[game]), cells)
