"""Counting sequences of actions: loops over the functions of any game.

They are templates (`trine.core.compiled.jit.specialize`): written once, compiled for each game with
its functions bound. Passing the functions as values would cost 31 % of TZAAR's perft.
"""

from trine.core.compiled.arrays import Buffer, Buffers, Row, Rows
from trine.core.compiled.jit import PLACEHOLDER, template

generate = play = count = count_actions = PLACEHOLDER  # functions of a `Kernel`, or their defaults


@template()
def perft(rows: Rows, ply: int, buffers: Buffers, depth: int) -> int:
    """Return the number of sequences of ``depth`` legal actions, playing every action.

    A finished play has none; repetition is ignored.

    Shapes: from ``ply`` on, ``depth + 1`` rows and buffers.
    """
    if depth == 0:
        return 1
    total = generate(rows[ply], buffers[ply])
    found = 0
    for index in range(total):
        play(rows, ply, buffers[ply, index])
        found += 1 if depth == 1 else perft(rows, ply + 1, buffers, depth - 1)
    return found


@template()
def perft_in_bulk(rows: Rows, ply: int, buffers: Buffers, depth: int) -> int:
    """Like `perft`, but count the last actions without playing them (bulk counting)."""
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


@template(forceinline=True)
def count_unlisted(row: Row, buffer: Buffer) -> int:
    """Return the number of legal actions, for games that can count without listing."""
    return count_actions(row)
