"""Waits of tests for a condition: a long timeout costs nothing if the condition is met soon."""

import time
from collections.abc import Callable, Collection
from pathlib import Path

PATIENCE = 180.0
"""Units: seconds; the timeout, for a machine under load."""


def wait_until(true: Callable[[], object], interval: float = 0.02) -> None:
    """Wait until a condition is true; it is tried again after an interval in seconds."""
    late = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < late, "the condition was not met in time"
        time.sleep(interval)


def runs(process: int | str) -> bool:
    """Whether a process runs: a zombie does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def wait_until_gone(processes: Collection[int | str]) -> None:
    assert processes
    wait_until(lambda: not any(map(runs, processes)))
