"""Measures the overhead of workers on this machine, and simulates larger clusters.

.venv/bin/python benchmarks/workers.py [--jobs 24] [--games 40] [--nodes 400]

*Busy* is the utilization of workers from the first job to the last: the sum of the jobs' times
divided by the number of workers and the elapsed time. Load lengthens both, so it can be measured on
a busy machine, too. Clusters are simulated from the measurements: random job times, and the CPU
time of the leader to hand out a job, take its result, and store it on disk.
"""

import argparse
import heapq
import os
import random
import statistics
import time
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from trine.core.work.workers import Backend, as_completed
from trine.engine.learn.games import EvalConfig, games_with_returns
from trine.engine.selfplay.selfplay_plan import SelfPlayPlan

EMPTY_JOBS = 300
"""The number of empty jobs that measure the leader's time for one."""
LAMBDA = 0.8
LATENCY = 0.002
"""Units: seconds, one way between machines. Guess."""


@dataclass(frozen=True)
class Done:
    """A finished job: its time, its process, and a result as large as samples are."""

    seconds: float
    process: int
    megabytes: float
    result: bytes


def play(plan: SelfPlayPlan, number: int, games: int) -> Done:
    """Play some games."""
    began = time.perf_counter()
    _, samples = games_with_returns(
        plan, EvalConfig(), LAMBDA, number, range(number * games, (number + 1) * games)
    )
    seconds = time.perf_counter() - began
    return Done(seconds, os.getpid(), resident("self"), samples.rows.tobytes())


def nothing(size: int) -> bytes:
    """Return ``size`` zero bytes."""
    return bytes(size)


def resident(process: str) -> float:
    """Return the private memory of a process, in MB."""
    words = Path(f"/proc/{process}/smaps_rollup").read_text().split()
    return sum(float(words[words.index(name) + 1]) for name in ("Private_Dirty:",)) / 1000


def measure(
    name: str, backend: Backend, plan: SelfPlayPlan, jobs: int, games: int
) -> tuple[list[float], float]:
    """Print the figures of a backend; return the times of jobs, and the leader's time for each."""
    began = time.perf_counter()
    with closing(backend.open()) as workers:
        warm = [partial(play, plan, 90_000 + number, 1) for number in range(2 * workers.count)]
        list(as_completed(workers, warm))
        ready = time.perf_counter() - began
        began = time.perf_counter()
        done = list(as_completed(workers, [partial(play, plan, n, games) for n in range(jobs)]))
        elapsed = time.perf_counter() - began
        size = round(statistics.mean(len(one.result) for one in done))
        spent = time.process_time()
        for _ in as_completed(workers, [partial(nothing, size)] * EMPTY_JOBS):
            pass
        leader = (time.process_time() - spent) / EMPTY_JOBS
        busy = sum(one.seconds for one in done) / (workers.count * elapsed)
        memory = statistics.mean(one.megabytes for one in done)
        mean = statistics.mean(one.seconds for one in done)
        print(
            f"{name:<11}{workers.count} at once: ready after {ready:4.1f} s, busy {busy:6.1%}, "
            f"jobs of {mean:4.1f} s, leader {1000 * leader:5.2f} ms for each, with "
            f"{size / 1000:.0f} kB; {memory:4.0f} MB a worker",
            flush=True,
        )
    return [one.seconds for one in done], leader


def keep(plan: SelfPlayPlan, games: int) -> float:
    """Return the CPU seconds of storing the samples of a job on disk."""
    _, samples = games_with_returns(plan, EvalConfig(), LAMBDA, 0, range(games))
    with TemporaryDirectory() as name:
        spent = time.process_time()
        for batch in range(10):
            samples.write(Path(name) / f"games-{batch}.npz")
        return (time.process_time() - spent) / 10


def simulate(times: list[float], mean: float, leader: float, latency: float, workers: int) -> float:
    """Return the utilization of workers that do ten jobs each on average, until the last job ends.

    The leader does one thing at a time: it takes a result, stores it, and hands out the next job,
    which arrives after the latency.
    """
    rng = random.Random(workers)
    scale = mean / statistics.mean(times)
    jobs, free, busy, end = 10 * workers, 0.0, 0.0, 0.0
    arriving: list[float] = [0.0] * workers
    while arriving:
        free = max(free, heapq.heappop(arriving)) + leader
        end = max(end, free)
        if jobs:
            jobs -= 1
            took = scale * rng.choice(times)
            busy += took
            heapq.heappush(arriving, free + 2 * latency + took)
    return busy / (workers * end)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=24)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--nodes", type=int, default=400)
    given = parser.parse_args()
    plan = SelfPlayPlan("tzaar", "official", nodes=given.nodes)
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for name, backend in (
        ("here", Backend()),
        ("processes", Backend(2)),
        ("ray", Backend(ray="local")),
    ):
        times, leader = measure(name, backend, plan, given.jobs, given.games)
    keeping = keep(plan, given.games)
    print(f"to keep the result of a job: {1000 * keeping:.1f} ms; one way: {1000 * LATENCY:.0f} ms")
    for mean in (1.0, 10.0, 20.0, 30.0):
        shares = [
            f"{workers:,}: {simulate(times, mean, leader + keeping, LATENCY, workers):.1%}"
            for workers in (2, 16, 64, 256, 1_000, 4_000)
        ]
        print(f"simulated, jobs of {mean:.0f} s: " + ", ".join(shares))


if __name__ == "__main__":
    main()
