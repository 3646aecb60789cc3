"""A pool of processes for short jobs that would block the event loop."""

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
from trine.house.refusals import OverloadedError
from trine.house.web.rounds import FairQueue

Result = TypeVar("Result")
NICENESS: Final = 10  # the niceness of processes other than the one that serves people
PROCESS_COUNT: Final = 3  # number of processes in the pool; each is started when it is first needed
MAX_WAITING_PER_ADDRESS: Final = 8
MAX_WAITING: Final = 256
CACHE_SIZE: Final = 128
"""The number of cached results; the largest, pictures, take a tenth of a megabyte each."""


def lower_priority(nice: int = NICENESS) -> None:
    """Lower the priority of this process below the one that serves people."""
    if hasattr(os, "nice"):
        os.nice(nice)


class HelperProcess:
    """One process that runs jobs; started with the first job, and restarted if it has died."""

    def __init__(self, begin: Call | None = None) -> None:
        """``begin`` is called in the process before its first job."""
        self._begin = begin
        self._pool: WorkerPool | None = None

    async def run(self, job: Callable[[], Result]) -> Result:
        """Return the result of a module's function or a partial; raises `BrokenProcessPool`."""
        pool = self._pool = self._pool or WorkerPool(1, initializer=self._begin)
        try:
            return await asyncio.wrap_future(pool.submit(job))
        except BrokenProcessPool:
            if self._pool is pool:
                self._pool = None
                pool.close()
            raise

    def close(self) -> None:
        if self._pool:
            self._pool.close()
            self._pool = None


class FairSemaphore:
    """A fair semaphore: each address holds at most one slot at a time.

    >>> places = FairSemaphore(2)
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
        self._busy: set[str] = set()  # the addresses that hold a slot
        self._queue = FairQueue()

    @asynccontextmanager
    async def of(self, address: str) -> AsyncIterator[None]:
        """Wait for a slot, and hold it during the context; refused if too many wait."""
        if self._queue.count(address) >= MAX_WAITING_PER_ADDRESS or len(self._queue) >= MAX_WAITING:
            raise OverloadedError
        slot = self._queue.join(address)
        self._grant()
        try:
            await slot
        except asyncio.CancelledError:
            self._queue.leave(address, slot)
            if not slot.cancelled():  # the slot was granted just before the cancellation
                self._release(address)
            raise
        try:
            yield
        finally:
            self._release(address)

    def _grant(self) -> None:
        """Grant free slots to waiting addresses that hold none."""
        for address in self._queue:
            if self._free and address not in self._busy and self._queue.let_in(address):
                self._free -= 1
                self._busy.add(address)

    def _release(self, address: str) -> None:
        self._free += 1
        self._busy.discard(address)
        self._grant()


class JobPool:
    """A pool of processes that run short jobs, one at a time per address, in turns.

    The CPU time of a job is charged to the CPU account of the task that asks for it.
    """

    def __init__(self) -> None:
        self._places = FairSemaphore(PROCESS_COUNT)
        self._processes = [HelperProcess(lower_priority) for _ in range(PROCESS_COUNT)]
        self._idle = list(self._processes)
        self._cached: OrderedDict[Hashable, Any] = OrderedDict()

    async def run(self, address: str, job: Callable[[], Result]) -> Result:
        """Return the result of ``job``, a function of a module or a partial of one.

        Raises:
            OverloadedError: too many requests wait already.
            BrokenProcessPool: the process has died.
        """
        account = CPU_ACCOUNT.get()
        await account.wait()
        async with self._places.of(address):
            process = self._idle.pop()
            try:
                result, seconds = await process.run(partial(_measure, job))
            finally:
                self._idle.append(process)
        account.charge(seconds)
        return result

    async def run_cached(self, address: str, key: Hashable, job: Callable[[], Result]) -> Result:
        """Like `run`, but cache the result under a key."""
        if (kept := self.cached(key)) is not None:
            return cast("Result", kept)
        made = await self.run(address, job)
        self._cached[key] = made
        while len(self._cached) > CACHE_SIZE:
            self._cached.popitem(last=False)
        return made

    def cached(self, key: Hashable) -> Any:
        if key in self._cached:
            self._cached.move_to_end(key)
        return self._cached.get(key)

    def close(self) -> None:
        for process in self._processes:
            process.close()


def _measure(job: Callable[[], Result]) -> tuple[Result, float]:
    began = time.thread_time()
    return job(), time.thread_time() - began
