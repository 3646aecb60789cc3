"""The signature of kernels, evaluations and search: the nodes that fixed positions take.

Fixed depths, an empty table, no clock: it changes exactly when a change of code changes
the play, so it stands in the last line of commits that touch any of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Final, NamedTuple

from trine.core.contract import Room
from trine.core.contract.position import Position
from trine.core.play import Play
from trine.core.work.limits import Limits
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.search.tree import TreeSearch
from trine.games import package_of

HASH_MB: Final = 8
VISITS_PER_DEPTH: Final = 1_000
"""The visits of the tree for each unit of the depth, where more than two players play."""


class BenchPosition(NamedTuple):
    """A fixed position, the depth of its search, and the reason why it is in the bench."""

    position: Position
    depth: int
    reason: str


def bench_positions(room: Room) -> Iterator[BenchPosition]:
    """The fixed positions of a game, from ``bench.txt`` in its room.

    >>> from trine.games import open_room
    >>> 16 <= len(list(bench_positions(open_room("tzaar")))) <= 24
    True
    """
    lines = files(package_of(room.name)).joinpath("bench.txt").read_text("utf-8")
    for line in lines.splitlines():
        if line and not line.startswith("#"):
            depth, rules, position, reason = line.split("\t")
            yield BenchPosition(room.rules.parse_position(position, rules), int(depth), reason)


def signature(room: Room) -> int:
    """The nodes that the searches of all fixed positions of a game take."""
    return sum(_nodes(room, position, depth) for position, depth, _ in bench_positions(room))


def _nodes(room: Room, position: Position, depth: int) -> int:
    play = Play(room, position)
    if len(position.seats) > 2:
        tree = TreeSearch(room.name, hash_mb=HASH_MB)
        tree.search(play, Limits(nodes=VISITS_PER_DEPTH * depth))
        return tree.size
    return AlphaBeta(room.name, hash_mb=HASH_MB).search(play, Limits(depth=depth))[0].nodes
