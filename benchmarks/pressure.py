"""Measures a house under overload. Ends by itself, in less than 10 minutes.

    .venv/bin/python benchmarks/pressure.py [--beside CHECKOUT] [--games 1000] [--rates 300 600 900]
        [--from one many mixed] [--seconds 8] [--busy PROCESSES] [--json]

A thousand games are played at several rates by clients in this process, from one address, from an
address for each game, or half of them each. Prints for each rate: turns served a second, their
latency and CPU time, the longest delay of the event loop, how often waiting steps were woken in
vain, and the connections that the house closed. With ``--beside`` the house of another checkout
(with its own ``.venv``) is measured in turns with this one; ``--busy`` keeps some processors busy
meanwhile. It needs a system with all of 127.0.0.0/8, such as Linux.
"""

import argparse
import asyncio
import gc
import itertools
import json
import multiprocessing
import resource
import shutil
import statistics
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "tests"))

from crowd import TIMEOUT, Made, Playing, cpu_of, open_lines
from house.web.fixed_loop import loop
from house.web.served import TOKEN, Served
from other_house import ROOT, furnish_of, server_of

SOURCES = {"one": 1.0, "many": 0.0, "mixed": 0.5}
"""The share of the games that are played from one address, by name."""
REST = 2.0
"""Units: seconds; the pause between two rates, for the backlog of the first."""


@dataclass(frozen=True)
class Load:
    """The measurements of a house at one rate."""

    house: str
    source: str
    offered: float
    served: float
    p50: float
    p99: float
    loops: float
    """The CPU time of a turn, in fixed loops of Python."""
    stood_still: float | None
    """Units: seconds; the longest delay of the event loop in the last minute; None if unknown."""
    empty_wakes: float | None
    """Waiting steps that were woken in vain, for each step; None if unknown."""
    hung_up: int

    def __str__(self) -> str:
        still = "" if self.stood_still is None else f", late by {self.stood_still * 1000:.0f} ms"
        wakes = "" if self.empty_wakes is None else f", {self.empty_wakes:.2f} empty wakes a step"
        return (
            f"{self.house:>6} {self.source:>5} {self.offered:5.0f} offered: "
            f"{self.served:4.0f} served, p50 {self.p50 * 1000:.0f} ms, "
            f"p99 {self.p99 * 1000:.0f} ms, {self.loops:.1f} loops a turn, "
            f"{self.hung_up} hung up{still}{wakes}"
        )


def figures_of(served: Served) -> dict[str, float]:
    """Return the metrics of a house by name, without those with labels."""
    request = urllib.request.Request(
        f"{served.address}metrics", headers={"Authorization": f"Bearer {TOKEN}"}
    )
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
        lines = answer.read().decode().splitlines()
    rows = (line.split(" ") for line in lines if line and line[0] != "#" and "{" not in line)
    return {name: float(value) for name, value in rows}


async def _play(table: Playing, pause: float, delay: float, end: float) -> bool:
    """Play at an even rate; return whether the house closed the connection."""
    try:
        await table.play(pause, delay, end)
    except (ConnectionError, TimeoutError):
        return True
    return False


async def _loops(end: float) -> float:
    """Return the median time of a fixed loop, measured until ``end``."""
    found = []
    while time.perf_counter() < end:
        began = time.thread_time()
        loop()
        found.append(time.thread_time() - began)
        await asyncio.sleep(0.2)
    return statistics.median(found)


async def at_rate(
    served: Served, tables: Sequence[Playing], rate: float, seconds: float, about: tuple[str, str]
) -> Load:
    """Play at a rate for some time, and measure."""
    playing = [one for one in tables if not any(line.lost.done() for line in one.lines)]
    for table in playing:
        table.waits.clear()
    before, cpu, pause = figures_of(served), cpu_of(served.pid), len(tables) / rate
    began = time.perf_counter()
    end = began + seconds
    fixed, *_ = await asyncio.gather(
        _loops(end),
        *(_play(one, pause, pause * n / len(playing), end) for n, one in enumerate(playing)),
    )
    took, cpu = time.perf_counter() - began, cpu_of(served.pid) - cpu
    waits = [wait for table in playing for wait in table.waits]
    cuts = statistics.quantiles(waits, n=100)
    after = await asyncio.to_thread(figures_of, served)
    name = "trine_loop_empty_wakes"
    wakes = None
    if name in after:
        steps = after["trine_loop_steps"] - before["trine_loop_steps"]
        wakes = (after[name] - before[name]) / max(1.0, steps)
    return Load(
        *about,
        rate,
        len(waits) / took,
        cuts[49],
        cuts[98],
        cpu / len(waits) / fixed,
        after.get("trine_loop_late_last_minute_seconds"),
        wakes,
        sum(any(line.lost.done() for line in table.lines) for table in playing),
    )


def addresses(source: str, games: int) -> Iterator[str]:
    """Yield the address of each game."""
    together = int(SOURCES[source] * games)
    for number in range(games):
        apart = number - together
        yield "127.0.0.9" if apart < 0 else f"127.1.{apart // 250}.{1 + apart % 250}"


async def measure(
    served: Served, made: Sequence[Made], source: str, name: str, given: argparse.Namespace
) -> list[Load]:
    """Play all games at each rate."""
    tables = [Playing(one) for one in made]
    places = zip(tables, addresses(source, len(tables)), strict=True)
    await open_lines([partial(one.open, served.address, place) for one, place in places], "tables")
    gc.collect()
    gc.disable()  # pauses of this process would count as latency
    found = []
    for rate in given.rates:
        await asyncio.sleep(REST)
        found.append(await at_rate(served, tables, rate, given.seconds, (name, source)))
        if not given.json:
            print(found[-1], flush=True)
    gc.enable()
    for line in itertools.chain(*(table.lines for table in tables)):
        line.hang_up()
    return found


def _spin() -> None:
    while True:
        loop()


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keep processors busy within the block."""
    spinning = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(processes)]
    for one in spinning:
        one.start()
    try:
        yield
    finally:
        for one in spinning:
            one.kill()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--beside", type=Path)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--rates", type=float, nargs="+", default=[300.0, 600.0, 900.0])
    parser.add_argument("--from", dest="sources", nargs="+", choices=SOURCES, default=list(SOURCES))
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--busy", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    turns = 8 + int(sum(given.rates) * (given.seconds + 1) / given.games)
    houses = {"this": ROOT} | ({"other": given.beside.resolve()} if given.beside else {})
    found: list[Load] = []
    with tempfile.TemporaryDirectory(dir=ROOT, prefix="house-") as place, busy(given.busy):
        furnished: dict[str, Any] = {
            name: furnish_of(at, Path(place, name), given.games, "15+15", turns)
            for name, at in houses.items()
        }
        for source, (name, at) in itertools.product(given.sources, reversed(houses.items())):
            folder = Path(place, f"{name}-{source}")
            shutil.copytree(Path(place, name), folder)
            with server_of(at, folder) as served:
                found += asyncio.run(measure(served, furnished[name], source, name, given))
            shutil.rmtree(folder)
    if given.json:
        print(json.dumps([asdict(one) for one in found]))


if __name__ == "__main__":
    main()
