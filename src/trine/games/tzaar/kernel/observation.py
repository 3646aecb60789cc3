"""Observations of TZAAR for machine learning.

An observation has `PLANES` planes of 9 × 9 cells. A point in column c (0 for a, 8 for i) and at
height h in half ranks, as in `trine.games.tzaar.board.coordinates`, is the cell in row ``(h + c -
4) / 2`` and column c. So a step along a line is always the same step between cells: up the column
(1, 0), to the right and up (1, 1), to the right and down (0, 1). Neither boards nor actions are
turned for Black.

- 0 to 2: stacks of the viewer with a Tott, a Tzarra, a Tzaar on top; 3 to 5: of the other side;
- 6: the height of the stack, of either side;
- 7: the cells that are points;
- 8: all 1 if the viewer is Black; 9: all 1 if the viewer is to move;
- 10: all 1 before the second action of a turn; 11: all 1 before White's single first action;
- 12: all 1 during the placement.
"""

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Cells, Row
from trine.core.compiled.bits import ONE, Word, lowest
from trine.core.compiled.jit import kernel
from trine.games.tzaar.board import COORDINATES, KINDS, SIDES
from trine.games.tzaar.kernel import layout
from trine.games.tzaar.kernel.layout import SIZE

WIDTH: Final = 9
AREA: Final = WIDTH * WIDTH
CELL: Final = np.array(
    [(height + column - 4) // 2 * WIDTH + column for column, height in COORDINATES], np.int64
)
"""Shapes: point. The index of the point's cell in a plane."""
PLANES: Final = 13
HEIGHT, IS_POINT, AS_BLACK, TO_MOVE, SECOND, FIRST, FILLING = range(
    len(SIDES) * len(KINDS) * AREA, PLANES * AREA, AREA
)


def observation_shape(row: Row) -> tuple[int, int, int]:
    return PLANES, WIDTH, WIDTH


@kernel(forceinline=True)
def mark(cells: Cells, plane: int, points: Word, value: int) -> None:
    """Add a value in a plane to all points of a set."""
    while points:
        cells[plane + CELL[lowest(points)]] += value
        points &= points - ONE


@kernel(forceinline=True)
def fill(cells: Cells, plane: int, wanted: bool) -> None:
    if wanted:
        for cell in range(AREA):
            cells[plane + cell] = 1


@kernel(forceinline=True)
def observe(row: Row, viewer: int, cells: Cells) -> None:
    for side in range(len(SIDES)):
        owner = len(KINDS) * (side ^ viewer)
        for kind in range(len(KINDS)):
            mark(cells, (owner + kind) * AREA, layout.stacks_of(row, side, kind), 1)
        mark(cells, HEIGHT, row[side], 1)
    for digit in range(layout.DIGITS):
        mark(cells, HEIGHT, row[layout.BELOW + digit], 1 << digit)
    for point in range(SIZE):
        cells[IS_POINT + CELL[point]] = 1
    fill(cells, AS_BLACK, viewer == 1)
    fill(cells, TO_MOVE, viewer == layout.mover(row))
    fill(cells, SECOND, layout.stage(row) == layout.STAGE_TWO)
    fill(cells, FIRST, layout.stage(row) == layout.STAGE_FIRST)
    fill(cells, FILLING, layout.stage(row) == layout.STAGE_PLACE)
