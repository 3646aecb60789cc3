"""The measurements of a process that serves pages."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_TIMES: Final = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5)
EVERY: Final = 0.25
"""Units: seconds; the interval of measuring the delay of the event loop."""


class Metrics:
    """The figures of one process."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        self.sockets = Gauge("trine_sockets", "Open sockets", registry=registry)
        self.sent = Counter("trine_views_sent", "Games shown to somebody", registry=registry)
        self.refused = Counter("trine_refused", "Messages that were refused", registry=registry)
        self.answered = Histogram(
            "trine_answer_seconds",
            "From a command to its acknowledgement",
            buckets=_TIMES,
            registry=registry,
        )
        self.late = Histogram(
            "trine_loop_late_seconds",
            "How late the event loop is",
            buckets=_TIMES,
            registry=registry,
        )

        self.since = time.time()
        self._last: deque[float] = deque([0.0], round(60 / EVERY))
        self._longest = 0.0
        self.measure("loop_late_last_minute_seconds", "Its longest delay", lambda: max(self._last))
        self.measure("loop_late_longest_seconds", "The same since the start", lambda: self._longest)

    def measure(self, name: str, told: str, value: Callable[[], float]) -> None:
        """Add a figure, which is read at each request of the metrics."""
        Gauge(f"trine_{name}", told, registry=self.registry).set_function(value)

    def exposition(self) -> bytes:
        return generate_latest(self.registry)

    def values(self) -> dict[str, float]:
        """Return the figures by their names, but those that are spread over several."""
        found = (sample for family in self.registry.collect() for sample in family.samples)
        return {one.name: one.value for one in found if not one.labels}

    async def measure_loop(self) -> None:
        before = time.monotonic()
        await asyncio.sleep(EVERY)
        late = max(0.0, time.monotonic() - before - EVERY)
        self.late.observe(late)
        self._last.append(late)
        self._longest = max(self._longest, late)
