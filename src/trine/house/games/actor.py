"""An actor: a bounded queue of messages, and a task that handles them.

Messages that write are handled one after the other, each when the one before is safe. Other
messages are handled in between.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from trine.core.errors import TrineError
from trine.house.refusals import ClosingError, TooMuchError
from trine.store.refusals import FencedError, StaleError, StoreError, UnusableError

MOST_MESSAGES: Final = 256
"""The largest number of messages that wait for an actor."""
PATIENCE: Final = 30.0
"""Units: seconds; how long a closing actor waits for what it has begun. Guess."""
Result = TypeVar("Result")


@dataclass
class _Write:
    work: Callable[[], Awaitable[Any]]
    answer: asyncio.Future[Any]

    def refuse(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)
            self.answer.exception()  # it counts as heard: whoever asked may be gone


class Actor:
    """The queue of something to which all that happens is a message.

    Args: ``fault`` is told a fault of our own, and ``give_up`` that something could not be written.
    """

    def __init__(
        self,
        name: str,
        fault: Callable[[BaseException], None],
        give_up: Callable[[StoreError], None],
    ) -> None:
        self._fault, self._give_up = fault, give_up
        self.broken = False
        """Whether something could not be written, so that it must be loaded anew."""
        self.closing = False
        """Whether nothing is taken in any more."""
        self._mailbox: asyncio.Queue[Callable[[], None] | None] = asyncio.Queue()
        self._writes: deque[_Write] = deque()
        self._writing: asyncio.Task[None] | None = None
        self._at_rest = asyncio.Event()
        self._at_rest.set()
        self._task = asyncio.create_task(self._run(), name=name)

    @property
    def busy(self) -> bool:
        """Whether a write is running or waiting."""
        return self._writing is not None or bool(self._writes)

    async def drain(self, patience: float = PATIENCE) -> bool:
        """Accept nothing more, and finish the queue; return whether this is the first call.

        Args: ``patience`` is how long that may take; what has not ended then is broken off.
            Units: seconds.
        """
        if self.closing:
            return False
        self.closing = True
        try:
            async with asyncio.timeout(patience):
                await self._at_rest.wait()
        except TimeoutError as error:
            self.broken = True
            self._fault(error)
            await self._break_off()
        return True

    async def _break_off(self) -> None:
        """End what is being written, and refuse what waits for it."""
        waiting, self._writes = list(self._writes), deque()
        for write in waiting:
            write.refuse(ClosingError())
        if writing := self._writing:
            writing.cancel()
            await asyncio.wait([writing])

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
            if self._mailbox.empty() and not self.busy:
                self._at_rest.set()

    def post(self, message: Callable[[], None]) -> None:
        """Send a message."""
        self._at_rest.clear()
        self._mailbox.put_nowait(message)

    def _check_open(self) -> None:
        if self.closing:
            raise ClosingError
        if self._mailbox.qsize() + len(self._writes) >= MOST_MESSAGES:
            raise TooMuchError

    async def ask(self, work: Callable[[], Result]) -> Result:
        """Queue something that writes nothing.

        Raises:
            TooMuchError: too much waits already.
            ClosingError: nothing is taken in any more.
        """
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

    async def write(self, work: Callable[[], Awaitable[Result]]) -> Result:
        """Queue something that writes, behind all earlier messages.

        Raises:
            TooMuchError: too much waits already.
            ClosingError: nothing is taken in any more.
        """
        self._check_open()
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self.post(lambda: self._queue(work, answer))
        # Whoever asked may be gone meanwhile; what was begun is done all the same.
        return await asyncio.shield(answer)

    def write_later(self, work: Callable[[], Awaitable[None]]) -> None:
        """Have something written for which nobody waits: that it is refused is of no interest."""
        self.post(lambda: self._queue(work, asyncio.get_running_loop().create_future()))

    def _queue(self, work: Callable[[], Awaitable[Any]], answer: asyncio.Future[Any]) -> None:
        self._writes.append(_Write(work, answer))
        self._write_next()

    def _write_next(self) -> None:
        if self._writing is None and self._writes:
            self._writing = asyncio.create_task(self._do(self._writes.popleft()))

    async def _do(self, write: _Write) -> None:
        try:
            if self.broken:
                raise ClosingError
            result = await write.work()
            if not write.answer.done():
                write.answer.set_result(result)
        except TrineError as refusal:
            if isinstance(refusal, FencedError | StaleError | UnusableError):
                self.broken = True
                self._give_up(refusal)
            write.refuse(refusal)
        except Exception as fault:
            self._fault(fault)
            write.refuse(TooMuchError())
        finally:
            write.refuse(ClosingError())  # if it was broken off
            self.post(self._written)

    def _written(self) -> None:
        self._writing = None
        self._write_next()
