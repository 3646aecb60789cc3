"""Labels out of the table of a search: how many a second, and what they are worth.

    .venv/bin/python -P benchmarks/labels.py [--game G] [--nodes N] [--depth D] [--judged N]

A search leaves in its table inner nodes with scores, nearly all of them bounds. From each position
of the bench, for two players on the usual board, one is searched; then all that its table knows to
the wanted depth is walked through, each position once. Of some of them a search of their own, with
20,000 nodes and nothing from before, says how far the static evaluation is off, and how far it is
off when the bound has corrected it. The figures of one machine stand in
docs/experiments/2026-11-labels-of-tables.md.
"""

from __future__ import annotations

import argparse
import time
from typing import Final, NamedTuple

import numpy as np
from numba import njit, types
from numpy.typing import NDArray

from trine.core.contract.score import ONGOING, SURE
from trine.core.play import Play
from trine.core.work.limits import Limits
from trine.games import ROOMS, open_kernel, open_room
from trine.search.alphabeta import AlphaBeta
from trine.search.bench import bench_positions
from trine.search.kernel.table import EXACT, LOWER, UPPER, bound_of, depth_of, probe, score_of
from trine.search.kernel.worker import GAME, GameFunctions

MOST: Final = 50_000
"""The most labels of a search."""
JUDGE: Final = Limits(nodes=20_000)
SLOTS: Final = 1 << 18
WRONG: Final = 40
"""Units: points; by so much a bound contradicts the search that judges it."""

_WORDS: Final = types.Array(types.uint64, 2, "C")
_KEYS: Final = types.Array(types.uint64, 1, "C")
_ACTIONS: Final = types.Array(types.int32, 1, "C")
_LABELS: Final = types.Array(types.int64, 2, "C")


@njit(
    types.int64(GAME, _WORDS, types.int64, _WORDS, _ACTIONS, _WORDS, _LABELS, _KEYS),
    nogil=True,
)  # type: ignore[untyped-decorator]
def harvest(
    game: GameFunctions,
    table: NDArray[np.uint64],
    depth: int,
    rows: NDArray[np.uint64],
    actions: NDArray[np.int32],
    found: NDArray[np.uint64],
    labels: NDArray[np.int64],
    seen: NDArray[np.uint64],
) -> int:
    """Write the positions below ``found[0]`` that a table knows to a depth, and their labels.

    Shapes: label: score, depth, bound. `found` is the queue of a search in breadth besides.
    """
    count, at, none = 1, 0, np.uint64(0)
    seen[:] = none
    while at < count:
        rows[0, :] = found[at]
        for index in range(game.generate(rows[0], actions)):
            game.play(rows, 0, np.int64(actions[index]))
            if game.result(rows[1]) != ONGOING:
                continue
            key = game.key(rows[1])
            data = probe(table, key)
            if data == none or depth_of(data) < depth:
                continue
            slot = np.int64(key & np.uint64(SLOTS - 1))
            while seen[slot] != none and seen[slot] != key:
                slot = (slot + 1) % SLOTS
            if seen[slot] == key or count == len(found):
                continue
            seen[slot] = key
            found[count, :] = rows[1]
            labels[count, 0], labels[count, 1] = score_of(data, 0), depth_of(data)
            labels[count, 2] = bound_of(data)
            count += 1
        at += 1
    return count


def beginnings(game: str) -> list[Play]:
    """Return the positions of the bench with two players on the usual board."""
    room, kernel = open_room(game), open_kernel(game)
    usual = kernel.words(room.start(room.default_rules, {}))
    positions = [bench.position for bench in bench_positions(room)]
    return [
        Play(room, position)
        for position in positions
        if len(position.seats) == 2 and not position.in_setup and kernel.words(position) == usual
    ]


class Harvest(NamedTuple):
    """The labels of a search, counted."""

    rows: NDArray[np.uint64]
    labels: NDArray[np.int64]
    searches: int
    searching: float
    """Units: seconds of a processor."""
    walking: float


def harvest_all(game: str, nodes: int, depth: int) -> Harvest:
    """Search the positions of the bench, and harvest each table."""
    kernel, search = open_kernel(game), AlphaBeta(game, hash_mb=4)
    starts = beginnings(game)
    words = kernel.words(starts[0].position)
    found = np.zeros((MOST, words), np.uint64)
    labels, seen = np.zeros((MOST, 3), np.int64), np.zeros(SLOTS, np.uint64)
    scratch = np.zeros((2, words), np.uint64), np.zeros(kernel.most_actions, np.int32)
    rows, kept, searching, walking = [], [], 0.0, 0.0
    for play in starts:
        search.forget()
        begun = time.process_time()
        search.search(play, Limits(nodes=nodes))
        between = time.process_time()
        found[0] = kernel.row_of(play.position)
        count = harvest(search.functions, search.table, depth, *scratch, found, labels, seen)
        searching, walking = searching + between - begun, walking + time.process_time() - between
        rows.append(found[1:count].copy())
        kept.append(labels[1:count].copy())
    return Harvest(np.concatenate(rows), np.concatenate(kept), len(starts), searching, walking)


def judge(game: str, got: Harvest, most: int) -> None:
    """Print how far evaluations are off, before and after bounds have corrected them."""
    kernel, room, search = open_kernel(game), open_room(game), AlphaBeta(game, hash_mb=2)
    chosen = np.random.default_rng(0).permutation(len(got.rows))[:most]
    points = np.zeros((len(chosen), 2))
    for place, row in enumerate(got.rows[chosen]):
        play = Play(room, kernel.to_position(row))
        for column, limits in enumerate((Limits(nodes=1), JUDGE)):
            search.forget()
            points[place, column] = search.search(play, limits)[0].score.points
    told, bounds = got.labels[chosen, 0].astype(float), got.labels[chosen, 2]
    usual = (np.abs(points) < SURE).all(axis=1) & (np.abs(told) < SURE)
    static, deep = points.T
    for bound, name in ((LOWER, "lower"), (UPPER, "upper"), (EXACT, "exact")):
        own = usual & (bounds == bound)
        if not own.any():
            continue
        corrected = {LOWER: np.maximum, UPPER: np.minimum}.get(bound, lambda _, label: label)(
            static, told
        )
        wrong = {LOWER: told - deep, UPPER: deep - told}.get(bound, np.abs(told - deep)) > WRONG
        before, after = np.abs(static - deep)[own], np.abs(corrected - deep)[own]
        print(
            f"  {name}: {own.sum()}, wrong {wrong[own].mean():.2f}, tells something "
            f"{(corrected != static)[own].mean():.2f}; off by {np.median(before):.0f} before, "
            f"{np.median(after):.0f} after (medians, points)"
        )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=ROOMS, action="append")
    parser.add_argument("--nodes", type=int, default=50_000)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--judged", type=int, default=300)
    wish = parser.parse_args()
    for game in wish.game or ROOMS:
        got = harvest_all(game, wish.nodes, wish.depth)
        spent = got.searching + got.walking
        bounds = [(got.labels[:, 2] == bound).mean() for bound in (LOWER, UPPER, EXACT)]
        print(
            f"{game}: {len(got.rows)} labels of {got.searches} searches of {wish.nodes} nodes, "
            f"depth {wish.depth} and more; {len(got.rows) / spent:.0f} a second and core, walking "
            f"{100 * got.walking / spent:.0f} %; lower, upper, exact: "
            + ", ".join(f"{share:.2f}" for share in bounds)
        )
        judge(game, got, wish.judged)


if __name__ == "__main__":
    main()
