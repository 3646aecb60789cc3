"""Loops over the games of a batch, specialized for each game.

The games of a batch are in arrays, and each thread has a slice of them. Nothing is checked and
nothing allocated. The rules with repetition are those of `trine.core.compiled.repetition`.

Shapes, for n games: rows ``uint64[n, 2, words]``, the position and a scratch row; starts
``uint64[n, words]``; the history, keys ``uint64[n, keys]`` and repetition_state ``int32[n, 2]``;
results ``int8[n]``, `ONGOING` or the result; actions ``int32[n]``; legal ``int32[n, max_actions]``
with counts ``int32[n]``; masks ``bool[n, numbers of actions]``; movers and viewers ``int8[n]``;
observations ``int8[n, cells]``. Scratch for each thread: lines ``uint64[plies, words]`` and buffers
``int32[plies, max_actions]``, with plies for a whole turn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from trine.core.compiled.arrays import Buffer, Buffers, Cells, Row, Rows
from trine.core.compiled.jit import PLACEHOLDER, kernel, template
from trine.core.contract.score import ONGOING

Flags = NDArray[np.bool_]

mover = observe_player = PLACEHOLDER
"""Functions of the game's `Kernel`."""
act = list_legal = result_with_history = PLACEHOLDER
"""Functions of the game's `trine.core.compiled.repetition.HistoryKernel`."""

WORD_SIDE = 8
"""A word of a row is a plane of this many rows and columns of bits."""


def bits_shape(row: Row) -> tuple[int, int, int]:
    """The default of `Kernel.observation_shape`: a plane for each word, and the viewer's."""
    return len(row) + 1, WORD_SIDE, WORD_SIDE


@kernel("void(uint64[::1], int64, int8[::1])")
def observe_bits(row: Row, viewer: int, cells: Cells) -> None:
    """The default of `Kernel.observe`: the bits of the row, then the viewer's index."""
    area = WORD_SIDE * WORD_SIDE
    for word in range(len(row)):
        for bit in range(area):
            cells[word * area + bit] = row[word] >> np.uint64(bit) & np.uint64(1)
    for cell in range(area):
        cells[len(row) * area + cell] = viewer


@template(
    "void(uint64[:, :, ::1], uint64[:, ::1], boolean[::1], uint64[:, ::1], int32[:, ::1], "
    "int8[::1], int64, uint64[:, ::1], int32[:, ::1])"
)
def begin(
    rows: Rows,
    starts: Rows,
    wanted: Flags,
    keys: Rows,
    repetition_state: Buffers,
    results: Cells,
    rule: int,
    lines: Rows,
    buffers: Buffers,
) -> None:
    """Reset the games selected by ``wanted`` to their starts."""
    for game in range(len(rows)):
        if wanted[game]:
            row = rows[game, 0]
            for word in range(len(row)):
                row[word] = starts[game, word]
            repetition_state[game, 0] = repetition_state[game, 1] = 0
            results[game] = result_with_history(
                row, keys[game], repetition_state[game], rule, lines, buffers
            )


@template(
    "void(uint64[:, :, ::1], int32[::1], uint64[:, ::1], int32[:, ::1], int8[::1], int64, "
    "uint64[:, ::1], int32[:, ::1])"
)
def step(
    rows: Rows,
    actions: Buffer,
    keys: Rows,
    repetition_state: Buffers,
    results: Cells,
    rule: int,
    lines: Rows,
    buffers: Buffers,
) -> None:
    """Play a legal action in each unfinished game, and write its result."""
    for game in range(len(rows)):
        if results[game] == ONGOING:
            results[game] = act(
                rows[game], actions[game], keys[game], repetition_state[game], rule, lines, buffers
            )


@template(
    "void(uint64[:, :, ::1], uint64[:, ::1], int32[:, ::1], int8[::1], int64, uint64[:, ::1], "
    "int32[:, ::1], int32[:, ::1], int32[::1], boolean[:, ::1], int8[::1])"
)
def list_actions(
    rows: Rows,
    keys: Rows,
    repetition_state: Buffers,
    results: Cells,
    rule: int,
    lines: Rows,
    buffers: Buffers,
    legal: Buffers,
    counts: Buffer,
    masks: Flags,
    movers: Cells,
) -> None:
    """Write the legal actions of each game, none after its end, and the player to move.

    The previous lists are read, to clear the masks.
    """
    for game in range(len(rows)):
        row = rows[game, 0]
        for index in range(counts[game]):
            masks[game, legal[game, index]] = False
        total = 0
        if results[game] == ONGOING:
            total = list_legal(
                row, keys[game], repetition_state[game], rule, lines, buffers, legal[game]
            )
        counts[game] = total
        for index in range(total):
            masks[game, legal[game, index]] = True
        movers[game] = mover(row)


@template("void(uint64[:, :, ::1], int8[::1], int8[:, ::1])")
def observe(rows: Rows, viewers: Cells, observations: Cells) -> None:
    """Write the observation of each game's viewer."""
    for game in range(len(rows)):
        cells = observations[game]
        for cell in range(len(cells)):
            cells[cell] = 0
        observe_player(rows[game, 0], int(viewers[game]), cells)
