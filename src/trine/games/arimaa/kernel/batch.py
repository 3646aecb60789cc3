"""Many plays of Arimaa at once: steps, legal actions and observations, for whoever trains a net.

All games of a batch lie in arrays, game by game; whoever has several threads gives each of them a
stretch of the games. Nothing is checked and nothing allocated. The functions and what they are
given are the same in all rooms, so that a batch need not know the game. Repetition is judged here,
exactly as the referee does, but for positions that share a key by chance (2⁻⁶⁴).

Shapes, for n games: rows ``uint64[n, 2, WORDS]``, the position and a row for scratch; starts
``uint64[n, WORDS]``; keys ``uint64[n, keys_needed]`` and stood ``int32[n, 2]``: the positions that
have stood at the beginning of a turn since the last piece was lost, how many they are, and whether
one of them has stood twice; results ``int8[n]``, `ONGOING` or how a game ended; actions
``int32[n]``; legal ``int32[n, MOST_ACTIONS]`` with counts ``int32[n]``; masks ``bool[n, numbers of
actions]``; movers and viewers ``int8[n]``; observations ``int8[n, cells]``; for scratch, each
thread its own: lines ``uint64[LINES, WORDS]`` and buffers ``int32[LINES, MOST_ACTIONS]``.

**What is seen.** `PLANES` planes of 8 × 8 cells, row 0 being rank 1 and column 0 file a, whoever
looks: nothing is turned round, as actions are not.

- 0 to 5: elephant, camel, horses, dogs, cats, rabbits of the viewer; 6 to 11: of the other side;
- 12 to 17, 18 to 23: the same as the open turn began;
- 24: the square that the last step has left and another piece may take, completing a push or pull;
  25: the pieces that may;
- 26: all 1 while a push may be completed; 27: all 1 while it must be, now;
- 28: in each cell how many actions the open turn holds;
- 29: all 1 if the viewer is Silver; 30: all 1 if the viewer is to move;
- 31: all 1 while the pieces are being placed.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.bits import NONE, ONE, count, lowest
from trine.core.jit import kernel
from trine.core.score import ONGOING
from trine.games.arimaa.board import KINDS, SIDES, SILVER
from trine.games.arimaa.kernel.row import (
    BOARD,
    DUE,
    END,
    FOLLOWERS,
    IN_SETUP,
    LAST_SQUARE,
    LEFT_AT,
    PUSHING,
    START,
    STATE,
    STEPS,
    STEPS_AT,
    WORDS,
    Numbers,
    Words,
)
from trine.games.arimaa.kernel.rules import generate, key, mover, play, result

Bytes = NDArray[np.int8]
Flags = NDArray[np.bool_]

FREE, LOSES, ILLEGAL = 0, 1, 2
"""What follows when a turn makes the same position for the third time."""

AREA: Final = 64
ARMIES: Final = len(SIDES) * len(KINDS) * AREA
LEFT_SQUARE: Final = 2 * ARMIES
MAY_FOLLOW: Final = LEFT_SQUARE + AREA
MAY_PUSH: Final = MAY_FOLLOW + AREA
MUST_PUSH: Final = MAY_PUSH + AREA
STEPS_MADE: Final = MUST_PUSH + AREA
AS_SILVER: Final = STEPS_MADE + AREA
TO_MOVE: Final = AS_SILVER + AREA
PLACING: Final = TO_MOVE + AREA
PLANES: Final = PLACING // AREA + 1

LINES: Final = 7
"""A turn has at most four steps and an end: so many rows hold it, and one before and after."""


def shape_of(row: Words) -> tuple[int, int, int]:
    """How many planes of how many cells an observation has, from a row."""
    return PLANES, 8, 8


def repetition_of(position: Any) -> int:
    """What repetition does by the rule set of a position, as a number for `step`."""
    return {"FREE": FREE, "LOSES": LOSES, "ILLEGAL": ILLEGAL}[position.rules.repetition.name]


def keys_needed(limit: int) -> int:
    """How many keys a game of at most so many actions has to remember: a turn has two at least."""
    return limit // 2 + 2


# --- repetition ----------------------------------------------------------------------------------


@kernel("int64(uint64[::1], int64, uint64)")
def times(keys: Words, standing: int, wanted: np.uint64) -> int:
    """How often a position has stood."""
    found = 0
    for index in range(standing):
        found += keys[index] == wanted
    return found


@kernel("int64(uint64[::1], uint64[::1], int32[::1])")
def stand(row: Words, keys: Words, stood: Numbers) -> int:
    """Let a position stand once more, and say how often it has."""
    now = key(row)
    found = 1 + times(keys, stood[0], now)
    keys[stood[0]] = now
    stood[0] += 1
    if found > 1:
        stood[1] = 1
    return found


@kernel("boolean(uint64[:, ::1], int64, uint64[::1], int64, int32[:, ::1])")
def can_be_completed(lines: Words, ply: int, keys: Words, standing: int, buffers: Numbers) -> bool:
    """Whether the turn in a row can be ended without making a position for the third time."""
    total = generate(lines[ply], buffers[ply])
    for index in range(total):
        action = buffers[ply, index]
        play(lines, ply, action)
        if action == END:
            if times(keys, standing, key(lines[ply + 1])) < 2:
                return True
        elif can_be_completed(lines, ply + 1, keys, standing, buffers):
            return True
    return False


@kernel(
    "int64(uint64[::1], uint64[::1], int64, uint64[:, ::1], int32[:, ::1], int32[::1], int64)",
)
def without_repeating(
    row: Words,
    keys: Words,
    standing: int,
    lines: Words,
    buffers: Numbers,
    out: Numbers,
    total: int,
) -> int:
    """Keep of a list those actions that leave a way to end the turn without a third standing.

    Returns: how many are left.
    """
    for word in range(WORDS):
        lines[0, word] = row[word]
    kept = 0
    for index in range(total):
        action = out[index]
        play(lines, 0, action)
        if action == END:
            keep = times(keys, standing, key(lines[1])) < 2
        else:
            keep = can_be_completed(lines, 1, keys, standing, buffers)
        if keep:
            out[kept] = action
            kept += 1
    return kept


@kernel("int64(uint64[::1])", forceinline=True)
def pieces(row: Words) -> int:
    """How many pieces are on the board."""
    return count(row[BOARD] | row[BOARD + 1] | row[BOARD + 2])


@kernel(
    "int64(uint64[::1], uint64[::1], int32[::1], int64, uint64[:, ::1], int32[:, ::1])",
)
def judge(
    row: Words,
    keys: Words,
    stood: Numbers,
    repetition: int,
    lines: Words,
    buffers: Numbers,
) -> int:
    """How a turn that has just ended ends the play, or `ONGOING`; the position stands now."""
    found = stand(row, keys, stood)
    outcome = result(row)
    if outcome != ONGOING:
        return outcome
    if repetition == LOSES and found >= 3:
        return mover(row)
    if repetition == ILLEGAL and stood[1]:
        for word in range(WORDS):
            lines[0, word] = row[word]
        if not can_be_completed(lines, 0, keys, stood[0], buffers):
            return 1 - mover(row)
    return ONGOING


# --- the doors of all rooms ----------------------------------------------------------------------


@kernel(
    "void(uint64[:, :, ::1], uint64[:, ::1], boolean[::1], uint64[:, ::1], int32[:, ::1], "
    "int8[::1])",
)
def begin(
    rows: Words, starts: Words, wanted: Flags, keys: Words, stood: Numbers, results: Bytes
) -> None:
    """Begin games from their starts: those that are wanted."""
    for game in range(len(rows)):
        if wanted[game]:
            for word in range(WORDS):
                rows[game, 0, word] = starts[game, word]
            stood[game, 0] = stood[game, 1] = 0
            if rows[game, 0, STATE] & IN_SETUP == NONE:
                stand(rows[game, 0], keys[game], stood[game])
            results[game] = result(rows[game, 0])


@kernel(
    "void(uint64[:, :, ::1], int32[::1], uint64[:, ::1], int32[:, ::1], int8[::1], int64, "
    "uint64[:, ::1], int32[:, ::1])",
)
def step(
    rows: Words,
    actions: Numbers,
    keys: Words,
    stood: Numbers,
    results: Bytes,
    repetition: int,
    lines: Words,
    buffers: Numbers,
) -> None:
    """Play a legal action in each game that goes on, and judge it."""
    for game in range(len(rows)):
        if results[game] != ONGOING:
            continue
        play(rows[game], 0, actions[game])
        row = rows[game, 0]
        if pieces(rows[game, 1]) < pieces(row):
            stood[game, 0] = stood[game, 1] = 0  # nothing of before can come again
        for word in range(WORDS):
            row[word] = rows[game, 1, word]
        if actions[game] == END and row[STATE] & IN_SETUP == NONE:
            results[game] = judge(row, keys[game], stood[game], repetition, lines, buffers)


@kernel(
    "void(uint64[:, :, ::1], uint64[:, ::1], int32[:, ::1], int8[::1], int64, uint64[:, ::1], "
    "int32[:, ::1], int32[:, ::1], int32[::1], boolean[:, ::1], int8[::1])",
)
def list_actions(
    rows: Words,
    keys: Words,
    stood: Numbers,
    results: Bytes,
    repetition: int,
    lines: Words,
    buffers: Numbers,
    legal: Numbers,
    counts: Numbers,
    masks: Flags,
    movers: Bytes,
) -> None:
    """Write the legal actions of each game, none after its end, and who is to move.

    The lists of before are read, to clear the masks.
    """
    for game in range(len(rows)):
        row = rows[game, 0]
        for index in range(counts[game]):
            masks[game, legal[game, index]] = False
        total = 0
        if results[game] == ONGOING:
            total = generate(row, legal[game])
            if repetition == ILLEGAL and stood[game, 1]:
                total = without_repeating(
                    row, keys[game], stood[game, 0], lines, buffers, legal[game], total
                )
        counts[game] = total
        for index in range(total):
            masks[game, legal[game, index]] = True
        movers[game] = mover(row)


# --- what is seen --------------------------------------------------------------------------------


@kernel("void(int8[::1], int64, uint64)", forceinline=True)
def mark(cells: Bytes, plane: int, squares: np.uint64) -> None:
    """Write 1 in a plane on all squares of a set."""
    while squares:
        cells[plane + lowest(squares)] = 1
        squares &= squares - ONE


@kernel("void(int8[::1], int64, int64)", forceinline=True)
def fill(cells: Bytes, plane: int, value: int) -> None:
    """Write a value in all cells of a plane that is empty."""
    if value:
        for cell in range(AREA):
            cells[plane + cell] = value


@kernel("void(int8[::1], int64, uint64[::1], int64, int64)", forceinline=True)
def mark_board(cells: Bytes, plane: int, row: Words, board: int, viewer: int) -> None:
    """Write a board in twelve planes: the kinds of the viewer, then those of the other side."""
    low, middle, high, silver = row[board], row[board + 1], row[board + 2], row[board + 3]
    for strength in range(1, len(KINDS) + 1):
        found = low if strength & 1 else ~low
        found &= middle if strength & 2 else ~middle
        found &= high if strength & 4 else ~high
        own, other = (found & silver, found & ~silver)
        if viewer != SILVER:
            own, other = other, own
        kind = len(KINDS) - strength
        mark(cells, plane + kind * AREA, own)
        mark(cells, plane + (len(KINDS) + kind) * AREA, other)


@kernel("void(uint64[:, :, ::1], int8[::1], int8[:, ::1])")
def observe(rows: Words, viewers: Bytes, observations: Bytes) -> None:
    """Write what the viewer of each game sees; the head of this file tells the planes."""
    for game in range(len(rows)):
        row, cells = rows[game, 0], observations[game]
        viewer, state = int(viewers[game]), row[STATE]
        for cell in range(PLANES * AREA):
            cells[cell] = 0
        mark_board(cells, 0, row, BOARD, viewer)
        mark_board(cells, ARMIES, row, START, viewer)
        if row[FOLLOWERS]:
            mark(cells, LEFT_SQUARE, ONE << (state >> LEFT_AT & LAST_SQUARE))
            mark(cells, MAY_FOLLOW, row[FOLLOWERS])
        fill(cells, MAY_PUSH, state & PUSHING != NONE)
        fill(cells, MUST_PUSH, state & DUE != NONE)
        fill(cells, STEPS_MADE, np.int64((state & STEPS) >> STEPS_AT))
        fill(cells, AS_SILVER, viewer)
        fill(cells, TO_MOVE, viewer == mover(row))
        fill(cells, PLACING, state & IN_SETUP != NONE)
