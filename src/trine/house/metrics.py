"""The figures of a house, beside those of its pages."""

from __future__ import annotations

from trine.house.app import House
from trine.house.web.metrics import Metrics


def measure(metrics: Metrics, house: House) -> None:
    """Have the figures of a house told, too."""
    games, bots, store = house.games, house.bots, house.store
    metrics.measure("games", "Games in memory", lambda: len(games.hosts))
    metrics.measure("deadlines", "Games of which something is due", lambda: len(games.timers))
    metrics.measure("bots_waiting", "Thoughts that wait for a worker", lambda: bots.waiting)
    metrics.measure("bots_died", "Workers that have died", lambda: bots.died)
    metrics.measure("writes_waiting", "Writes that wait for a commit", lambda: store.waiting)
    metrics.measure("commits", "Commits so far", lambda: store.commits)
    metrics.measure(
        *("lapses", "Times that the process was stopped for longer than its lease"),
        lambda: house.lease.lapses,
    )
