"""The store: an open database, with methods for reading and writing.

A *statement* is a function of a connection and further arguments that reads or writes; it never
commits. Statements are defined with their tables, in the packages of their subjects. A coroutine
awaits `Store.fetch` and `Store.commit`::

    person = await store.fetch(read_person, id)
    await store.commit(rename, id, name)

Threads, commands and tests call `Store.read`, which blocks and returns the result, and
`Store.write`, which returns a future, done when the write is durable. Reading uses connections of
its own, and sees all acknowledged writes. A store must not be carried into a forked process.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final, Self

from sqlalchemy import Connection

from trine.core.work.cpu_account import in_thread
from trine.house.store.database import Database
from trine.house.store.pubsub import Messages, PubSub
from trine.house.store.scheduled_tasks import schedule, tasks_due
from trine.house.store.schema import Schema
from trine.house.store.secrets import new_id
from trine.house.store.writer import Given, Result, Statement, Writer

READERS: Final = 6
"""The number of threads for awaited reading statements. They run nothing else, because statements
are short and other work may not be. Guess."""


Now = Callable[[], float]  # a clock. Units: seconds since 1970
WATCH_INTERVAL: Final = 5.0  # seconds between checks whether the file was replaced
WATCH_GRACE: Final = 30.0
"""Units: seconds; the house ends once another file stays at the path this long. Guess."""
_NOTHING: Final = "nothing"  # the kind of a scheduled task that never exists


class HouseClock:
    """The house's clock, in seconds since 1970, which never goes back.

    It advances with the machine's monotonic clock, which stops while the machine is suspended. The
    lease compares it with the wall clock from time to time and moves it forward. ``wall`` returns
    wall-clock time: the machine's, or the database's if several processes share one.
    """

    def __init__(self, wall: Now = time.time, steady: Now = time.monotonic) -> None:
        self.wall, self._steady = wall, steady
        self._began = wall() - steady()

    def __call__(self) -> float:
        return self._steady() + self._began

    def set(self, moment: float) -> None:
        """Set the clock; it may be set back only before anything has been stamped with it."""
        self._began = moment - self._steady()


class Store:
    """An open store.

    Writing can raise a `BusyError` when too many writes wait, and an `UnusableError` when the store
    is closed; its future can raise a `StoreError`. Reading can raise an `UnusableError`.

    An acknowledged write is on disk. A write that raised an `UnusableError` was not stored, unless
    the disk failed while syncing: read the data again before you continue.

    >>> import tempfile
    >>> from trine.house.tables import SCHEMA
    >>> from trine.house.store.scheduled_tasks import schedule, tasks_due
    >>> folder = tempfile.TemporaryDirectory()
    >>> store = Store.open(f"{folder.name}/house.db", SCHEMA)
    >>> store.write(schedule, "letter", "anna", 7.0).result()
    >>> store.read(tasks_due, "letter", 8.0)
    [ScheduledTask(at=7.0, kind='letter', ref='anna')]
    >>> store.close(), folder.cleanup()
    (None, None)
    """

    def __init__(self, database: Database, writer: Writer, now: Now) -> None:
        self._database = database
        self.writer: Final = writer
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self.now = now

    @classmethod
    def open(cls, place: str | Path, schema: Schema, *, now: Now = time.time) -> Self:
        """Open the store at a path or URL, made if missing; raises `UnusableError`."""
        database = Database.open(place, schema)
        return cls(database, Writer(database), now)

    async def fetch(
        self, statement: Statement[Given, Result], *given: Given.args, **named: Given.kwargs
    ) -> Result:
        """Run a reading statement in a thread, and return its result."""
        return await in_thread(lambda: self.read(statement, *given, **named), self._readers)

    async def commit(
        self, statement: Statement[Given, Result], *given: Given.args, **named: Given.kwargs
    ) -> Result:
        """Run a statement in the writer, and return its result once it is durable."""
        return await self.writer.request(statement, *given, **named)

    def read(
        self, statement: Statement[Given, Result], *given: Given.args, **named: Given.kwargs
    ) -> Result:
        with self._database.reader() as connection:
            return statement(connection, *given, **named)

    def write(
        self, statement: Statement[Given, Result], *given: Given.args, **named: Given.kwargs
    ) -> Future[Result]:
        """Run a statement in a transaction of the writer, as `Writer.submit` says."""
        return self.writer.submit(statement, *given, **named)

    async def check(self) -> None:
        """Check that the store works: read something, and write and delete something."""
        await self.fetch(tasks_due, _NOTHING, 0.0)
        await self.commit(_write_nothing)

    def pubsub(
        self, name: str, heard: Callable[[str, Messages], object], missed: Callable[[], object]
    ) -> PubSub | None:
        """Connect to the other processes of a shared store; None if the store is not shared."""
        return PubSub(self._database, name, heard, missed) if self.shared else None

    @property
    def shared(self) -> bool:
        """Whether several processes may play games of this store at the same time."""
        return self._database.shared

    @property
    def is_replaced(self) -> bool:
        return self._database.is_replaced

    def close(self) -> None:
        """Commit the waiting writes, then close."""
        self.writer.close()
        self._readers.shutdown(wait=False, cancel_futures=True)
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def _write_nothing(connection: Connection) -> None:
    ref = new_id()  # another process may be checking at the same time
    for at in (0.0, None):
        schedule(connection, _NOTHING, ref, at)


class DatabaseWatch:
    """Ends a house that can never write again, because another file has replaced the database.

    While the file is missing, the house runs on: a restart would create an empty database.
    """

    def __init__(self, store: Store, report: Callable[[str], None]) -> None:
        self._store, self._report = store, report
        self._since: float | None = None
        self.replaced: Final = asyncio.Event()
        """Set when the house must end, to be restarted with the new file."""

    async def check(self) -> None:
        if self.replaced.is_set():
            return
        if not await asyncio.to_thread(lambda: self._store.is_replaced):
            self._since = None
            return
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        if now - self._since >= WATCH_GRACE:
            self._report("another file is in the place of the database: the house ends")
            self.replaced.set()
