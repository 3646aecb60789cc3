"""The deadlines of all games of the process, in one heap."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from contextlib import suppress

Now = Callable[[], float]
SLEEP = 3600.0
"""Units: seconds; nothing is slept for longer at once."""


class Deadlines:
    """Calls back when a moment has come; each key has one moment, or none.

    Units: seconds since 1970, by the clock that the house goes by.
    """

    def __init__(self, now: Now, call: Callable[[str], None]) -> None:
        self._now, self._call = now, call
        self._heap: list[tuple[float, str]] = []
        self._moments: dict[str, float] = {}
        self._changed = asyncio.Event()

    def __len__(self) -> int:
        return len(self._moments)

    def set(self, key: str, at: float | None) -> None:
        """Set the moment of a key; None takes it away."""
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
        self._changed.set()

    async def run(self) -> None:
        """Call for each key whose moment has come, for ever."""
        while True:
            wait = self._call_due()
            self._changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._changed.wait()

    def _call_due(self) -> float:
        """Units: seconds; how long nothing is due."""
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
