"""The metrics of a process that serves pages."""

import asyncio
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_TIMES: Final = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5)
LOOP_INTERVAL: Final = 0.25  # seconds between measurements of the event loop's delay
STALL_TIME: Final = 0.05  # seconds; the cause of a longer delay is recorded
BUSY_LATENESS: Final = 1.0
"""Units: seconds; the house is busy if its event loop is later, or a step has waited longer."""
BUSY_PERIOD: Final = 5.0  # seconds that the house counts as busy after a delay
MAX_CALLS: Final = 8  # innermost calls recorded of a stall


@dataclass(frozen=True)
class LoopStall:
    """A stall of the event loop."""

    seconds: float = 0.0
    at: float = 0.0  # seconds since 1970; the end of the stall
    task: str = ""  # name of the running task: a request, or a background task; empty if unknown
    calls: str = ""  # the innermost calls, as in a traceback


class LoopWatchdog(threading.Thread):
    """A watchdog thread that records where the event loop of the creating thread is stalled."""

    def __init__(self) -> None:
        super().__init__(name="watch of the event loop", daemon=True)
        self._loop, self._of = asyncio.get_running_loop(), threading.get_ident()
        self._heartbeat, self._ended = threading.Event(), False
        self._seen = "", ""
        self.start()

    def heartbeat(self) -> tuple[str, str]:
        """Record a heartbeat of the loop; return the task and calls recorded since the last one."""
        seen, self._seen = self._seen, ("", "")
        self._heartbeat.set()
        return seen

    def end(self) -> None:
        self._ended = True
        self._heartbeat.set()

    def run(self) -> None:
        while not self._ended:
            self._heartbeat.clear()
            if not self._heartbeat.wait(LOOP_INTERVAL + STALL_TIME):
                self._seen = self._stalled_at()
                self._heartbeat.wait()

    def _stalled_at(self) -> tuple[str, str]:
        task, frame = asyncio.current_task(self._loop), sys._current_frames().get(self._of)
        calls = "".join(traceback.format_stack(frame, MAX_CALLS)) if frame else ""
        return task.get_name() if task else "", calls


class Metrics:
    """The metrics of one process."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        self.sockets = Gauge("trine_sockets", "Open sockets", registry=registry)
        self.sent = Counter("trine_views_sent", "Games shown to somebody", registry=registry)
        self.refused = Counter("trine_refused", "Messages that were refused", registry=registry)
        histogram = partial(Histogram, buckets=_TIMES, registry=registry)
        self.answered = histogram("trine_answer_seconds", "From a command to its acknowledgement")
        self.late = histogram("trine_loop_late_seconds", "How late the event loop is")
        self.since = time.time()
        self._last: deque[float] = deque([0.0], round(60 / LOOP_INTERVAL))
        self.longest = LoopStall()
        self.longest_wait: Callable[[], float] = lambda: 0.0
        """A function that returns how long the step that waits longest has waited."""
        self._busy_until = 0.0
        self.add_gauge(
            "loop_late_last_minute_seconds", "Its longest delay", lambda: max(self._last)
        )

    @property
    def is_busy(self) -> bool:
        """Whether the house is late, so that expensive work that can wait is postponed."""
        return time.monotonic() < self._busy_until

    def add_gauge(self, name: str, description: str, value: Callable[[], float]) -> None:
        """Add a metric that is read at each request of the metrics."""
        Gauge(f"trine_{name}", description, registry=self.registry).set_function(value)

    def exposition(self) -> bytes:
        return generate_latest(self.registry)

    def values(self) -> dict[str, float]:
        """Return the metrics by name, except those that are collected from several."""
        found = (sample for family in self.registry.collect() for sample in family.samples)
        return {one.name: one.value for one in found if not one.labels}

    async def measure_loop(self) -> None:
        """Measure the delay of the event loop until cancelled."""
        watch = LoopWatchdog()
        try:
            while True:
                before = time.monotonic()
                await asyncio.sleep(LOOP_INTERVAL)
                late = max(0.0, time.monotonic() - before - LOOP_INTERVAL)
                self.late.observe(late)
                self._last.append(late)
                if max(late, self.longest_wait()) > BUSY_LATENESS:
                    self._busy_until = time.monotonic() + BUSY_PERIOD
                seen = watch.heartbeat()
                if late > self.longest.seconds:
                    self.longest = LoopStall(late, time.time(), *seen)
        finally:
            watch.end()
