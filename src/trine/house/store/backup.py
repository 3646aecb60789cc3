"""Backups of a store in SQLite: a single file, written while the house is open, and verified."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from trine.core.errors import FileError
from trine.core.work.files import UNFINISHED, file_error, sync_folder
from trine.house.store.store_errors import UnusableError

PAGES: Final = 1000  # copied per step; guess
LOGS: Final = ("-wal", "-shm")
"""The suffixes of SQLite's files beside a database; SQLite would use any files so named."""
OnProgress = Callable[[int, int], None]
"""A callback with the number of copied pages and the number of all pages."""


@contextmanager
def put_in_place(target: Path) -> Iterator[Path]:
    """Yield a temporary path; rename the file there to its final path once it is complete.

    Guarantee: no file is replaced: a final path that exists raises a `FileError`. If anything
    fails, nothing is left behind.
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
    """Raise `FileError` if a file is at the path, or one that SQLite would take for its log."""
    for name in (target, *(target.with_name(target.name + end) for end in LOGS)):
        if name.exists():
            raise FileError("{file} exists; choose another name", file=name)


def back_up(
    source: Path, target: Path, table: str, on_progress: OnProgress = lambda done, whole: None
) -> int:
    """Write a backup of the store to a path; return the number of rows of each table.

    Guarantee: the target gets its name only once it is complete and verified.

    Raises:
        FileError: there is no such store, or the target exists or cannot be written.
        UnusableError: the backup is damaged.
    """
    if not source.is_file():
        raise FileError("there is no database {file}", file=source)
    # open to read and write, so that SQLite replays the log of a killed house
    with put_in_place(target) as unfinished:
        with (
            UnusableError.reported(str(source), sqlite3.Error),
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=rw", uri=True)) as reading,
            closing(sqlite3.connect(unfinished)) as writing,
        ):
            reading.isolation_level = None
            reading.execute("BEGIN")
            reading.execute("SELECT count(*) FROM sqlite_master").fetchone()  # take a snapshot
            reading.backup(
                writing,
                pages=PAGES,
                progress=lambda _, left, whole: on_progress(whole - left, whole),
            )
            writing.execute("PRAGMA journal_mode = DELETE")  # a single file, without a log
        return check(unfinished, table)


def restore(source: Path, target: Path, table: str) -> int:
    """Restore a backup to a path without a store; returns and raises what `back_up` does."""
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
    """Check a store's file by page; return each table's row count; raises `UnusableError`."""
    uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    reported = UnusableError.reported(str(path), sqlite3.Error)
    with reported, closing(sqlite3.connect(uri, uri=True)) as connection:
        problems = [row[0] for row in connection.execute("PRAGMA integrity_check(3)")]
        if problems != ["ok"]:
            raise UnusableError.because(str(path), ValueError("; ".join(problems)))
        (count,) = connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()
    return int(count)
