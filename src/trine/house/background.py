"""Background tasks, started and supervised in one place, instead of by requests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

Report = Callable[..., None]
"""A function that logs a fault: called with a description, the error, and details by keyword."""
Work = Callable[[], Awaitable[object]]
Now = Callable[[], float]
"""The clock of the house. Units: seconds since 1970."""
MIN_RETRY_DELAY: Final = 1.0
"""Units: seconds; the shortest delay before work that failed is repeated."""


class Background:
    """The background tasks of a house; a fault is reported and does not end its task."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self._tasks: set[asyncio.Task[Any]] = set()

    def every(self, seconds: float, work: Work, name: str) -> None:
        """Repeat work until the house closes; ``seconds`` is the pause after each run."""

        async def repeat() -> None:
            while True:
                done = await self._try(work, name, {})
                await asyncio.sleep(seconds if done else max(seconds, MIN_RETRY_DELAY))

        self._start(repeat(), name)

    def run(self, work: Work, name: str, **about: Any) -> None:
        """Run work once, until the house closes; a fault is reported with the details ``about``."""
        self._start(self._try(work, name, about), name)

    async def close(self) -> None:
        """Cancel all tasks, and wait until they have ended."""
        running = set(self._tasks)
        while running:  # a task that was just resuming can miss the first cancellation
            for task in running:
                task.cancel()
            _, running = await asyncio.wait(running, timeout=0.2)

    def _start(self, work: Coroutine[Any, Any, Any], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _try(self, work: Work, name: str, about: dict[str, Any]) -> bool:
        """Run work once; return whether it succeeded."""
        try:
            await work()
        except Exception as error:
            self.report("background work failed", error, work=name, **about)
            return False
        return True
