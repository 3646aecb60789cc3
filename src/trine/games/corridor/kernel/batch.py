"""Many plays of Corridor at once: steps, legal actions and observations, for who trains a net.

All games of a batch lie in arrays, game by game; whoever has several threads gives each of them a
stretch of the games. Nothing is checked and nothing allocated. The functions and what they are
given are the same in all rooms, so that a batch need not know the game. Repetition is judged here,
exactly as the referee does, but for positions that share a key by chance (2⁻⁶⁴).

Shapes, for n games: rows ``uint64[n, 2, words]``, the position and a row for scratch, not used
here; starts ``uint64[n, words]``; keys ``uint64[n, keys_needed]`` and stood ``int32[n, 2]``: the
positions that have stood since the last wall was placed, and in the first of the two how many they
are; results ``int8[n]``, `ONGOING` or how a game ended; actions ``int32[n]``; legal
``int32[n, MOST_ACTIONS]`` with counts ``int32[n]``; masks ``bool[n, numbers of actions]``; movers
and viewers ``int8[n]``; observations ``int8[n, cells]``. Lines and buffers are not used.

**What is seen.** 4 p + 5 planes of size × size cells, p being the number of players; row 0 is rank
1 and column 0 file a, whoever looks: nothing is turned round, as actions are not. The players come
in turn order, the viewer first.

- 0 to p - 1: the pawn of each player; p to 2 p - 1: the goal side of each;
- 2 p to 3 p - 1: in each cell how many walls each has in hand, -1 for no limit;
- 3 p to 4 p - 1: all 1 for the player who is to move;
- 4 p: the squares whose north side a wall shuts; 4 p + 1: whose east side;
- 4 p + 2: the squares that name walls which lie, as ``e3h``; 4 p + 3: which stand, as ``e3v``;
- 4 p + 4: all 1 while start squares are being chosen.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.bits import ONE, lowest
from trine.core.jit import kernel
from trine.core.score import DRAW, ONGOING
from trine.games.corridor.board import EAST as EAST_SIDE
from trine.games.corridor.board import NORTH as NORTH_SIDE
from trine.games.corridor.board import SOUTH as SOUTH_SIDE
from trine.games.corridor.kernel.make import copy, do, has_place, has_wall
from trine.games.corridor.kernel.movegen import doors, generate
from trine.games.corridor.kernel.narrow import OPEN_SETS
from trine.games.corridor.kernel.row import (
    GOALS,
    GONE,
    KEY,
    LOW,
    LYING,
    NARROW,
    NO_LIMIT,
    NORTH,
    NOT_CHOSEN,
    NUMBER,
    QUORIDOR,
    SQUARE,
    Numbers,
    Row,
    Rows,
    hand_of,
    is_in_setup,
    mover,
    pawn_of,
    players_of,
    result,
    rules_of,
    size_of,
)

Bytes = NDArray[np.int8]
Flags = NDArray[np.bool_]

LINES: Final = 1
"""How many rows and buffers of scratch a thread needs: none here, but an array has some length."""


def shape_of(row: Row) -> tuple[int, int, int]:
    """How many planes of how many cells an observation has, from a row."""
    size = int(size_of(row))
    return 4 * int(players_of(row)) + 5, size, size


def repetition_of(position: Any) -> int:
    """What repetition does, as a number for `step`: the same in all rule sets."""
    return 0


def keys_needed(limit: int) -> int:
    """How many keys a game of at most so many actions has to remember."""
    return limit + 1


@kernel("int64(uint64[::1], uint64[::1], int32[::1])")
def stand(row: Row, keys: Row, stood: Numbers) -> int:
    """Let a position stand once more, and say how often it has."""
    now, found = row[KEY], 1
    for index in range(stood[0]):
        found += keys[index] == now
    keys[stood[0]] = now
    stood[0] += 1
    return found


@kernel(
    "void(uint64[:, :, ::1], uint64[:, ::1], boolean[::1], uint64[:, ::1], int32[:, ::1], "
    "int8[::1])",
)
def begin(
    rows: Rows, starts: Rows, wanted: Flags, keys: Rows, stood: Numbers, results: Bytes
) -> None:
    """Begin games from their starts: those that are wanted."""
    for game in range(len(rows)):
        if wanted[game]:
            row = rows[game, 0]
            copy(starts[game], row)
            stood[game, 0] = 0
            stand(row, keys[game], stood[game])
            results[game] = result(row)


@kernel(
    "void(uint64[:, :, ::1], int32[::1], uint64[:, ::1], int32[:, ::1], int8[::1], int64, "
    "uint64[:, ::1], int32[:, ::1])",
)
def step(
    rows: Rows,
    actions: Numbers,
    keys: Rows,
    stood: Numbers,
    results: Bytes,
    repetition: int,
    lines: Rows,
    buffers: Numbers,
) -> None:
    """Play a legal action in each game that goes on, and judge it."""
    for game in range(len(rows)):
        if results[game] != ONGOING:
            continue
        row, action = rows[game, 0], actions[game]
        area = size_of(row) * size_of(row)
        do(row, action)
        if area <= action < 3 * area:
            stood[game, 0] = 0  # no wall is ever taken away: nothing of before can come again
        found = stand(row, keys[game], stood[game])
        outcome = result(row)
        results[game] = DRAW if outcome == ONGOING and found >= 3 else outcome


@kernel(
    "void(uint64[:, :, ::1], uint64[:, ::1], int32[:, ::1], int8[::1], int64, uint64[:, ::1], "
    "int32[:, ::1], int32[:, ::1], int32[::1], boolean[:, ::1], int8[::1])",
)
def list_actions(
    rows: Rows,
    keys: Rows,
    stood: Numbers,
    results: Bytes,
    repetition: int,
    lines: Rows,
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
        for index in range(counts[game]):
            masks[game, legal[game, index]] = False
        counts[game] = 0
        if results[game] == ONGOING:
            counts[game] = generate(rows[game, 0], legal[game])
        for index in range(counts[game]):
            masks[game, legal[game, index]] = True
        movers[game] = mover(rows[game, 0])


# --- what is seen --------------------------------------------------------------------------------


@kernel("void(int8[::1], int64, int64, int64)", forceinline=True)
def fill(cells: Bytes, plane: int, area: int, value: int) -> None:
    """Write a value in all cells of a plane that is empty."""
    if value:
        for cell in range(area):
            cells[plane + cell] = value


@kernel("void(int8[::1], int64, int64, int64)", forceinline=True)
def mark_side(cells: Bytes, plane: int, size: int, side: int) -> None:
    """Write 1 in a plane along a side of the board."""
    first = size - 1 if side == EAST_SIDE else size * (size - 1) if side == NORTH_SIDE else 0
    stride = 1 if side in (SOUTH_SIDE, NORTH_SIDE) else size
    for place in range(size):
        cells[plane + first + stride * place] = 1


@kernel("void(int8[::1], int64, uint64, int64, int64)", forceinline=True)
def mark(cells: Bytes, plane: int, squares: np.uint64, first: int, size: int) -> None:
    """Write 1 in a plane on the squares of a word whose lowest bit is a given square."""
    while squares:
        cells[plane + NUMBER[size, first + lowest(squares)]] = 1
        squares &= squares - ONE


@kernel("void(int8[::1], int64, uint64[::1])", forceinline=True)
def mark_narrow_walls(cells: Bytes, plane: int, row: Row) -> None:
    """Write the four planes of walls of a narrow board."""
    size = size_of(row)
    area = size * size
    for axis in range(2):
        shut = plane + axis * area
        named = shut + 2 * area
        for half in range(2):
            part = 2 * axis + half
            squares = OPEN_SETS[size, part] & ~row[NORTH + part]
            mark(cells, shut, squares, LOW * half, size)
            if rules_of(row) != QUORIDOR:
                mark(cells, named, squares, LOW * half, size)
        if rules_of(row) == QUORIDOR:
            middles = row[LYING + axis]
            while middles:
                middle = lowest(middles)
                cells[named + NUMBER[size, middle + middle // 8]] = 1
                middles &= middles - ONE


@kernel("void(int8[::1], int64, uint64[::1])")
def mark_wide_walls(cells: Bytes, plane: int, row: Row) -> None:
    """Write the four planes of walls of a board of any size."""
    size = size_of(row)
    area = size * size
    for place in range(area):
        square = int(SQUARE[size, place])
        ways = doors(row, square)
        if place < area - size and not ways >> NORTH_SIDE & 1:
            cells[plane + place] = 1
        if place % size < size - 1 and not ways >> EAST_SIDE & 1:
            cells[plane + area + place] = 1
        for axis in range(2):
            if has_place(row, axis, place) and has_wall(row, axis, square):
                cells[plane + (2 + axis) * area + place] = 1


@kernel("void(uint64[:, :, ::1], int8[::1], int8[:, ::1])")
def observe(rows: Rows, viewers: Bytes, observations: Bytes) -> None:
    """Write what the viewer of each game sees; the head of this file tells the planes."""
    for game in range(len(rows)):
        row, cells = rows[game, 0], observations[game]
        size, players = size_of(row), players_of(row)
        area = size * size
        for cell in range((4 * players + 5) * area):
            cells[cell] = 0
        for place in range(players):
            player = (int(viewers[game]) + place) % players
            pawn, hand = pawn_of(row, player), hand_of(row, player)
            if pawn != NOT_CHOSEN and pawn != GONE:
                cells[place * area + NUMBER[size, pawn]] = 1
            mark_side(cells, (players + place) * area, size, GOALS[players, player])
            fill(cells, (2 * players + place) * area, area, -1 if hand == NO_LIMIT else hand)
            fill(cells, (3 * players + place) * area, area, player == mover(row))
        if size <= NARROW:
            mark_narrow_walls(cells, 4 * players * area, row)
        else:
            mark_wide_walls(cells, 4 * players * area, row)
        fill(cells, (4 * players + 4) * area, area, is_in_setup(row))
