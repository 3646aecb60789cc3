"""An event loop with simulated time, which runs as fast as the work allows.

If no callback is ready, and no work is pending in a process or at the disk, the time of the loop,
and so of the whole process, jumps to the next timer. So a day takes as long as its work, and no
second is skipped: after a wait of five seconds all events of these seconds have happened. Loopback
sockets take no time.
"""

import asyncio
import selectors
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any
from unittest import mock

START_TIME = 1_800_000_000.0
"""Units: seconds since 1970; the start of the simulated time."""
POLL_INTERVAL = 1.0
"""Units: seconds; the longest wait before pending work is checked again."""


class _Selector(selectors.DefaultSelector):
    """A selector that advances the time instead of waiting."""

    now = 0.0
    pending = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is not None and timeout <= 0:
            return super().select(0)
        if ready := super().select(0):
            return ready
        if self.pending or timeout is None:
            return super().select(POLL_INTERVAL)
        self.now += timeout
        return []


class SimulatedLoop(asyncio.SelectorEventLoop):
    """An event loop with simulated time."""

    def __init__(self) -> None:
        self._simulated = _Selector()
        super().__init__(self._simulated)

    def time(self) -> float:
        return self._simulated.now

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, work: Any, *given: Any
    ) -> asyncio.Future[Any]:
        """Do the work of a thread at once: simulated time does not pass while a thread works."""
        future: asyncio.Future[Any] = self.create_future()
        try:
            future.set_result(work(*given))
        except Exception as error:
            future.set_exception(error)
        return future

    def awaited(self, future: asyncio.Future[Any]) -> asyncio.Future[Any]:
        """Stop the time until a future outside of the loop is done."""
        self._simulated.pending += 1
        future.add_done_callback(self._done)
        return future

    def _done(self, future: asyncio.Future[Any]) -> None:
        self._simulated.pending -= 1


@contextmanager
def simulated() -> Iterator[Callable[[], SimulatedLoop]]:
    """Replace ``time.time`` and ``time.monotonic`` by those of a new loop within the block."""
    loop = SimulatedLoop()
    wrap, real, here = asyncio.wrap_future, time.monotonic, threading.get_ident()

    def monotonic() -> float:
        """Return the simulated time in the thread of the loop, and real time in others."""
        return loop.time() if threading.get_ident() == here else real()

    def wrapped(future: Future[Any], *, loop: Any = None) -> Any:
        running = asyncio.get_running_loop()
        found = wrap(future, loop=loop)
        return running.awaited(found) if isinstance(running, SimulatedLoop) else found

    with (
        mock.patch.object(time, "time", lambda: START_TIME + loop.time()),
        mock.patch.object(time, "monotonic", monotonic),
        mock.patch.object(asyncio, "wrap_future", wrapped),
    ):
        yield lambda: loop
