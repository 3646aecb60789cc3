"""The measurements of a process that serves pages."""

from __future__ import annotations

import asyncio
import time
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

    def measure(self, name: str, told: str, value: Callable[[], float]) -> None:
        """Add a figure, which is read at each request of the metrics."""
        Gauge(f"trine_{name}", told, registry=self.registry).set_function(value)

    def exposition(self) -> bytes:
        return generate_latest(self.registry)

    async def measure_loop(self) -> None:
        before = time.monotonic()
        await asyncio.sleep(EVERY)
        self.late.observe(max(0.0, time.monotonic() - before - EVERY))
