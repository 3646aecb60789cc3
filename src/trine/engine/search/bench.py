"""The bench signature of kernels, evaluations and search: the node counts of fixed positions.

Depths are fixed, the table is empty and there is no clock, so the signature changes exactly when a
change of code changes the play. Commits that touch any of these have it in their last line.
"""

from collections.abc import Iterator
from importlib.resources import files
from typing import Final, NamedTuple

from trine.core.clock import Limits
from trine.core.contract.position import Position
from trine.core.contract.room import Room
from trine.core.play import Play
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.search.tree import TreeSearch
from trine.games import package_of

HASH_MB: Final = 8
VISITS_PER_DEPTH: Final = 1_000
"""The visits of a tree search for each unit of depth, for more than two players."""


class BenchPosition(NamedTuple):
    """A fixed position, its search depth, and the reason why it is in the bench."""

    position: Position
    depth: int
    reason: str


def bench_positions(room: Room) -> Iterator[BenchPosition]:
    """Yield the fixed positions of a game, from its ``bench.txt``.

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
    """Return the number of nodes in searches of all fixed positions of a game."""
    return sum(_nodes(room, position, depth) for position, depth, _ in bench_positions(room))


def _nodes(room: Room, position: Position, depth: int) -> int:
    play = Play(room, position)
    if len(position.seats) > 2:
        tree = TreeSearch(room.name, hash_mb=HASH_MB)
        tree.search(play, Limits(nodes=VISITS_PER_DEPTH * depth))
        return tree.size
    return AlphaBeta(room.name, hash_mb=HASH_MB).search(play, Limits(depth=depth))[0].nodes
