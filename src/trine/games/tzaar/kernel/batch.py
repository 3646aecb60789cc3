"""Many plays of TZAAR at once: steps, legal actions and observations, for whoever trains a net.

All games of a batch lie in arrays, game by game; whoever has several threads gives each of them a
stretch of the games. Nothing is checked and nothing allocated. The functions and what they are
given are the same in all rooms, so that a batch need not know the game; of repetition, which TZAAR
does not have, nothing is looked at here.

Shapes, for n games: rows ``uint64[n, 2, WORDS]``, the position and a row for scratch; starts
``uint64[n, WORDS]``; results ``int8[n]``, `ONGOING` or how a game ended; actions ``int32[n]``;
legal ``int32[n, MOST_ACTIONS]`` with counts ``int32[n]``; masks ``bool[n, numbers of actions]``;
movers and viewers ``int8[n]``; observations ``int8[n, cells]``. Keys, stood, lines and buffers are
not used.

**What is seen.** `PLANES` planes of 9 × 9 cells. A point in column c (0 for a, 8 for i) and at
height h in half ranks, as `trine.games.tzaar.board.coordinates` gives them, is the cell in row
``(h + c - 4) / 2`` and column c. So a step along a line is always the same step between cells: up
the column (1, 0), to the right and up (1, 1), to the right and down (0, 1). Nothing is turned
round, whoever looks, as actions are not.

- 0 to 2: stacks of the viewer with a Tott, a Tzarra, a Tzaar on top; 3 to 5: of the other side;
- 6: how high the stack is, of either side;
- 7: the cells that are points;
- 8: all 1 if the viewer is Black; 9: all 1 if the viewer is to move;
- 10: all 1 before the second action of a turn; 11: all 1 before the single action of White's first;
- 12: all 1 while the board is being filled.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.bits import ONE, lowest
from trine.core.jit import kernel
from trine.core.score import ONGOING
from trine.games.tzaar.board import COORDINATES, KINDS, SIDES
from trine.games.tzaar.kernel.lines import SIZE, Numbers, Words
from trine.games.tzaar.kernel.row import (
    BELOW,
    DIGITS,
    STAGE_FIRST,
    STAGE_PLACE,
    STAGE_TWO,
    WORDS,
    stacks_of,
    stage,
)
from trine.games.tzaar.kernel.rules import generate, mover, play, result

Bytes = NDArray[np.int8]
Flags = NDArray[np.bool_]

WIDTH: Final = 9
AREA: Final = WIDTH * WIDTH
CELL: Final = np.array(
    [(height + column - 4) // 2 * WIDTH + column for column, height in COORDINATES], np.int64
)
"""Shapes: point. Its cell."""
HEIGHT: Final = len(SIDES) * len(KINDS) * AREA
IS_POINT: Final = HEIGHT + AREA
AS_BLACK: Final = IS_POINT + AREA
TO_MOVE: Final = AS_BLACK + AREA
SECOND: Final = TO_MOVE + AREA
FIRST: Final = SECOND + AREA
FILLING: Final = FIRST + AREA
PLANES: Final = FILLING // AREA + 1

LINES: Final = 1
"""How many rows and buffers of scratch a thread needs: none here, but an array has some length."""


def shape_of(row: Words) -> tuple[int, int, int]:
    """How many planes of how many cells an observation has, from a row."""
    return PLANES, WIDTH, WIDTH


def repetition_of(position: Any) -> int:
    """What repetition does, as a number for `step`: nothing."""
    return 0


def keys_needed(limit: int) -> int:
    """How many keys a game of at most so many actions has to remember: none here."""
    return 1


@kernel(
    "void(uint64[:, :, ::1], uint64[:, ::1], boolean[::1], uint64[:, ::1], int32[:, ::1], "
    "int8[::1])"
)
def begin(
    rows: Words, starts: Words, wanted: Flags, keys: Words, stood: Numbers, results: Bytes
) -> None:
    """Begin games from their starts: those that are wanted."""
    for game in range(len(rows)):
        if wanted[game]:
            for word in range(WORDS):
                rows[game, 0, word] = starts[game, word]
            results[game] = result(rows[game, 0])


@kernel(
    "void(uint64[:, :, ::1], int32[::1], uint64[:, ::1], int32[:, ::1], int8[::1], int64, "
    "uint64[:, ::1], int32[:, ::1])"
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
        for word in range(WORDS):
            rows[game, 0, word] = rows[game, 1, word]
        results[game] = result(rows[game, 0])


@kernel(
    "void(uint64[:, :, ::1], uint64[:, ::1], int32[:, ::1], int8[::1], int64, uint64[:, ::1], "
    "int32[:, ::1], int32[:, ::1], int32[::1], boolean[:, ::1], int8[::1])"
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
        for index in range(counts[game]):
            masks[game, legal[game, index]] = False
        counts[game] = 0
        if results[game] == ONGOING:
            counts[game] = generate(rows[game, 0], legal[game])
        for index in range(counts[game]):
            masks[game, legal[game, index]] = True
        movers[game] = mover(rows[game, 0])


@kernel("void(int8[::1], int64, uint64, int64)", forceinline=True)
def mark(cells: Bytes, plane: int, points: np.uint64, value: int) -> None:
    """Add a value in a plane to all points of a set."""
    while points:
        cells[plane + CELL[lowest(points)]] += value
        points &= points - ONE


@kernel("void(int8[::1], int64, boolean)", forceinline=True)
def fill(cells: Bytes, plane: int, wanted: bool) -> None:
    """Fill a plane with 1, if it is wanted."""
    if wanted:
        for cell in range(AREA):
            cells[plane + cell] = 1


@kernel("void(uint64[:, :, ::1], int8[::1], int8[:, ::1])")
def observe(rows: Words, viewers: Bytes, observations: Bytes) -> None:
    """Write what the viewer of each game sees; the head of this file tells the planes."""
    for game in range(len(rows)):
        row, cells = rows[game, 0], observations[game]
        viewer = int(viewers[game])
        for cell in range(PLANES * AREA):
            cells[cell] = 0
        for side in range(len(SIDES)):
            owner = len(KINDS) * (side ^ viewer)
            for kind in range(len(KINDS)):
                mark(cells, (owner + kind) * AREA, stacks_of(row, side, kind), 1)
            mark(cells, HEIGHT, row[side], 1)
        for digit in range(DIGITS):
            mark(cells, HEIGHT, row[BELOW + digit], 1 << digit)
        for point in range(SIZE):
            cells[IS_POINT + CELL[point]] = 1
        fill(cells, AS_BLACK, viewer == 1)
        fill(cells, TO_MOVE, viewer == mover(row))
        fill(cells, SECOND, stage(row) == STAGE_TWO)
        fill(cells, FIRST, stage(row) == STAGE_FIRST)
        fill(cells, FILLING, stage(row) == STAGE_PLACE)
