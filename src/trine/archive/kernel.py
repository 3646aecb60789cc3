"""The keys of a game and of its images, followed in compiled code, for each room on its functions.

Shapes, for so many images of a game: rows ``uint64[images, 2, words]``, the position and a row for
scratch; actions ``int32[images, actions]``; ends ``int64[turns]``, how many actions are played when
each turn ends; keys ``uint64[images, turns]``, written.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trine.core.compiled.arrays import Buffers, Rows
from trine.core.compiled.jit import FILLED_IN, template

Ends = NDArray[np.int64]

play = key = FILLED_IN
"""Doors of the room's `Kernel`."""


@template("void(uint64[:, :, ::1], int32[:, ::1], int64[::1], uint64[:, ::1])")
def follow(rows: Rows, actions: Buffers, ends: Ends, keys: Rows) -> None:
    """Play the actions of each image, and write the key behind each turn."""
    for image in range(len(rows)):
        played = 0
        for turn in range(len(ends)):
            while played < ends[turn]:
                play(rows[image], 0, actions[image, played])
                for word in range(rows.shape[2]):
                    rows[image, 0, word] = rows[image, 1, word]
                played += 1
            keys[image, turn] = key(rows[image, 0])
