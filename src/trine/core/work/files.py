"""Atomic file writes, and file locks."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

import portalocker

from trine.core.errors import FileError, system_words

UNFINISHED: Final = ".part"  # the suffix of a file that is being written


def write_atomically(file: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write to a temporary file, then rename it into place; raises `FileError`."""
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
    """Return an operating system's error about a file as a `FileError`.

    >>> str(file_error("backups/new.db", FileNotFoundError(2, "No such file or directory")))
    'there is no folder backups'
    """
    if isinstance(error, FileNotFoundError) and not (folder := Path(path).parent).exists():
        return FileError("there is no folder {folder}", folder=str(folder))
    return FileError("{file}: {problem}", file=str(path), problem=system_words(error))


def lock(stream: IO[Any]) -> bool:
    """Lock an open file until it is closed; return false if another process has locked it."""
    try:
        portalocker.lock(
            stream, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING
        )
    except portalocker.LockException:
        return False
    return True


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that new names survive a crash."""
    with suppress(OSError):  # some systems cannot open folders
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
