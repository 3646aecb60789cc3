"""An event loop whose time goes as fast as the work allows.

Where nothing is ready and nothing is under way in a process or at the disk, the time of the loop,
and with it that of the whole process, is put forward to the next timer. So a day passes
in as long as its work takes, and each second of it is there: who waits for five seconds has waited
for all that happens meanwhile. Sockets of this machine to itself take no time.
"""

from __future__ import annotations

import asyncio
import selectors
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any
from unittest import mock

BEGAN = 1_800_000_000.0
"""Units: seconds since 1970; when the simulated time begins."""
LONGEST = 1.0
"""Units: seconds; what is under way is looked for again after so long at the latest."""


class _Selector(selectors.DefaultSelector):
    """Puts the time forward instead of waiting."""

    now = 0.0
    under_way = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is not None and timeout <= 0:
            return super().select(0)
        if ready := super().select(0):
            return ready
        if self.under_way or timeout is None:
            return super().select(LONGEST)
        self.now += timeout
        return []


class SimulatedLoop(asyncio.SelectorEventLoop):
    """An event loop with a time of its own."""

    def __init__(self) -> None:
        self._simulated = _Selector()
        super().__init__(self._simulated)

    def time(self) -> float:
        return self._simulated.now

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, work: Any, *given: Any
    ) -> asyncio.Future[Any]:
        """Do at once what a thread would do: whoever waits for one would wait in no time."""
        future: asyncio.Future[Any] = self.create_future()
        try:
            future.set_result(work(*given))
        except Exception as error:
            future.set_exception(error)
        return future

    def awaited(self, future: asyncio.Future[Any]) -> asyncio.Future[Any]:
        """Have time stand still until something is done outside of the loop."""
        self._simulated.under_way += 1
        future.add_done_callback(self._done)
        return future

    def _done(self, future: asyncio.Future[Any]) -> None:
        self._simulated.under_way -= 1


@contextmanager
def simulated() -> Iterator[Callable[[], SimulatedLoop]]:
    """Inside, ``time.time`` and ``time.monotonic`` are those of the loop that is made here."""
    loop = SimulatedLoop()
    wrap, real, here = asyncio.wrap_future, time.monotonic, threading.get_ident()

    def monotonic() -> float:
        """Other threads wait for things of the real world."""
        return loop.time() if threading.get_ident() == here else real()

    def wrapped(future: Future[Any], *, loop: Any = None) -> Any:
        running = asyncio.get_running_loop()
        found = wrap(future, loop=loop)
        return running.awaited(found) if isinstance(running, SimulatedLoop) else found

    with (
        mock.patch.object(time, "time", lambda: BEGAN + loop.time()),
        mock.patch.object(time, "monotonic", monotonic),
        mock.patch.object(asyncio, "wrap_future", wrapped),
    ):
        yield lambda: loop
