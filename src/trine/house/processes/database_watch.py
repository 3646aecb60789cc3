"""Watches the database file, and ends a house that can never write to it again."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from trine.house.background import Report
from trine.house.store.store import Store

INTERVAL: Final = 5.0  # seconds between checks
GRACE: Final = 30.0
"""Units: seconds; how long another file must be at the path before the house ends, because it may
be moved away again. Guess."""


class DatabaseWatch:
    """Notices that another file has replaced the database.

    While the file is missing, the house runs on: a restart would create an empty database.
    """

    def __init__(self, store: Store, report: Report) -> None:
        self._store, self._report = store, report
        self._since: float | None = None
        self.replaced: Final = asyncio.Event()
        """Set when the house must end, to be restarted with the new file."""

    async def check(self) -> None:
        if self.replaced.is_set():
            return
        if not await asyncio.to_thread(lambda: self._store.is_replaced):
            self._since = None
            return
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        if now - self._since >= GRACE:
            self._report("another file is in the place of the database: the house ends")
            self.replaced.set()
