"""Timing for the benchmarks of kernels: medians of interleaved runs."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Final

RUNS: Final = 7
IMPORT: Final = """
import sys, time
began = time.perf_counter()
import numba
between = time.perf_counter()
__import__(sys.argv[1])
print(between - began, time.perf_counter() - between)
"""

Call = Callable[[], object]


def seconds(
    *calls: Call, runs: int = RUNS, clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """Return the median seconds of each call over interleaved runs, after a warm-up run."""
    times: list[list[float]] = [[] for _ in calls]
    for turn in range(runs + 1):
        for call, taken in zip(calls, times, strict=True):
            began = clock()
            call()
            if turn:
                taken.append(clock() - began)
    return [statistics.median(taken) for taken in times]


def measure_compiling(module: str) -> None:
    """Print the time of an import without a cache and with one, except Numba's own import."""
    with tempfile.TemporaryDirectory() as folder:
        for what, aim in (("from nothing", 25), ("from the cache", 1)):
            done = subprocess.run(
                [sys.executable, "-c", IMPORT, module],
                env={**os.environ, "XDG_CACHE_HOME": folder},
                capture_output=True,
                text=True,
                check=True,
            )
            numba_alone, ours = map(float, done.stdout.split())
            print(
                f"kernel {what:<15} {ours:8.2f} s   aim {aim} s, with Numba's own import of "
                f"{numba_alone:.2f} s"
            )
