"""Games replayed in compiled code, and the keys of their images, for each room on its functions.

Shapes, for so many images of a game: rows ``uint64[images, 2, words]``, the position and a row for
scratch; actions ``int32[images, actions]``; ends ``int64[turns]``, how many actions are played when
each turn ends; keys ``uint64[images, turns + 1]``, written: at the start, and behind each turn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trine.core.compiled.arrays import Buffer, Buffers, Cells, Row, Rows
from trine.core.compiled.jit import FILLED_IN, kernel, template
from trine.core.contract.score import ONGOING

Ends = NDArray[np.int64]

play = key = mover = sign = FILLED_IN
"""Doors of the room's `Kernel`."""
act = list_legal = judge = FILLED_IN
"""Its `trine.core.compiled.repetition.Referee`."""


WRONG = -100
"""What `retrace` returns for a game that is not legal, or not told as a record should."""


@kernel("int64(uint64[::1], uint64[::1], int64)")
def no_sign(row: Row, after: Row, action: int) -> int:
    """`Kernel.sign` of a room that has none: the number says it all."""
    return 0


@template("void(uint64[:, :, ::1], int32[:, ::1], int64[::1], uint64[:, ::1])")
def follow(rows: Rows, actions: Buffers, ends: Ends, keys: Rows) -> None:
    """Play the actions of each image, and write the key at the start and behind each turn."""
    for image in range(len(rows)):
        played = 0
        keys[image, 0] = key(rows[image, 0])
        for turn in range(len(ends)):
            while played < ends[turn]:
                play(rows[image], 0, actions[image, played])
                for word in range(rows.shape[2]):
                    rows[image, 0, word] = rows[image, 1, word]
                played += 1
            keys[image, turn + 1] = key(rows[image, 0])


@template(
    "int64(uint64[:, ::1], int32[::1], int64[::1], int64[::1], uint64[::1], int32[::1], "
    "int64, uint64[:, ::1], int32[:, ::1], int32[::1], int8[::1])"
)
def retrace(
    rows: Rows,
    actions: Buffer,
    signs: Ends,
    ends: Ends,
    keys: Row,
    stood: Buffer,
    rule: int,
    lines: Rows,
    buffers: Buffers,
    legal: Buffer,
    movers: Cells,
) -> int:
    """Play the turns of a game, each action legal and with its sign, repetition included.

    Shapes: three rows, the game's start in the first, the others scratch; actions and signs by
    action; ``keys``, ``stood``, ``lines`` and ``buffers`` as
    `trine.core.compiled.repetition` has them; ``legal int32[most_actions]``; ``movers int8[turns]``
    is written.

    Returns: the result, or `WRONG` if anything is not as it should be. The last position is in the
        first row.
    """
    outcome = judge(rows[0], keys, stood, rule, lines, buffers)
    played = 0
    for turn in range(len(ends)):
        movers[turn] = mover(rows[0])
        while played < ends[turn]:
            if outcome != ONGOING or mover(rows[0]) != movers[turn]:
                return WRONG
            action = actions[played]
            total = list_legal(rows[0], keys, stood, rule, lines, buffers, legal)
            found = False
            for index in range(total):
                found |= legal[index] == action
            if not found:
                return WRONG
            for word in range(rows.shape[1]):
                rows[2, word] = rows[0, word]
            outcome = act(rows[:2], action, keys, stood, rule, lines, buffers)
            if sign(rows[2], rows[0], action) != signs[played]:
                return WRONG
            played += 1
        if outcome == ONGOING and mover(rows[0]) == movers[turn]:
            return WRONG
    return int(outcome)
