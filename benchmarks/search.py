"""Measures the search: nodes a second, and the delay of a stop.

    .venv/bin/python benchmarks/search.py [--seconds S]

Nodes of the main and the quiescence search are counted, with evaluation. docs/why/measuring.md has
the figures of one machine.
"""

import argparse
import statistics
import threading
import time

from trine.core.clock import Limits
from trine.core.play import Play
from trine.core.work.stop import Stop
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.search.bench import bench_positions
from trine.games import ROOMS, open_room


def plays(game: str) -> list[Play]:
    """Return the positions of the bench with two players."""
    room = open_room(game)
    positions = [bench.position for bench in bench_positions(room)]
    return [Play(room, p) for p in positions if len(p.seats) == 2 and not p.in_setup]


def speeds(game: str, seconds: float) -> list[int]:
    """Return the nodes a second in each position."""
    search = AlphaBeta(game)
    found = []
    for play in plays(game):
        search.clear()
        info = search.search(play, Limits(hard=seconds))[0]
        if info.seconds > seconds / 2:  # else the search ended before the time was up
            found.append(info.nodes_per_second)
    return found


def stops(game: str) -> list[float]:
    """Return the milliseconds from a stop to the answer, by position."""
    search = AlphaBeta(game)
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


def summary(values: list[float], unit: str) -> str:
    """Return the median and the range, as text."""
    low, middle, high = min(values), statistics.median(values), max(values)
    return f"{middle:10.2f} {unit}   ({low:.2f} to {high:.2f}, {len(values)} positions)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0)
    options = parser.parse_args()
    for game in ROOMS:
        rates = [rate / 1e6 for rate in speeds(game, options.seconds)]
        print(f"{game:10}", summary(rates, "million nodes a second"))
        print(f"{'':10}", summary(stops(game), "ms until a stop is answered"))


if __name__ == "__main__":
    main()
