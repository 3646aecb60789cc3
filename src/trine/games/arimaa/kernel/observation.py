"""Observations of Arimaa for machine learning.

An observation has `PLANES` planes of 8 × 8 cells; row 0 is rank 1 and column 0 is file a for both
players: boards are not flipped, and actions are not either.

- 0 to 5: elephant, camel, horses, dogs, cats, rabbits of the viewer; 6 to 11: of the other side;
- 12 to 23: planes 0 to 11 as they were when the open turn began;
- 24: the square that the last step has left, if another piece may take it to complete a push or
  pull; 25: the pieces that may;
- 26: all 1 if a push may be completed; 27: all 1 if it must be completed now;
- 28: in each cell the number of actions in the open turn;
- 29: all 1 if the viewer is Silver; 30: all 1 if the viewer is to move;
- 31: all 1 in the setup.
"""

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Cells, Row
from trine.core.compiled.bits import NONE, ONE, Word, lowest
from trine.core.compiled.jit import kernel
from trine.games.arimaa.board import KINDS, SIDES, SILVER
from trine.games.arimaa.kernel import layout
from trine.games.arimaa.kernel.rules import mover

AREA: Final = 64
ARMIES: Final = len(SIDES) * len(KINDS) * AREA
PLANES: Final = 32
LEFT_SQUARE, MAY_FOLLOW, MAY_PUSH, MUST_PUSH, STEPS_MADE, AS_SILVER, TO_MOVE, PLACING = range(
    2 * ARMIES, PLANES * AREA, AREA
)


def observation_shape(row: Row) -> tuple[int, int, int]:
    return PLANES, 8, 8


@kernel(forceinline=True)
def mark(cells: Cells, plane: int, squares: Word) -> None:
    while squares:
        cells[plane + lowest(squares)] = 1
        squares &= squares - ONE


@kernel(forceinline=True)
def fill(cells: Cells, plane: int, value: int) -> None:
    if value:
        for cell in range(AREA):
            cells[plane + cell] = value


@kernel(forceinline=True)
def mark_board(cells: Cells, plane: int, row: Row, board: int, viewer: int) -> None:
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


@kernel(forceinline=True)
def observe(row: Row, viewer: int, cells: Cells) -> None:
    state = row[layout.STATE]
    mark_board(cells, 0, row, layout.BOARD, viewer)
    mark_board(cells, ARMIES, row, layout.START, viewer)
    if row[layout.FOLLOWERS]:
        mark(cells, LEFT_SQUARE, ONE << (state >> layout.LEFT_AT & layout.LAST_SQUARE))
        mark(cells, MAY_FOLLOW, row[layout.FOLLOWERS])
    fill(cells, MAY_PUSH, state & layout.PUSHING != NONE)
    fill(cells, MUST_PUSH, state & layout.DUE != NONE)
    fill(cells, STEPS_MADE, np.int64((state & layout.STEPS) >> layout.STEPS_AT))
    fill(cells, AS_SILVER, viewer)
    fill(cells, TO_MOVE, viewer == mover(row))
    fill(cells, PLACING, state & layout.IN_SETUP != NONE)
