"""The moments at which games of this process are looked at again, in one heap."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from contextlib import suppress

from trine.house.background import Now

SLEEP = 3600.0
"""Units: seconds; the longest sleep."""


class Timers:
    """A caller of functions at set moments; each key has one moment, or none.

    Units: seconds since 1970, by the clock that the house goes by.
    """

    def __init__(self, now: Now, call: Callable[[str], None]) -> None:
        self._now, self._call = now, call
        self._heap: list[tuple[float, str]] = []
        self._moments: dict[str, float] = {}
        self._changed = asyncio.Event()
        self._next = 0.0
        """The moment until which it is slept."""

    def __len__(self) -> int:
        return len(self._moments)

    def set(self, key: str, at: float | None) -> None:
        """Set the moment of a key; None removes it."""
        if self._moments.get(key) == at:
            return
        if at is None:
            self._moments.pop(key, None)
            return
        self._moments[key] = at
        heapq.heappush(self._heap, (at, key))
        if len(self._heap) > 64 + 4 * len(self._moments):  # mostly moments that were set anew
            self._heap = [(moment, name) for name, moment in self._moments.items()]
            heapq.heapify(self._heap)
        if at < self._next:
            self._changed.set()

    def look_again(self) -> None:
        """Look at the clock, which has jumped."""
        self._changed.set()

    async def wait(self) -> None:
        """Call the function for each key whose moment has come, and wait for the next."""
        wait = self._call_due()
        self._next = self._now() + wait
        self._changed.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(wait):
                await self._changed.wait()

    def _call_due(self) -> float:
        """Call the function for all due keys, and return the seconds until the next."""
        while self._heap:
            at, key = self._heap[0]
            if self._moments.get(key) != at:
                heapq.heappop(self._heap)
            elif (wait := at - self._now()) > 0:
                return min(wait, SLEEP)
            else:
                heapq.heappop(self._heap)
                del self._moments[key]
                self._call(key)
        return SLEEP
