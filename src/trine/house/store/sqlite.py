"""The specifics of SQLite: its connections, and the safety of its files.

Durable commits need the write-ahead log with ``synchronous=FULL``: it is synced at each commit, and
readers see the last one while the next is written. Transactions are begun here, since the driver of
Python 3.11 does not begin one before a savepoint.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, NullPool, QueuePool, create_engine, event

from trine.core.work.files import lock
from trine.house.store.store_errors import UnusableError

LOCK_TIMEOUT: Final = 5.0  # seconds for a reader, while another program such as a backup writes
WRITER_TIMEOUT: Final = 60.0
"""Units: seconds; the writer's wait for programs that write much, as to recount ratings."""
LOCK: Final = "house.lock"
"""A file that an open house keeps locked, because two houses would take each other's games."""
READERS: Final = 8  # connections; guess


def create_engines(path: Path, options: Mapping[str, Any]) -> tuple[Engine, Engine]:
    """Return an engine for the one writer and one for readers; create the file if necessary."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(0o600)  # the file contains people's addresses and password hashes
    # If the file has been removed meanwhile, a later connection must not create it again.
    url = URL.create(
        "sqlite", database=f"file:{quote(str(path))}", query={"mode": "rw", "uri": "true"}
    )
    arguments = {"check_same_thread": False, "timeout": LOCK_TIMEOUT}
    patient = arguments | {"timeout": WRITER_TIMEOUT}
    writing = create_engine(url, connect_args=patient, poolclass=NullPool, **options)
    reading = create_engine(
        url, connect_args=arguments, poolclass=QueuePool, pool_size=READERS, **options
    )
    event.listen(writing, "connect", _prepare_writer)
    event.listen(reading, "connect", _prepare_reader)
    event.listen(writing, "begin", _begin_writing)
    event.listen(reading, "begin", _begin_reading)
    return writing, reading


def _prepare_writer(connection: sqlite3.Connection, _: object) -> None:
    connection.isolation_level = None
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise UnusableError(
            "the folder of the database cannot hold a write-ahead log; choose a local disk"
        )
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _prepare_reader(connection: sqlite3.Connection, _: object) -> None:
    connection.isolation_level = None
    connection.execute("PRAGMA query_only = ON")


def _begin_writing(connection: Connection) -> None:
    # IMMEDIATE: a transaction that begins by reading cannot always be upgraded to writing.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin_reading(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


@contextmanager
def lock_database(connection: Connection, name: str) -> Iterator[None]:
    """Hold a database exclusively; raises `UnusableError` if another process has it open."""
    driver: Any = connection.connection.driver_connection
    try:
        driver.execute("PRAGMA busy_timeout = 200")
        # The mode can be changed only while no other connection is open.
        driver.execute("PRAGMA journal_mode = DELETE")
        driver.execute("PRAGMA locking_mode = EXCLUSIVE")
    except sqlite3.OperationalError as error:
        raise UnusableError(
            "another process has the database {name} open; close it first", name=name
        ) from error
    try:
        yield
    finally:
        driver.execute("PRAGMA locking_mode = NORMAL")
        driver.execute("PRAGMA journal_mode = WAL")


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Keep other houses from opening the database in a folder; raises `UnusableError`."""
    with (folder / LOCK).open("a") as stream:
        if not lock(stream):
            raise UnusableError(
                "another process has the database {name} open; close it first", name=str(folder)
            )
        yield


class Files:
    """The identities of a database's files when they were opened.

    A process that has a file open can still write to it after it was removed or replaced, but such
    writes are lost when the process ends. So nothing is written until the original files are back.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._log = path.with_name(f"{path.name}-wal")
        self._seen = {path: _identity(path)}

    def watch_log(self) -> None:
        """Watch the write-ahead log, too; it exists while there are connections."""
        self._seen.pop(self._log, None)
        self.check()
        self._seen[self._log] = _identity(self._log)

    def leave_log(self) -> None:
        """Stop watching the log, because the last connection to be closed removes it.

        If a file is lost, the log is still watched: it holds commits that are nowhere else.
        """
        if not self._lost:
            self._seen.pop(self._log, None)

    def check(self) -> None:
        """Raise an `UnusableError` if one of the files is missing or replaced."""
        if lost := self._lost:
            raise UnusableError("{file} was removed or replaced while it was open", file=str(lost))

    @property
    def is_replaced(self) -> bool:
        """Whether the path has a database, but not the one that was opened with all its files."""
        return self._lost is not None and self._path.exists()

    @property
    def _lost(self) -> Path | None:
        for path, seen in self._seen.items():
            if seen is None or _identity(path) != seen:
                return path
        return None


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
