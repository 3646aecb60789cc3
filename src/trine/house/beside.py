"""A process beside the house, for what must not run in the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from trine.core.work.pool import Call, WorkerPool

Result = TypeVar("Result")


class Beside:
    """One process that does jobs, started with the first, and anew after it has died."""

    def __init__(self, begin: Call | None = None) -> None:
        """Args: ``begin`` is called in the process before its first job."""
        self._begin = begin
        self._pool: WorkerPool | None = None

    async def do(self, job: Callable[[], Result]) -> Result:
        """Return the result of a function of a module, or of a partial of one.

        Raises:
            BrokenProcessPool: the process has died.
        """
        pool = self._pool = self._pool or WorkerPool(1, begin=self._begin)
        try:
            return await asyncio.wrap_future(pool.submit(job))
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = None
                pool.close()
            raise

    def close(self) -> None:
        """Break off what is being done, and end the process."""
        if self._pool:
            self._pool.close()
            self._pool = None
