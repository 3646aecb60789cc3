"""The writer of a database: a thread with group commit.

A commit costs the disk some milliseconds, regardless of its size. So writes that arrive during a
commit are committed together in the next one, and are acknowledged when it is durable.
"""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, Concatenate, Final, Generic, ParamSpec, TypeAlias, TypeVar

import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from trine.core.errors import TrineError
from trine.house.store.database import Database, is_away
from trine.house.store.store_errors import BusyError, UnusableError

log: Final = structlog.get_logger()
Given = ParamSpec("Given")
Item = TypeVar("Item")
Result = TypeVar("Result")
Statement: TypeAlias = Callable[Concatenate[Connection, Given], Result]
Answer: TypeAlias = tuple[Any, Exception | None]
"""The result of a write, or its error: a `TrineError` is a refusal, any other a fault."""

MAX_WAITING: Final = 10_000  # writes, a second or two of work; guess
MAX_GROUP: Final = 500  # writes in one commit, so that none takes long; guess
COMMIT_INTERVAL: Final = 0.008
"""Units: seconds; the minimum interval of commits: a busy store makes few large ones. Guess."""
MAX_TRIES: Final = 4
RETRY_DELAY: Final = 0.05  # seconds before the first retry, doubled for each further one; guess
_BROKEN_OFF: Final = ("40P01", "40001")
"""The SQL states of a deadlock and of a serialization failure."""


@dataclass(frozen=True, slots=True)
class BatchStatement(Generic[Item, Result]):
    """A statement for one item that the writer can run for several neighbouring items at once."""

    run_batch: Callable[[Connection, Sequence[Item]], Sequence[tuple[Result, TrineError | None]]]
    """Writes several items; returns for each its result, and its error if it was refused."""

    def __call__(self, connection: Connection, item: Item, /) -> Result:
        ((result, refusal),) = self.run_batch(connection, [item])
        if refusal:
            raise refusal
        return result


@dataclass(frozen=True, slots=True)
class _Write:
    """A waiting statement, with its arguments."""

    statement: Callable[..., Any]
    given: tuple[Any, ...]
    named: dict[str, Any]
    future: Future[Any] | asyncio.Future[Any]


class Writer:
    """The one writer of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.commits = 0
        self.failures = 0  # number of unexpected errors that the writer has survived
        self._waiting: deque[_Write] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._began = 0.0
        self._connection: Connection | None = None
        self._thread = threading.Thread(target=self._run, name="store writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def submit(
        self, statement: Statement[Given, Result], *given: Given.args, **named: Given.kwargs
    ) -> Future[Result]:
        """Queue a write; its future is resolved in the writer's thread once the write is durable.

        The statement must not commit. If it raises an error, nothing of it is written and the
        future holds the error. If the future is cancelled before its commit begins, nothing is
        written. Raises a `BusyError` if too many writes wait, and `UnusableError` after `close`.
        """
        future: Future[Result] = Future()
        self._submit(_Write(statement, given, named, future))
        return future

    def request(
        self, statement: Statement[Given, Result], *given: Given.args, **named: Given.kwargs
    ) -> asyncio.Future[Result]:
        """Queue a write from a coroutine; all results of a commit wake the event loop once."""
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._submit(_Write(statement, given, named, future))
        return future

    def _submit(self, write: _Write) -> None:
        with self._changed:
            if self._closing:
                raise UnusableError("the database {name} is closed", name=self._database.name)
            if len(self._waiting) >= MAX_WAITING:
                raise BusyError(len(self._waiting))
            self._waiting.append(write)
            self._changed.notify()

    def close(self) -> None:
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join()

    # --- in the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        """Write until the writer is closed; an unexpected error fails only one group of writes."""
        while group := self._gather():
            try:
                if running := [one for one in group if _begins(one.future)]:
                    self._answer(running)
            except (
                BaseException
            ) as error:  # if the thread ended, all later writes would wait forever
                self._give_up(group, error)
        self._disconnect()

    def _give_up(self, group: Sequence[_Write], error: BaseException) -> None:
        """Report an unexpected error, and fail the writes that have no result yet."""
        self.failures += 1
        log.critical("the writer of the database failed", problem=repr(error), exc_info=error)
        self._disconnect()
        refusal = UnusableError.because(self._database.name, error)
        for write in group:
            with suppress(Exception):  # the other event loops still get their results
                _resolve([write.future], [(None, refusal)])

    def _gather(self) -> list[_Write]:
        """Wait for writes, and return them; empty once the writer is closed."""
        with self._changed:
            while not self._waiting and not self._closing:
                self._changed.wait()
        if (rest := self._began + COMMIT_INTERVAL - time.monotonic()) > 0 and not self._closing:
            time.sleep(rest)
        self._began = time.monotonic()
        with self._changed:
            count = min(len(self._waiting), MAX_GROUP)
            return [self._waiting.popleft() for _ in range(count)]

    def _answer(self, group: Sequence[_Write]) -> None:
        answers: Sequence[Answer]
        try:
            answers = self._commit(group)
        except Exception as error:
            # The next connection will find out whether the database works again.
            self._disconnect()
            answers = [(None, self._as_refusal(error)) for _ in group]
        self.commits += 1
        _resolve([one.future for one in group], answers)

    def _commit(self, writes: Sequence[_Write]) -> list[Answer]:
        for number in range(MAX_TRIES - 1):
            try:
                return self._commit_once(writes)
            except OperationalError as error:
                # Nothing was committed: the database has ended one of two transactions in a
                # deadlock. The other one must finish before this one is tried again.
                if getattr(error.orig, "sqlstate", "") not in _BROKEN_OFF:
                    raise
                self._disconnect()
                time.sleep(RETRY_DELAY * 2**number)
        return self._commit_once(writes)

    def _commit_once(self, writes: Sequence[_Write]) -> list[Answer]:
        if self._connection is None:
            self._connection = self._database.connect_writer()
        connection, parts = self._connection, list(_parts(writes))
        transaction = connection.begin()
        try:
            answers = [answer for part in parts for answer in _carried_out(connection, part)]
        except Exception as error:
            if is_away(error):
                raise
            # Each write gets a savepoint, so that a failed write is rolled back without the others.
            transaction.rollback()
            transaction = connection.begin()
            answers = [answer for part in parts for answer in _run_writes(connection, part)]
        # Check before the commit, so that nothing is written to a lost file, and after it, because
        # the file may have been lost meanwhile.
        self._database.check()
        transaction.commit()
        self._database.check()
        return answers

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            self._database.disconnect_writer(connection)

    def _as_refusal(self, error: Exception) -> Exception:
        of_database = isinstance(error, SQLAlchemyError | OSError)
        return UnusableError.because(self._database.name, error) if of_database else error


def _begins(future: Future[Any] | asyncio.Future[Any]) -> bool:
    """Return whether a write is to be run, because it is not cancelled."""
    if isinstance(future, Future):
        return future.set_running_or_notify_cancel()
    return not future.cancelled()


def _resolve(
    futures: Sequence[Future[Any] | asyncio.Future[Any]], answers: Sequence[Answer]
) -> None:
    """Deliver the results of writes; each event loop is woken once."""
    waiting: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Answer]]] = {}
    for future, answer in zip(futures, answers, strict=True):
        if isinstance(future, Future):
            _settle(future, answer)
        else:
            waiting.setdefault(future.get_loop(), []).append((future, answer))
    for loop, answered in waiting.items():
        with suppress(RuntimeError):  # the loop is closed, so nothing waits for these results
            loop.call_soon_threadsafe(_settle_all, answered)


def _settle_all(answers: Sequence[tuple[asyncio.Future[Any], Answer]]) -> None:
    for future, answer in answers:
        _settle(future, answer)


def _settle(future: Future[Any] | asyncio.Future[Any], answer: Answer) -> None:
    value, error = answer
    if future.done():
        return
    if error:
        future.set_exception(error)
    else:
        future.set_result(value)


def _parts(writes: Sequence[_Write]) -> Iterator[list[_Write]]:
    """Yield the writes in order, grouping neighbours that one statement can run together."""
    for statement, neighbours in groupby(writes, attrgetter("statement")):
        if isinstance(statement, BatchStatement):
            yield list(neighbours)
        else:
            yield from ([one] for one in neighbours)


def _carried_out(connection: Connection, part: Sequence[_Write]) -> Sequence[Answer]:
    first = part[0]
    statement = first.statement
    if isinstance(statement, BatchStatement):
        answers: Sequence[Answer] = statement.run_batch(connection, [one.given[0] for one in part])
        return answers
    return [(statement(connection, *first.given, **first.named), None)]


def _run_writes(connection: Connection, part: Sequence[_Write]) -> Sequence[Answer]:
    """Run some writes; a failed write is rolled back without the others."""
    savepoint = connection.begin_nested()
    try:
        answers = _carried_out(connection, part)
    except Exception as error:
        if is_away(error):
            raise
        savepoint.rollback()
        if len(part) == 1:
            return [(None, error)]
        # One of the group fails: if they run one by one, only that one does.
        return [answer for write in part for answer in _run_writes(connection, [write])]
    savepoint.commit()
    return answers
