"""The one writer of a database: a thread that gathers writes and commits them together.

A commit costs the disk some milliseconds, however much it contains. So writes that arrive during a
commit are part of the next one, and are acknowledged when it is safe, not before.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    OperationalError,
    ProgrammingError,
)

from trine.core.errors import TrineError
from trine.core.text import text
from trine.store.database import Database
from trine.store.events import Append, append_all
from trine.store.histogram import Histogram
from trine.store.refusals import BusyError, StoreError, UnusableError

Result = TypeVar("Result")
Write: TypeAlias = Callable[[Connection], Result]
"""A function that writes with a connection; it must not commit."""
Answer: TypeAlias = tuple[Any, Exception | None]
"""The result of a write, or the reason of its refusal."""

MOST_WAITING: Final = 10_000
"""Units: writes; the most that may wait: a second or two of work. Guess."""
MOST_TOGETHER: Final = 500
"""Units: writes; the most in one commit, so that none takes long. Guess."""
BREATH: Final = 0.008
"""Units: seconds; commits begin at least so far apart, so that a busy store makes few of them, with
many writes each. Guess."""
MOST_TRIES: Final = 4
_BROKEN_OFF: Final = ("40P01", "40001")
"""The states of SQL for a deadlock, and for transactions that cannot be put in an order."""
_TIMES: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)


@dataclass(frozen=True, slots=True)
class _Waiting:
    work: Append | Write[Any]
    future: Future[Any]
    since: float


@dataclass(slots=True)
class Counts:
    """The work of a writer, for metrics."""

    sizes: Histogram = field(
        default_factory=lambda: Histogram((1, 2, 5, 10, 20, 50, 100, 200, 500))
    )
    """Units: writes in a commit."""
    commits: Histogram = field(default_factory=lambda: Histogram(_TIMES))
    """Units: seconds of a commit, including its writes."""
    waits: Histogram = field(default_factory=lambda: Histogram(_TIMES))
    """Units: seconds from a request to its answer."""
    refused: int = 0
    """Writes that were refused, each for its own reason."""
    failed: int = 0
    """Writes in commits that failed."""


class Writer:
    """The one writer of a database."""

    def __init__(
        self,
        database: Database,
        *,
        most_waiting: int = MOST_WAITING,
        most_together: int = MOST_TOGETHER,
    ) -> None:
        self._database = database
        self._most_waiting = most_waiting
        self._most_together = most_together
        self.counts: Final = Counts()
        self._waiting: deque[_Waiting] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._began = 0.0
        self._connection: Connection | None = None
        self._thread = threading.Thread(target=self._run, name="store writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """The number of writes that wait for a commit."""
        return len(self._waiting)

    def submit(self, write: Write[Result]) -> Future[Result]:
        """Queue a write; its future is done, in the writer's thread, when the write is safe.

        If the future is cancelled before its commit begins, nothing is written.

        Raises:
            BusyError: too many writes wait.
            UnusableError: the writer is closed.
        """
        return self._enqueue(write)

    def append(self, append: Append) -> Future[int]:
        """Queue events to be appended, as `submit`; the result is the number of the last one."""
        return self._enqueue(append)

    def close(self) -> None:
        """Commit the waiting writes, then stop."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join()

    def _enqueue(self, work: Append | Write[Any]) -> Future[Any]:
        future: Future[Any] = Future()
        with self._changed:
            if self._closing:
                raise UnusableError(text("the database {name} is closed", name=self._database.name))
            if len(self._waiting) >= self._most_waiting:
                raise BusyError(len(self._waiting))
            self._waiting.append(_Waiting(work, future, time.monotonic()))
            self._changed.notify()
        return future

    # --- in the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        while group := self._gather():
            running = [one for one in group if one.future.set_running_or_notify_cancel()]
            if running:
                self._answer(running)
        self._disconnect()

    def _gather(self) -> list[_Waiting]:
        """Wait for writes, and return them; none when the writer is closed."""
        with self._changed:
            while not self._waiting and not self._closing:
                self._changed.wait()
        if (rest := self._began + BREATH - time.monotonic()) > 0 and not self._closing:
            time.sleep(rest)
        self._began = time.monotonic()
        with self._changed:
            count = min(len(self._waiting), self._most_together)
            return [self._waiting.popleft() for _ in range(count)]

    def _answer(self, group: Sequence[_Waiting]) -> None:
        began = time.monotonic()
        try:
            answers = self._commit([one.work for one in group])
            self.counts.refused += sum(refusal is not None for _, refusal in answers)
        except Exception as error:
            # The next connection will show whether the database is in order again.
            self._disconnect()
            self.counts.failed += len(group)
            answers = [(None, self._unusable(error)) for _ in group]
        ended = time.monotonic()
        self.counts.sizes.observe(len(group))
        self.counts.commits.observe(ended - began)
        for one, (value, refusal) in zip(group, answers, strict=True):
            self.counts.waits.observe(ended - one.since)
            if refusal:
                one.future.set_exception(refusal)
            else:
                one.future.set_result(value)

    def _commit(self, works: Sequence[Append | Write[Any]]) -> list[Answer]:
        for _ in range(MOST_TRIES - 1):
            try:
                return self._commit_once(works)
            except OperationalError as error:
                # Nothing was committed: the database has broken off one of two that wait for
                # each other, and the other one is done now.
                if getattr(error.orig, "sqlstate", "") not in _BROKEN_OFF:
                    raise
                self._disconnect()
        return self._commit_once(works)

    def _commit_once(self, works: Sequence[Append | Write[Any]]) -> list[Answer]:
        if self._connection is None:
            self._connection = self._database.connect_writer()
        transaction = self._connection.begin()
        answers = []
        for part in _parts(works):
            answers += _written(self._connection, part)
        # Before, so that nothing is written to a lost file; and after, since it may be lost now.
        self._database.check()
        transaction.commit()
        self._database.check()
        return answers

    def _disconnect(self) -> None:
        """Close the connection in any state; uncommitted writes are rolled back."""
        connection, self._connection = self._connection, None
        try:
            if connection:
                connection.invalidate()
                connection.close()
        except Exception:  # the connection is not used any more
            pass

    def _unusable(self, error: Exception) -> StoreError:
        if isinstance(error, StoreError):
            return UnusableError(error.message)
        return UnusableError.because(self._database.name, error)


def _parts(works: Sequence[Append | Write[Any]]) -> Iterator[list[Append] | Write[Any]]:
    """Yield the works in their order, with adjacent appends together."""
    appends: list[Append] = []
    for work in works:
        if isinstance(work, Append):
            appends.append(work)
            continue
        if appends:
            yield appends
            appends = []
        yield work
    if appends:
        yield appends


def _written(connection: Connection, part: list[Append] | Write[Any]) -> list[Answer]:
    if not isinstance(part, list):
        value, refusal = _attempt(connection, part)
        return [(value, refusal)]
    answers, refusal = _attempt(connection, lambda connection: append_all(connection, part))
    if not refusal:
        return list(answers)
    if len(part) == 1:
        return [(None, refusal)]
    # One of them is refused: written one by one, only that one is.
    return [answer for append in part for answer in _written(connection, [append])]


def _attempt(connection: Connection, write: Write[Any]) -> Answer:
    """Try a write; one that is refused leaves nothing behind.

    Raises:
        Exception: the whole transaction is lost.
    """
    savepoint = connection.begin_nested()
    try:
        value = write(connection)
    except Exception as error:
        if isinstance(error, DBAPIError) and not isinstance(
            error, IntegrityError | DataError | ProgrammingError
        ):
            raise
        savepoint.rollback()
        return None, error if isinstance(error, TrineError) else _refusal(error)
    savepoint.commit()
    return value, None


def _refusal(error: Exception) -> StoreError:
    problem = str(getattr(error, "orig", None) or error)
    refusal = StoreError(text("the database refuses this: {problem}", problem=problem))
    refusal.__cause__ = error
    return refusal
