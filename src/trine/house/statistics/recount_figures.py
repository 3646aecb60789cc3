"""The figures of the house's games, counted from time to time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Final

from trine.core.work.payer import in_thread
from trine.house.statistics.figures import Figures, figures_of
from trine.house.statistics.tables import count_results
from trine.house.store.store import Store
from trine.play.record.statistics import By

FRESH: Final = 3600.0
"""Units: seconds; how long figures are shown before the games are counted again."""
MONTHS: Final = 12
"""The months whose games are shown."""


class Statistics:
    """The figures of a house; they are counted once an hour."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self._store, self._now = store, now
        self._counting = asyncio.Lock()
        self._counted: dict[By, tuple[float, Sequence[Figures]]] = {}

    async def figures(self, by: By = By.RULES) -> Sequence[Figures]:
        """Return the figures of all games, grouped."""
        async with self._counting:  # of all who ask at once, one waits for the database
            now = self._now()
            if by not in self._counted or now - self._counted[by][0] >= FRESH:
                found = await self._store.fetch(count_results, by, last_months(now))
                # Each game costs time here.
                self._counted[by] = now, await in_thread(partial(figures_of, found, by))
            return self._counted[by][1]


def last_months(now: float) -> list[tuple[float, str]]:
    """Return the last `MONTHS` months, each with its beginning in universal time.

    >>> last_months(1_800_000_000)[-2:]
    [(1796083200.0, '2026-12'), (1798761600.0, '2027-01')]
    """
    today = datetime.fromtimestamp(now, UTC)
    found = []
    for back in reversed(range(MONTHS)):
        years, month = divmod(12 * today.year + today.month - 1 - back, 12)
        first = datetime(years, month + 1, 1, tzinfo=UTC)
        found.append((first.timestamp(), f"{first:%Y-%m}"))
    return found
