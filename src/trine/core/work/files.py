"""Files that are whole or not there, however a process ends, and locks."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

import portalocker

from trine.core.errors import FileError, system_words

UNFINISHED: Final = ".part"
"""The end of the name of a file that is being written."""


def write_atomically(file: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write a file beside its place, and put it there when it is complete; raises `FileError`."""
    beside = file.with_name(f"{file.name}.{os.getpid()}{UNFINISHED}")
    try:
        with beside.open("wb") as stream:
            write(stream)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(file)
    except OSError as error:
        raise file_error(file, error) from None
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def file_error(path: str | Path, error: Exception) -> FileError:
    """Return an error of the operating system about a file as one of this program.

    >>> str(file_error("backups/new.db", FileNotFoundError(2, "No such file or directory")))
    'there is no folder backups'
    """
    if isinstance(error, FileNotFoundError) and not (folder := Path(path).parent).exists():
        return FileError("there is no folder {folder}", folder=str(folder))
    return FileError("{file}: {problem}", file=str(path), problem=system_words(error))


def lock(stream: IO[Any]) -> bool:
    """Lock an open file until it is closed; return whether no other process has locked it."""
    try:
        portalocker.lock(
            stream, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING
        )
    except portalocker.LockException:
        return False
    return True


def sync_folder(folder: Path) -> None:
    """Make the name of a new file as safe as its content."""
    with suppress(OSError):  # not all systems let a folder be opened
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
