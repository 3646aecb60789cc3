"""Backups of a store in SQLite: one file, written while the house is open, and verified."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from trine.core.errors import FileError
from trine.core.work.files import UNFINISHED, file_error, sync_folder
from trine.house.store.store_errors import UnusableError

PAGES: Final = 1000
"""The number of database pages copied at once. Guess."""
LOGS: Final = ("-wal", "-shm")
"""The ends of the names of files beside a database; those of another would be taken for its own."""
OnProgress = Callable[[int, int], None]
"""A function that is called with the number of copied pages, and of all pages."""


@contextmanager
def put_in_place(target: Path) -> Iterator[Path]:
    """Yield the place of a file beside a new one, whose name it gets once it is complete.

    Guarantee: no file is replaced, and if anything fails before, nothing is left.

    Raises:
        FileError: there is such a file, or it cannot be written.
    """
    check_new(target)
    unfinished = target.with_name(target.name + UNFINISHED)
    beside = [unfinished.with_name(unfinished.name + end) for end in ("", *LOGS)]
    try:
        for one in beside:
            one.unlink(missing_ok=True)
        unfinished.touch(0o600)
        yield unfinished
        with unfinished.open("rb") as stream:
            os.fsync(stream.fileno())
        check_new(target)
        unfinished.rename(target)
        sync_folder(target.parent)
    except OSError as error:
        raise file_error(target, error) from None
    finally:
        for one in beside:
            with suppress(OSError):
                one.unlink(missing_ok=True)


def check_new(target: Path) -> None:
    """Refuse a place where a file is, or what would be taken for the log of one (`FileError`)."""
    for name in (target, *(target.with_name(target.name + end) for end in LOGS)):
        if name.exists():
            raise FileError("{file} exists; choose another name", file=name)


def back_up(
    source: Path, target: Path, table: str, told: OnProgress = lambda done, whole: None
) -> int:
    """Write a backup of the store at a path; return the number of rows of each table.

    Guarantee: the target appears under its name only when it is complete and was checked.

    Raises:
        FileError: there is no such store, or the target is there already or cannot be written.
        UnusableError: the backup is not in order.
    """
    if not source.is_file():
        raise FileError("there is no database {file}", file=source)
    # Read and write: a log that a killed house has left is read like that of an open one.
    with put_in_place(target) as unfinished:
        with (
            UnusableError.reported(str(source), sqlite3.Error),
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=rw", uri=True)) as reading,
            closing(sqlite3.connect(unfinished)) as writing,
        ):
            reading.isolation_level = None
            reading.execute("BEGIN")
            reading.execute("SELECT count(*) FROM sqlite_master").fetchone()  # of this moment
            reading.backup(
                writing, pages=PAGES, progress=lambda _, left, whole: told(whole - left, whole)
            )
            writing.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
        return check(unfinished, table)


def restore(source: Path, target: Path, table: str) -> int:
    """Restore a backup where there is no store; return the number of rows of each table.

    Raises:
        FileError: there is a store already, or it cannot be written.
        UnusableError: the backup is not in order.
    """
    if not source.is_file():
        raise FileError("there is no database {file}", file=source)
    check(source, table)
    check_new(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise file_error(target, error) from None
    return back_up(source, target, table)


def check(path: Path, table: str) -> int:
    """Check the file of a store, page by page; return the number of rows of each table.

    Raises:
        UnusableError: it is damaged, or has no such table.
    """
    uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    reported = UnusableError.reported(str(path), sqlite3.Error)
    with reported, closing(sqlite3.connect(uri, uri=True)) as connection:
        problems = [row[0] for row in connection.execute("PRAGMA integrity_check(3)")]
        if problems != ["ok"]:
            raise UnusableError.because(str(path), ValueError("; ".join(problems)))
        (count,) = connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()
    return int(count)
