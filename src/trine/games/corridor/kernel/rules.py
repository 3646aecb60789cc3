"""The rules of Corridor fast: rows of words instead of positions, numbers instead of actions.

The same rules as the referee's (`trine.games.corridor.referee`), written a second time; tests hold
the two equal. Rows: `trine.games.corridor.kernel.row`. Numbers: `trine.games.corridor.encoding`.
The rule set, the size of the board and the number of players are data in the row. Repetition is
ignored.

A row belongs to one thread: generating legal actions stores known ways in it.
"""

from __future__ import annotations

import numpy as np
from numba import int64
from numpy.typing import NDArray

from trine.core.compiled.bits import count, nth
from trine.core.compiled.jit import inner, kernel
from trine.core.compiled.rng import next_below
from trine.core.contract.score import ONGOING
from trine.games.corridor.kernel.make import copy, do, fresh_key, key
from trine.games.corridor.kernel.movegen import (
    MOST_ACTIONS,
    NTH_STEP,
    STEPS,
    count_actions,
    generate,
    legal_targets,
    nth_in,
    number_in,
    pass_number,
    target_number,
    walls_of,
)
from trine.games.corridor.kernel.row import (
    GONE,
    NOT_CHOSEN,
    WORDS,
    Numbers,
    Row,
    Rows,
    hand_of,
    is_in_setup,
    mover,
    pawn_of,
    players_of,
    result,
    size_of,
)
from trine.games.corridor.kernel.squares import ROW, Sides, empty
from trine.games.corridor.kernel.ways import steps_of

__all__ = [
    "MOST_ACTIONS",
    "ONGOING",
    "WORDS",
    "copy",
    "count_actions",
    "fresh_key",
    "generate",
    "key",
    "mover",
    "result",
]

# --- playing -------------------------------------------------------------------------------------


@kernel("void(uint64[:, ::1], int64, int64)")
def play(rows: Rows, ply: int, action: int) -> None:
    """Write the row after a legal action to the next row."""
    row, after = rows[ply], rows[ply + 1]
    copy(row, after)
    do(after, action)


@kernel("boolean(uint64[:, ::1], int64)", forceinline=True)
def advance(rows: Rows, action: int) -> bool:
    """Play an action; whether it is a wall, so that no position of before can stand again."""
    row = rows[0]
    do(row, action)
    area = size_of(row) * size_of(row)
    return area <= action < 3 * area


@kernel("void(uint64[::1], int64[::1])")
def distances(row: Row, out: NDArray[np.int64]) -> None:
    """Write for each player the fewest steps from the pawn to the goal side.

    Other pawns are ignored. Where there is no way, or no pawn on the board, it is -1.
    """
    for player in range(players_of(row)):
        is_off = pawn_of(row, player) in (NOT_CHOSEN, GONE)
        out[player] = -1 if is_off else steps_of(row, player)


# --- chance --------------------------------------------------------------------------------------


@inner(int64(ROW, ROW), forceinline=True)
def random_unlisted(row: Row, rng: Row) -> int:
    """`random_action` without a list, once all start squares are chosen."""
    if result(row) != ONGOING:
        return -1
    targets = np.uint64(legal_targets(row))
    moves = count(targets)
    walls = Sides(empty(), empty())
    if hand_of(row, mover(row)) != 0:
        walls = walls_of(row)
    total = moves + number_in(walls)
    index = next_below(rng, max(1, total))
    if total == 0:
        return pass_number(row)
    if index < moves:
        if targets <= STEPS:
            return target_number(row, int(NTH_STEP[targets, index]))
        return target_number(row, nth(targets, index))
    return nth_in(row, walls, index - moves)


@kernel("int64(uint64[::1], int32[::1], uint64[::1])")
def random_action(row: Row, out: Numbers, rng: Row) -> int:
    """Return one of the legal actions, all equally likely; -1 if there is none."""
    if is_in_setup(row):
        total = generate(row, out)
        return int(out[next_below(rng, total)]) if total else -1
    return random_unlisted(row, rng)


@kernel("int64(uint64[:, ::1], int64, int32[::1], uint64[::1], int64)")
def random_play(rows: Rows, ply: int, out: Numbers, rng: Row, limit: int) -> int:
    """Play at random from a row to the end, or up to a limit of actions.

    The last position is written to the next row.
    """
    row = rows[ply + 1]
    copy(rows[ply], row)
    played = 0
    while played < limit:
        action = random_action(row, out, rng)
        if action < 0:
            break
        do(row, action)
        played += 1
    return played
