"""Background work: everything that the house does unasked, started and watched in one place."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

Report = Callable[..., None]
"""A function that is called with a description of a fault, the error, and details by keyword."""
Work = Callable[[], Awaitable[object]]
Now = Callable[[], float]
"""The clock of the house. Units: seconds since 1970."""
BREATH: Final = 1.0
"""Units: seconds; the shortest wait after a fault."""


class Background:
    """The background work of a house; faults are reported and do not end it."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self._tasks: set[asyncio.Task[Any]] = set()

    def every(self, seconds: float, work: Work, name: str) -> None:
        """Run work now, and again some seconds after each end, until this is closed."""

        async def repeat() -> None:
            while True:
                done = await self._try(work, name, {})
                await asyncio.sleep(seconds if done else max(seconds, BREATH))

        self._start(repeat(), name)

    def run(self, work: Work, name: str, **about: Any) -> None:
        """Run work once; it is cancelled if it has not ended when the house closes.

        Args: ``about`` is reported with a fault.
        """
        self._start(self._try(work, name, about), name)

    async def close(self) -> None:
        """Stop all work."""
        running = set(self._tasks)
        while running:  # a task that was about to go on just then has to be told once more
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
