"""Counting sequences of actions, and playing by chance: loops over the functions of any room.

They are templates (`trine.core.compiled.jit.fill_in`): written once, compiled for each
room on its own functions. Handed over as values, these cost 31 % of TZAAR's perft.
"""

from __future__ import annotations

from trine.core.compiled.arrays import Buffer, Buffers, Row, Rows
from trine.core.compiled.jit import FILLED_IN, template
from trine.core.compiled.rng import next_below

generate = play = count = count_actions = FILLED_IN
"""Doors of a `Kernel`, or what stands for them here."""


@template("int64(uint64[:, ::1], int64, int32[:, ::1], int64)")
def perft(rows: Rows, ply: int, buffers: Buffers, depth: int) -> int:
    """Return the number of sequences of so many actions that can follow, each played to its end.

    After the end of the play there are none; repetition is not looked at.

    Shapes: from ``ply`` on, ``depth + 1`` rows and as many buffers.
    """
    if depth == 0:
        return 1
    total = generate(rows[ply], buffers[ply])
    found = 0
    for index in range(total):
        play(rows, ply, buffers[ply, index])
        found += 1 if depth == 1 else perft(rows, ply + 1, buffers, depth - 1)
    return found


@template("int64(uint64[:, ::1], int64, int32[:, ::1], int64)")
def perft_in_bulk(rows: Rows, ply: int, buffers: Buffers, depth: int) -> int:
    """The same as `perft`, but the last actions are only counted, not played."""
    if depth == 0:
        return 1
    if depth == 1:
        return count(rows[ply], buffers[ply])
    total = generate(rows[ply], buffers[ply])
    found = 0
    for index in range(total):
        play(rows, ply, buffers[ply, index])
        if depth == 2:
            found += count(rows[ply + 1], buffers[ply + 1])
        else:
            found += perft_in_bulk(rows, ply + 1, buffers, depth - 1)
    return found


@template("int64(uint64[::1], int32[::1])", forceinline=True)
def count_unlisted(row: Row, buffer: Buffer) -> int:
    """Return the number of legal actions, in a room that can say so without a list."""
    return count_actions(row)


@template("int64(uint64[:, ::1], int64, int32[::1], uint64[::1], int64)")
def random_play(rows: Rows, ply: int, buffer: Buffer, rng: Row, limit: int) -> int:
    """Play on by chance until the end, or until so many actions are played; all equally likely.

    The last position stands in the next row; the row after that is scratch.

    Returns: how many actions were played.
    """
    here, played = ply, 0
    while played < limit:
        total = generate(rows[here], buffer)
        if total == 0:
            break
        play(rows, here, buffer[next_below(rng, total)])
        here += 1
        played += 1
        if here == ply + 2:
            for word in range(rows.shape[1]):
                rows[ply + 1, word] = rows[here, word]
            here = ply + 1
    if here == ply:
        for word in range(rows.shape[1]):
            rows[ply + 1, word] = rows[ply, word]
    return played
