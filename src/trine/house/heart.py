"""The heart of the house: a mark that says until when it was at work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from trine.core.errors import TrineError
from trine.store.downtimes import Downtime
from trine.store.store import Store

ALIVE: Final = "alive"
"""The kind of deadline that says until when the house was at work."""
BEAT: Final = 2.0
"""Units: seconds; so much of the time of a player may be refunded after the house broke down."""
AT_REST: Final = 15
"""Each so many beats the mark is set where nobody plays on a clock just now."""
SHORT: Final = 5.0
"""Units: seconds; a shorter downtime counts as none, such as where two processes are open."""


class Heart:
    """Sets the mark, and knows from it when the house was closed."""

    def __init__(self, store: Store, now: Callable[[], float], report: Callable[..., None]) -> None:
        self._store, self._now, self._report = store, now, report
        self.before: float | None = None
        """The moment at which the house was last at work before it was opened."""

    async def start(self) -> None:
        """Learn when the house was last at work, and note since then that it was not."""
        marks = await asyncio.to_thread(self._store.moments_of, ALIVE, [ALIVE])
        self.before, now = marks.get(ALIVE), self._now()
        if self.before is not None and now - self.before > SHORT:
            downtime = Downtime(self.before, round(now, 3))
            await asyncio.wrap_future(self._store.add_downtime(downtime))
        await self.beat()

    async def beat(self) -> None:
        """Set the mark."""
        future = self._store.set_due(ALIVE, ALIVE, round(self._now(), 3))
        await asyncio.wrap_future(future)

    async def run(self, busy: Callable[[], bool]) -> None:
        """Beat for ever: often while somebody plays, and now and then else."""
        count = 0
        while True:
            if busy() or not count % AT_REST:
                await self._try()
            count += 1
            await asyncio.sleep(BEAT)

    async def stop(self) -> None:
        """Beat for the last time."""
        await self._try()

    async def _try(self) -> None:
        try:
            await self.beat()
        except TrineError as error:
            self._report("the house could not note that it is open", error)
