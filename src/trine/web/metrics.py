"""The measurements of a house that is open."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from trine.house.house import House

_TIMES: Final = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5)
EVERY: Final = 0.25
"""Units: seconds between two looks at how late the event loop is."""


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
        self._gauges = {
            name: Gauge(f"trine_{name}", told, registry=registry)
            for name, told in {
                "games": "Games in memory",
                "deadlines": "Games of which something is due",
                "bots_waiting": "Thoughts that wait for a worker",
                "bots_died": "Workers that have died",
                "writes_waiting": "Writes that wait for a commit",
                "commits": "Commits so far",
                "lapses": "Times that the process was stopped for longer than its lease",
            }.items()
        }

    def exposition(self, house: House) -> bytes:
        """All figures, as Prometheus reads them."""
        values = {
            "games": len(house.hosts),
            "deadlines": len(house.deadlines),
            "bots_waiting": house.bots.waiting,
            "bots_died": house.bots.died,
            "writes_waiting": house.store.waiting,
            "commits": house.store.counts.commits.count,
            "lapses": house.lease.lapses,
        }
        for name, value in values.items():
            self._gauges[name].set(value)
        return generate_latest(self.registry)

    async def watch_loop(self) -> None:
        """Measure how late the event loop is, for ever."""
        while True:
            before = time.monotonic()
            await asyncio.sleep(EVERY)
            self.late.observe(max(0.0, time.monotonic() - before - EVERY))
