"""CPU accounting: work in any thread is charged to the requester."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from contextvars import ContextVar
from typing import Final, Protocol, TypeVar

Result = TypeVar("Result")


class CpuAccount(Protocol):
    """An account that is charged for CPU time."""

    def charge(self, seconds: float) -> None:
        """Charge some CPU time. Units: seconds."""

    async def wait(self) -> None:
        """Wait until more work is allowed."""


class _Nobody:
    def charge(self, seconds: float) -> None:
        """Do nothing: the server's own work is not limited."""

    async def wait(self) -> None: ...


_NOBODY: Final = _Nobody()
CPU_ACCOUNT: Final[ContextVar[CpuAccount]] = ContextVar("cpu_account", default=_NOBODY)
"""The account in force; asyncio tasks inherit it from their creator."""


async def in_thread(call: Callable[[], Result], executor: Executor | None = None) -> Result:
    """Run a call in a thread, charge its CPU time, and return its result."""
    loop, account = asyncio.get_running_loop(), CPU_ACCOUNT.get()

    def measured() -> Result:
        began = time.thread_time()
        try:
            return call()
        finally:
            with suppress(RuntimeError):  # the event loop was closed meanwhile
                loop.call_soon_threadsafe(account.charge, time.thread_time() - began)

    return await loop.run_in_executor(executor, measured)
