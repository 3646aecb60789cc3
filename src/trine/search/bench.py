"""The signature of the kernels: how many nodes fixed positions have at fixed depths.

It changes exactly when a change of code changes what is played, so it stands in the last line of
commits that touch a kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import NamedTuple

from trine.core.doors import Position, Room
from trine.games import open_kernel
from trine.search.perft import count_sequences


class BenchPosition(NamedTuple):
    """A fixed position, how deep it is searched, and why it is there."""

    position: Position
    depth: int
    reason: str


def bench_positions(room: Room) -> Iterator[BenchPosition]:
    """The fixed positions of a game, from ``bench.txt`` in its room.

    >>> from trine.games import open_room
    >>> 16 <= len(list(bench_positions(open_room("tzaar")))) <= 24
    True
    """
    lines = files(f"trine.games.{room.name}").joinpath("bench.txt").read_text("utf-8")
    for line in lines.splitlines():
        if line and not line.startswith("#"):
            depth, rules, position, reason = line.split("\t")
            yield BenchPosition(room.parse_position(position, rules), int(depth), reason)


def signature(room: Room) -> int:
    """The nodes of all fixed positions of a game, one thread, every action played."""
    kernel = open_kernel(room.name)
    return sum(
        sum(count_sequences(kernel, position, depth, in_bulk=False).values())
        for position, depth, _ in bench_positions(room)
    )
