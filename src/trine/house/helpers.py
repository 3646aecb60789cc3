"""Processes beside the house, for what must not run in the event loop."""

from __future__ import annotations

import asyncio
import os
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final, TypeVar, cast

from trine.core.work.cpu_account import CPU_ACCOUNT
from trine.core.work.pool import Call, WorkerPool
from trine.house.refusals import TooMuchError
from trine.house.web.fair_queue import FairQueue

Result = TypeVar("Result")
NICE: Final = 10
"""The niceness of processes beside the house, which serves people."""
HELPERS: Final = 3
"""The number of helpers; one that was never needed is not started."""
MOST_OF_ONE: Final = 8
"""The number of requests of one address that may wait for a place."""
MOST_WAITING: Final = 256
"""The number of all that may."""
KEPT: Final = 128
"""The number of results that helpers keep; a picture has a tenth of a megabyte."""


def stand_back(nice: int = NICE) -> None:
    """Lower the priority of this process below the one that serves people."""
    if hasattr(os, "nice"):
        os.nice(nice)


class HelperProcess:
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
        pool = self._pool = self._pool or WorkerPool(1, initializer=self._begin)
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


class FairPlaces:
    """Some places; an address has one of them at a time, however much it asks for.

    >>> places = FairPlaces(2)
    >>> async def work(address: str, name: str) -> None:
    ...     async with places.of(address):
    ...         print(name)
    ...         await asyncio.sleep(0)
    >>> async def all_of_it() -> None:
    ...     await asyncio.gather(*(work("flood", f"flood {n}") for n in range(3)), work("b", "b"))
    >>> asyncio.run(all_of_it())
    flood 0
    b
    flood 1
    flood 2
    """

    def __init__(self, count: int) -> None:
        self._free = count
        self._busy: set[str] = set()
        """The addresses that have a place."""
        self._line = FairQueue()

    @asynccontextmanager
    async def of(self, address: str) -> AsyncIterator[None]:
        """Wait for a place, and have it; too many who wait are refused."""
        if self._line.count(address) >= MOST_OF_ONE or len(self._line) >= MOST_WAITING:
            raise TooMuchError
        turn = self._line.join(address)
        self._give()
        try:
            await turn
        except asyncio.CancelledError:
            self._line.leave(address, turn)
            if not turn.cancelled():  # it has just got its place
                self._release(address)
            raise
        try:
            yield
        finally:
            self._release(address)

    def _give(self) -> None:
        """Give free places to addresses that have none."""
        for address in self._line:
            if self._free and address not in self._busy and self._line.let_in(address):
                self._free -= 1
                self._busy.add(address)

    def _release(self, address: str) -> None:
        self._free += 1
        self._busy.discard(address)
        self._give()


class Helpers:
    """Processes that do short jobs, each one at a time, for one address after the other.

    The address pays for the processor time, wherever it asks from.
    """

    def __init__(self) -> None:
        self._places = FairPlaces(HELPERS)
        self._processes = [HelperProcess(stand_back) for _ in range(HELPERS)]
        self._idle = list(self._processes)
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()

    async def do(self, address: str, job: Callable[[], Result]) -> Result:
        """Return the result of a function of a module, or of a partial of one.

        Raises:
            TooMuchError: too much waits already.
            BrokenProcessPool: the process has died.
        """
        account = CPU_ACCOUNT.get()
        await account.wait()
        async with self._places.of(address):
            process = self._idle.pop()
            try:
                result, seconds = await process.do(partial(_measured, job))
            finally:
                self._idle.append(process)
        account.charge(seconds)
        return result

    async def make(self, address: str, key: Hashable, job: Callable[[], Result]) -> Result:
        """Do the same, unless the result is kept under a key."""
        if (kept := self.kept(key)) is not None:
            return cast("Result", kept)
        made = await self.do(address, job)
        self._kept[key] = made
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return made

    def kept(self, key: Hashable) -> Any:
        """Return a result that is kept; None where there is none."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def close(self) -> None:
        for process in self._processes:
            process.close()


def _measured(job: Callable[[], Result]) -> tuple[Result, float]:
    """Return the result of a job, and the processor time that it took."""
    began = time.thread_time()
    return job(), time.thread_time() - began
