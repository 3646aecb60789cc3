"""An actor: one bounded queue of messages, and one task that does what they ask.

What changes something that is written down is done one after the other, each when the one before
is safe. What changes nothing of the kind is done in between.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from trine.core.errors import TrineError
from trine.house.refusals import ClosingError, TooMuchError
from trine.store.refusals import FencedError, StaleError, StoreError, UnusableError

MOST_MESSAGES: Final = 256
"""Messages that may wait for one actor."""
Result = TypeVar("Result")


@dataclass
class _Write:
    work: Callable[[], Awaitable[Any]]
    answer: asyncio.Future[Any]


class Actor(ABC):
    """Something to which all that happens is a message."""

    def __init__(self, name: str) -> None:
        self.id: Final = name
        self.broken = False
        """Whether something could not be written, so that it must be loaded anew."""
        self._mailbox: asyncio.Queue[Callable[[], None] | None] = asyncio.Queue()
        self._writes: deque[_Write] = deque()
        self._writing: asyncio.Task[None] | None = None
        self.closing = False
        """Whether nothing is taken in any more."""
        self._task = asyncio.create_task(self._run(), name=name)

    @property
    def busy(self) -> bool:
        """Whether something is being written, or waits for it."""
        return self._writing is not None or bool(self._writes)

    async def drain(self) -> bool:
        """Take nothing in any more and finish what was; whether this is the first time."""
        if self.closing:
            return False
        self.closing = True
        while self.busy or not self._mailbox.empty():
            await asyncio.sleep(0.001)
        return True

    async def stop(self) -> None:
        """End the task."""
        self._mailbox.put_nowait(None)
        await self._task

    async def _run(self) -> None:
        while (message := await self._mailbox.get()) is not None:
            try:
                message()
            except Exception as error:  # a fault of ours ends neither the game nor the house
                self._fault(error)

    @abstractmethod
    def _fault(self, error: BaseException) -> None:
        """Report a fault of our own."""

    @abstractmethod
    def _break(self, error: StoreError) -> None:
        """Give up: something could not be written."""

    def post(self, message: Callable[[], None]) -> None:
        """Send the actor a message."""
        self._mailbox.put_nowait(message)

    def _check_open(self) -> None:
        if self.closing:
            raise ClosingError
        if self._mailbox.qsize() + len(self._writes) >= MOST_MESSAGES:
            raise TooMuchError

    async def _ask(self, work: Callable[[], Result]) -> Result:
        """Have something done that changes nothing that is written down."""
        self._check_open()
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()

        def message() -> None:
            if answer.cancelled():
                return
            try:
                answer.set_result(work())
            except TrineError as error:
                answer.set_exception(error)
            except Exception as fault:
                self._fault(fault)
                answer.set_exception(TooMuchError())

        self.post(message)
        return await answer

    async def _write(self, work: Callable[[], Awaitable[Result]]) -> Result:
        """Have something done that is written down, after all that came before."""
        self._check_open()
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self.post(lambda: self._queue(work, answer))
        # Whoever asked may be gone meanwhile; what was begun is done all the same.
        return await asyncio.shield(answer)

    def _queue(self, work: Callable[[], Awaitable[Any]], answer: asyncio.Future[Any]) -> None:
        self._writes.append(_Write(work, answer))
        self._write_next()

    def _write_next(self) -> None:
        if self._writing is None and self._writes:
            self._writing = asyncio.create_task(self._do(self._writes.popleft()))

    async def _do(self, write: _Write) -> None:
        result, error = None, None
        try:
            if self.broken:
                raise ClosingError
            result = await write.work()
        except TrineError as refusal:
            error = refusal
            if isinstance(refusal, FencedError | StaleError | UnusableError):
                self._break(refusal)
        except Exception as fault:
            self._fault(fault)
            error = TooMuchError()
        if not write.answer.done():
            if error:
                write.answer.set_exception(error)
                write.answer.exception()  # it counts as heard: whoever asked may be gone
            else:
                write.answer.set_result(result)
        self.post(self._written)

    def _written(self) -> None:
        self._writing = None
        self._write_next()
