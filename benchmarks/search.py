"""The speed of the search: nodes a second, two threads against one, the delay of a stop.

    .venv/bin/python benchmarks/search.py [--seconds S] [--pairs N]

Main and quiet nodes are counted, the evaluation is on. Two threads are compared with one by the
time that a fixed depth takes from an empty table, in pairs one after the other; how many nodes that
takes differs from run to run with two threads. The figures of one machine stand in
docs/why/measuring.md.
"""

from __future__ import annotations

import argparse
import statistics
import threading
import time

from trine.core.play import Play
from trine.core.work.limits import Limits
from trine.core.work.stop import Stop
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.search.bench import bench_positions
from trine.games import ROOMS, open_room

DEPTHS = {"arimaa": 13, "tzaar": 6, "corridor": 15}
"""Fixed depths for which one thread needs about a second."""


def plays(game: str) -> list[Play]:
    """Return the positions of the bench with two players."""
    room = open_room(game)
    positions = [bench.position for bench in bench_positions(room)]
    return [Play(room, p) for p in positions if len(p.seats) == 2 and not p.in_setup]


def speeds(game: str, seconds: float) -> list[int]:
    """Nodes a second on one thread, by position."""
    search = AlphaBeta(game)
    found = []
    for play in plays(game):
        search.forget()
        info = search.search(play, Limits(hard=seconds))[0]
        if info.seconds > seconds / 2:  # else the search ended before the time was up
            found.append(info.nodes_per_second)
    return found


def gains(game: str, pairs: int) -> list[float]:
    """Return the speedup of two threads to a depth, by position."""
    one, two = AlphaBeta(game), AlphaBeta(game, threads=2)
    found = []
    for play in plays(game)[:pairs]:
        times = []
        for search in (one, two):
            search.forget()
            began = time.perf_counter()
            search.search(play, Limits(depth=DEPTHS[game]))
            times.append(time.perf_counter() - began)
        if times[0] > 0.1:
            found.append(times[0] / times[1])
    return found


def stops(game: str) -> list[float]:
    """Units: ms; from the stop to the answer, two threads."""
    search = AlphaBeta(game, threads=2)
    found = []
    for play in plays(game):
        asked: list[float] = []
        stop = Stop()

        def ask(asked: list[float] = asked, stop: Stop = stop) -> None:
            asked.append(time.perf_counter())
            stop.set()

        timer = threading.Timer(0.2, ask)
        timer.start()
        search.search(play, Limits(), stop=stop)
        answered = time.perf_counter()
        timer.cancel()
        timer.join()
        if asked:
            found.append(1_000 * (answered - asked[0]))
    return found


def told(values: list[float], unit: str) -> str:
    """Median and range."""
    low, middle, high = min(values), statistics.median(values), max(values)
    return f"{middle:10.2f} {unit}   ({low:.2f} to {high:.2f}, {len(values)} positions)"


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--pairs", type=int, default=8)
    options = parser.parse_args()
    for game in ROOMS:
        rates = [rate / 1e6 for rate in speeds(game, options.seconds)]
        print(f"{game:10}", told(rates, "million nodes a second"))
        print(f"{'':10}", told(stops(game), "ms until a stop is answered"))
        print(f"{'':10}", told(gains(game, options.pairs), "times as fast with two threads"))


if __name__ == "__main__":
    main()
