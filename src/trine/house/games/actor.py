"""An actor: what writes is done one after the other, from a bounded queue.

Each begins when the one before is safe. What writes nothing is done at once, in between.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from trine.core.errors import TrineError
from trine.core.work.cpu_account import CPU_ACCOUNT, CpuAccount
from trine.house.refusals import ClosingError, TooMuchError, is_momentary
from trine.house.web.cpu_limit import charged
from trine.house.web.refusing import MistakeError, is_fault

MOST_WAITING: Final = 256
"""The largest number of writes that wait for an actor."""
PATIENCE: Final = 30.0
"""Units: seconds; how long a closing actor waits for what it has begun. Guess."""
Result = TypeVar("Result")


@dataclass
class _PendingWrite:
    work: Callable[[], Coroutine[Any, Any, Any]]
    answer: asyncio.Future[Any]
    asked: bool
    """Whether somebody waits for it, who is told of a refusal."""
    account: CpuAccount = field(default_factory=CPU_ACCOUNT.get)
    """The account of the caller, which is charged for it."""

    def refuse(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)
            self.answer.exception()  # it counts as heard: whoever asked may be gone


class Actor:
    """The queue of something that is changed by one write after the other.

    Args: ``fault`` is told a fault of our own that has changed nothing, and ``give_up`` one after
    which it must be loaded anew.
    """

    def __init__(
        self,
        name: str,
        fault: Callable[[BaseException], None],
        give_up: Callable[[BaseException], None],
    ) -> None:
        self._name, self._fault, self._give_up = name, fault, give_up
        self.broken = False
        """Whether something has failed by a fault of ours, so that it must be loaded anew."""
        self.closing = False
        """Whether nothing is taken in any more."""
        self._writes: deque[_PendingWrite] = deque()
        self._writing: asyncio.Task[None] | None = None
        """The task that carries them out, while there are some."""

    @property
    def busy(self) -> bool:
        return self._writing is not None

    async def drain(self, patience: float = PATIENCE) -> bool:
        """Accept nothing more, and finish the queue; return whether this is the first call.

        Args: ``patience`` is how long that may take; what has not ended then is broken off.
            Units: seconds.
        """
        if self.closing:
            return False
        self.closing = True
        while writing := self._writing:
            _, late = await asyncio.wait([writing], timeout=patience)
            if late:
                self.broken = True
                self._fault(TimeoutError())
                await self._break_off(writing)
        return True

    async def _break_off(self, writing: asyncio.Task[None]) -> None:
        """End what is being written, and refuse what waits for it."""
        waiting, self._writes = list(self._writes), deque()
        for write in waiting:
            write.refuse(ClosingError())
        writing.cancel()
        await asyncio.wait([writing])

    def do(self, work: Callable[[], object]) -> None:
        """Do something that writes nothing and for which nobody waits, unless it closes."""
        if self.closing:
            return
        try:
            work()
        except Exception as error:  # nobody is told who would ask again
            self._break(error)

    def ask(self, work: Callable[[], Result]) -> Result:
        """Do something that writes nothing.

        Raises:
            MistakeError: it has failed by a fault of ours.
            ClosingError: nothing is taken in any more.
        """
        if self.closing:
            raise ClosingError
        try:
            return work()
        except TrineError:
            raise
        except Exception as fault:
            self._fault(fault)
            raise MistakeError from fault

    async def write(self, work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Queue something that writes, behind all earlier writes.

        Raises:
            TooMuchError: too much waits already.
            MistakeError: it has failed by a fault of ours.
            ClosingError: nothing is taken in any more.
        """
        if self.closing:
            raise ClosingError
        if len(self._writes) >= MOST_WAITING:
            raise TooMuchError
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._queue(_PendingWrite(work, answer, asked=True))
        # Whoever asked may be gone meanwhile; what was begun is done all the same.
        return await answer

    def write_later(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Have something written that the house wants itself: a refusal is a fault of ours."""
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
                raise ClosingError
            CPU_ACCOUNT.set(write.account)
            result: Any = await charged(write.work)
            if not write.answer.done():
                write.answer.set_result(result)
        except Exception as error:
            if is_fault(error) or not (write.asked or is_momentary(error)):
                self._break(error)
            write.refuse(error if isinstance(error, TrineError) else MistakeError())
        finally:
            write.refuse(ClosingError())  # if it was broken off

    def _break(self, fault: Exception) -> None:
        self.broken = True
        self._give_up(fault)
