"""The write queue of a game: writes run one at a time, from a bounded queue.

Each write begins when the one before it is stored. Work that writes nothing runs at once.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from trine.core.errors import TrineError
from trine.core.work.cpu_account import CPU_ACCOUNT, CpuAccount
from trine.house.refusals import OverloadedError, ShuttingDownError, is_momentary
from trine.house.web.cpu_limit import charged
from trine.house.web.refusing import InternalError, is_internal

MAX_WAITING: Final = 256
DRAIN_TIMEOUT: Final = 30.0  # seconds; how long a closing queue waits for the writes in it. Guess
Result = TypeVar("Result")


@dataclass
class _PendingWrite:
    work: Callable[[], Coroutine[Any, Any, Any]]
    answer: asyncio.Future[Any]
    asked: bool  # whether a caller waits for the result, and gets the error if the write is refused
    account: CpuAccount = field(default_factory=CPU_ACCOUNT.get)
    """The CPU account of the caller; the write is charged to it."""

    def refuse(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)
            self.answer.exception()  # marks the error as retrieved: the caller may be gone


class WriteQueue:
    """A queue of writes that change one object.

    Args: ``fault`` is called with an internal error that has changed nothing, and ``give_up`` with
        one that makes it necessary to reload the object.
    """

    def __init__(
        self,
        name: str,
        fault: Callable[[BaseException], None],
        give_up: Callable[[BaseException], None],
    ) -> None:
        self._name, self._fault, self._give_up = name, fault, give_up
        self.broken = False  # whether the object must be reloaded, because of an internal error
        self.closing = False
        self._writes: deque[_PendingWrite] = deque()
        self._writing: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        return self._writing is not None

    async def drain(self, timeout: float = DRAIN_TIMEOUT) -> bool:
        """Finish the queue within ``timeout`` seconds; return whether this is the first call."""
        if self.closing:
            return False
        self.closing = True
        while writing := self._writing:
            _, late = await asyncio.wait([writing], timeout=timeout)
            if late:
                self.broken = True
                self._fault(TimeoutError())
                await self._break_off(writing)
        return True

    async def _break_off(self, writing: asyncio.Task[None]) -> None:
        """Cancel the running write, and refuse the waiting ones."""
        waiting, self._writes = list(self._writes), deque()
        for write in waiting:
            write.refuse(ShuttingDownError())
        writing.cancel()
        await asyncio.wait([writing])

    def do(self, work: Callable[[], object]) -> None:
        """Run work that writes nothing and has no waiting caller; skipped when closing."""
        if self.closing:
            return
        try:
            work()
        except Exception as error:  # no caller would get the error and retry
            self._break(error)

    def ask(self, work: Callable[[], Result]) -> Result:
        """Return the result of work that writes nothing.

        Raises:
            InternalError: the work failed because of an internal error.
            ShuttingDownError: the queue is closing.
        """
        if self.closing:
            raise ShuttingDownError
        try:
            return work()
        except TrineError:
            raise
        except Exception as fault:
            self._fault(fault)
            raise InternalError from fault

    async def write(self, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Queue a write after all earlier ones, and return its result.

        Raises:
            OverloadedError: too many writes wait already.
            InternalError: the write failed because of an internal error.
            ShuttingDownError: the queue is closing.
        """
        if self.closing:
            raise ShuttingDownError
        if len(self._writes) >= MAX_WAITING:
            raise OverloadedError
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._queue(_PendingWrite(work, answer, asked=True))
        # If the caller is cancelled meanwhile, the write still runs.
        return await answer

    def write_later(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Queue a write of the house itself; a refusal is an internal error."""
        self._queue(_PendingWrite(work, asyncio.get_running_loop().create_future(), asked=False))

    def _queue(self, write: _PendingWrite) -> None:
        self._writes.append(write)
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_all(), name=f"game {self._name}")

    async def _write_all(self) -> None:
        try:
            while self._writes:
                await self._do(self._writes.popleft())
        finally:
            self._writing = None

    async def _do(self, write: _PendingWrite) -> None:
        try:
            if self.broken:
                raise ShuttingDownError
            CPU_ACCOUNT.set(write.account)
            result: Any = await charged(write.work)
            if not write.answer.done():
                write.answer.set_result(result)
        except Exception as error:
            if is_internal(error) or not (write.asked or is_momentary(error)):
                self._break(error)
            write.refuse(error if isinstance(error, TrineError) else InternalError())
        finally:
            write.refuse(ShuttingDownError())  # if it was cancelled

    def _break(self, fault: Exception) -> None:
        self.broken = True
        self._give_up(fault)
