"""Backups of a store in SQLite: one file, written while the house is open, and verified."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from trine.core.errors import FileError, system_words
from trine.core.text.sentence import text
from trine.store.refusals import UnusableError

PAGES: Final = 1000
"""The number of database pages copied at once. Guess."""
UNFINISHED: Final = ".part"
Told = Callable[[int, int], None]
"""A function that is called with the number of copied pages, and of all pages."""


def back_up(source: Path, target: Path, table: str, told: Told = lambda done, whole: None) -> int:
    """Write a backup of the store at a path; return the number of rows of each table.

    Guarantee: the target appears under its name only when it is complete and was checked.

    Raises:
        FileError: there is no such store, or the target cannot be written.
        UnusableError: the backup is not in order.
    """
    if not source.is_file():
        raise FileError(text("there is no database {file}", file=source))
    unfinished = target.with_name(target.name + UNFINISHED)
    try:
        unfinished.unlink(missing_ok=True)
        unfinished.touch(0o600)
        # Read and write: a log that a killed house has left is read like that of an open one.
        with (
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
        count = check(unfinished, table)
        _sync(unfinished)
        unfinished.replace(target)
        _sync(target.parent)
    except OSError as error:
        raise FileError(system_words(error)).at(str(target)) from None
    except sqlite3.Error as error:
        raise UnusableError.because(str(source), error) from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
    return count


def restore(source: Path, target: Path, table: str) -> int:
    """Restore a backup where there is no store; return the number of rows of each table.

    Raises:
        FileError: there is a store already, or it cannot be written.
        UnusableError: the backup is not in order.
    """
    if not source.is_file():
        raise FileError(text("there is no database {file}", file=source))
    check(source, table)
    for name in (target, *(target.with_name(target.name + end) for end in ("-wal", "-shm"))):
        if name.exists():
            raise FileError(
                text("there is a house already: {file}; move it elsewhere first", file=name)
            )
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(system_words(error)).at(str(target)) from None
    return back_up(source, target, table)


def check(path: Path, table: str) -> int:
    """Check the file of a store, page by page; return the number of rows of each table.

    Raises:
        UnusableError: it is damaged, or has no such table.
    """
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            problems = [row[0] for row in connection.execute("PRAGMA integrity_check(3)")]
            if problems != ["ok"]:
                raise UnusableError.because(str(path), ValueError("; ".join(problems)))
            (count,) = connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()
    except sqlite3.Error as error:
        raise UnusableError.because(str(path), error) from error
    return int(count)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
