"""The observations of programs that learn: four planes of 3 × 3.

0: squares of the viewer; 1: of the other; 2: all 1 for Nought; 3: all 1 if the viewer is to move.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Cells, Row
from trine.core.compiled.bits import ONE
from trine.core.compiled.jit import kernel
from trine_games.three.board import SIZE, WIDTH
from trine_games.three.kernel.row import mover

PLANES: Final = 4


def shape(row: Row) -> tuple[int, int, int]:
    """The numbers of planes and of cells."""
    return PLANES, WIDTH, WIDTH


@kernel("void(uint64[::1], int64, int8[::1])")
def see(row: Row, viewer: int, cells: Cells) -> None:
    """Write what a player sees."""
    for square in range(SIZE):
        bit = np.uint64(square)
        cells[square] = row[viewer] >> bit & ONE
        cells[SIZE + square] = row[1 - viewer] >> bit & ONE
        cells[2 * SIZE + square] = viewer
        cells[3 * SIZE + square] = viewer == mover(row)
