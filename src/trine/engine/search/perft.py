"""Perft: counting sequences of actions with the kernels, on several threads; and counting turns.

A node is one sequence of ``depth`` actions: in Arimaa a step, one half of a push or pull, a
placement, or the end of a turn; in TZAAR a capture, a stacking, a pass or a placement; in Corridor
a whole turn. A finished play has no continuation. Repetition is ignored.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from trine.core.compiled.arrays import Buffers, Row, Rows
from trine.core.compiled.jit import specialize
from trine.core.contract.heuristics import Kernel
from trine.core.contract.position import Position
from trine.core.contract.room import Room
from trine.core.errors import IllegalError
from trine.engine.search.kernel import counting

Progress = Callable[[int, int], None]
"""A callback with the number of finished parts and of all parts."""

Perft = Callable[[Rows, int, Buffers, int], int]
"""``(rows, ply, buffers, depth)``: the number of sequences of actions."""


@dataclass(frozen=True)
class Subtree:
    """A row below the root, with the first action of its sequences."""

    first: int
    row: Row
    plies: int  # number of actions from the root to the row


@cache
def open_loop(kernel: Kernel, *, in_bulk: bool) -> Perft:
    """Return a loop of `kernel.counting` for a game; the first call ever compiles it."""
    generate, play, count = kernel.generate, kernel.play, kernel.generate
    if not in_bulk:
        return specialize(counting.perft, generate, generate=generate, play=play)
    if kernel.count_actions:
        count = specialize(counting.count_unlisted, generate, count_actions=kernel.count_actions)
    return specialize(counting.perft_in_bulk, generate, generate=generate, play=play, count=count)


def count_sequences(
    kernel: Kernel,
    position: Position,
    depth: int,
    *,
    threads: int = 1,
    in_bulk: bool = True,
    done: Progress | None = None,
) -> dict[Any, int]:
    """Return the number of sequences of actions by first legal action, in the kernel's order.

    Their sum is the perft count. ``depth`` must be at least 1; ``in_bulk`` counts the last actions
    without playing them.

    >>> from trine.games import new_play, open_kernel
    >>> start = new_play("tzaar").start
    >>> sum(count_sequences(open_kernel("tzaar"), start, 2).values())
    1797
    """
    subtrees = list(_subtrees(kernel, position, depth))
    counts = {subtree.first: 0 for subtree in subtrees if subtree.plies}
    loop = open_loop(kernel, in_bulk=in_bulk)

    def count(subtree: Subtree) -> int:
        rows, buffers = _space(kernel, subtree.row, depth)
        return int(loop(rows, 0, buffers, depth - subtree.plies))

    with ThreadPoolExecutor(threads) as pool:
        jobs = {pool.submit(count, subtree): subtree for subtree in subtrees}
        try:
            for number, job in enumerate(as_completed(jobs), start=1):
                counts[jobs[job].first] += job.result()
                if done:
                    done(number, len(jobs))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return {kernel.action_of(position, number): counts[number] for number in counts}


def count_turns(room: Room, kernel: Kernel, position: Position) -> int:
    """Count the distinct positions after one whole turn; by the referee if no kernel can.

    The setups of a whole side are too many to list: the game computes their number.

    Raises:
        IllegalError: the turn sets up a whole side, and the game cannot count setups.

    >>> from trine.games import new_play, open_kernel, open_room
    >>> count_turns(open_room("tzaar"), open_kernel("tzaar"), new_play("tzaar").start)
    42
    """
    if room.sets_up_whole(position):
        if room.rules.count_setups and not position.turn_open:
            return room.rules.count_setups(position)
        raise IllegalError("a turn that sets up a whole side makes too many positions to count")
    found = -1
    if kernel.count_turns:
        found = kernel.count_turns(kernel.row_of(position))
    return found if found >= 0 else len(room.rules.turn_results(position))


def _subtrees(kernel: Kernel, position: Position, depth: int) -> Iterator[Subtree]:
    """Yield the rows after one action, or after two if the rest is deep enough for a thread."""
    for first, row in _followers(kernel, kernel.row_of(position)):
        if depth < 5:
            yield Subtree(first, row, 1)
            continue
        below = [Subtree(first, after, 2) for _, after in _followers(kernel, row)]
        yield from below or [Subtree(first, row, 1)]


def _followers(kernel: Kernel, row: Row) -> Iterator[tuple[int, Row]]:
    rows, buffers = _space(kernel, row, 1)
    for index in range(kernel.generate(rows[0], buffers[0])):
        number = int(buffers[0, index])
        kernel.play(rows, 0, number)
        yield number, rows[1].copy()


def _space(kernel: Kernel, row: Row, depth: int) -> tuple[Rows, Buffers]:
    rows = np.zeros((depth + 2, row.size), np.uint64)
    rows[0] = row
    return rows, np.zeros((depth + 2, kernel.max_actions), np.int32)
