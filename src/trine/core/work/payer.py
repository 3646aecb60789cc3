"""The payer of work: whose request or message has set it going, in whatever thread it is done."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from contextvars import ContextVar
from typing import Final, Protocol, TypeVar

Result = TypeVar("Result")


class Payer(Protocol):
    """The one for whom something is done."""

    def pay(self, seconds: float) -> None:
        """Note that a processor worked so long."""

    async def turn(self) -> None:
        """Wait until more may be done."""


class _Nobody:
    def pay(self, seconds: float) -> None:
        """The house does it of itself."""

    async def turn(self) -> None:
        """It goes on at once."""


_NOBODY: Final = _Nobody()
PAYER: Final[ContextVar[Payer]] = ContextVar("payer", default=_NOBODY)
"""The payer of what runs now; tasks inherit it from whatever has begun them."""


async def in_thread(call: Callable[[], Result], executor: Executor | None = None) -> Result:
    """Return the result of a call in a thread, whose processor time is paid for."""
    loop, payer = asyncio.get_running_loop(), PAYER.get()

    def measured() -> Result:
        began = time.thread_time()
        try:
            return call()
        finally:
            with suppress(RuntimeError):  # the loop has been closed meanwhile
                loop.call_soon_threadsafe(payer.pay, time.thread_time() - began)

    return await loop.run_in_executor(executor, measured)
