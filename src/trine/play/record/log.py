"""The log: the record file of a running game, synced to disk after every action.

Every write ends with a space or a line break, so that a write cut off by a power failure can be
recognized, and the file is a readable record at any time.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final, Self

from trine.core.contract.record import format_tag
from trine.core.errors import FileError, LockedError
from trine.core.text.sentence import quoted
from trine.core.work.files import file_error, lock, sync_folder

_TENTH: Final = 100_000_000
"""Units: nanoseconds."""


class Log:
    """An open log file, locked against other processes until it is closed or this process ends."""

    def __init__(self, path: Path, stream: BinaryIO) -> None:
        self.path = path
        self._stream = stream
        self.line_open = False
        """Whether the last line is a turn that is not finished."""

    @classmethod
    def create(cls, path: Path, tags: dict[str, str]) -> Self:
        """Create a log file that begins with tags; raises `FileError`."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            stream = path.open("xb", buffering=0)
        except FileExistsError:
            raise FileError(
                "{file} exists; go on with it by trine resume, or choose another name",
                file=str(path),
            ) from None
        except OSError as error:
            raise file_error(path, error) from None
        log = cls(path, stream)
        try:
            log._lock()
            log.append("".join(f"{format_tag(*tag)}\n" for tag in tags.items()) + "\n")
        except BaseException:
            log.close()
            path.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)
        return log

    @classmethod
    def open(cls, path: Path) -> tuple[Self, bytes]:
        """Open an existing log for appending; return it with its content.

        Raises:
            LockedError: another process has it open.
            FileError: it cannot be read and written.
        """
        try:
            stream = path.open("r+b", buffering=0)
        except OSError as error:
            raise file_error(path, error) from None
        log = cls(path, stream)
        log._lock()
        content = stream.read()
        return log, content

    def append(self, content: str) -> None:
        """Append a text and sync it to disk, or change nothing and raise `FileError`."""
        assert content.endswith((" ", "\n")), content
        try:
            remaining = content.encode("utf-8")
        except UnicodeEncodeError:
            raise FileError(
                "{given} is no text that a file can hold", given=quoted(content)
            ) from None
        if os.fstat(self._stream.fileno()).st_nlink == 0:
            raise FileError(
                "{file} was removed or replaced while it was played", file=str(self.path)
            )
        length = -1
        try:
            length = self._stream.seek(0, os.SEEK_END)
            while remaining:
                remaining = remaining[self._stream.write(remaining) :]
            os.fsync(self._stream.fileno())
        except BaseException as error:  # also `KeyboardInterrupt`, on a slow disk
            self._take_back_to(length)
            if isinstance(error, OSError):
                raise file_error(self.path, error) from None
            raise
        self.line_open = not content.endswith("\n")

    def record_heartbeat(self, at: float) -> None:
        """Store a heartbeat, a time when the program runs, as the file's modification time.

        The time is rounded to a tenth of a second, unlike those set by a copy or an editor.
        """
        modified = round(at * 1000) // 100 * _TENTH
        with suppress(OSError):  # not every file system can; the clock copes without a heartbeat
            os.utime(self._stream.fileno(), ns=(modified, modified))

    @property
    def last_heartbeat(self) -> float | None:
        """Units: seconds since 1970; the time of the last `record_heartbeat`, None if unknown."""
        modified = os.fstat(self._stream.fileno()).st_mtime_ns
        return None if modified % _TENTH else modified / 1e9

    def _take_back_to(self, length: int) -> None:
        """Undo a write that failed; if that fails too, `resume` removes the torn end later."""
        with suppress(OSError):
            if length >= 0:
                self._stream.truncate(length)

    def cut(self, length: int) -> bytes:
        """Truncate the file; append the bytes cut off to ``FILE.damaged``, and return them."""
        aside_path = damaged_path(self.path)
        try:
            self._stream.seek(length)
            damaged = self._stream.read()
            with aside_path.open("ab") as aside:
                aside.write(damaged + b"\n")
                aside.flush()
                os.fsync(aside.fileno())
        except OSError as error:
            raise file_error(aside_path, error) from None
        try:
            self._stream.truncate(length)
            os.fsync(self._stream.fileno())
        except OSError as error:
            raise file_error(self.path, error) from None
        return damaged

    def close(self) -> None:
        self._stream.close()

    def _lock(self) -> None:
        if not lock(self._stream):
            self._stream.close()
            raise LockedError(
                "{file} is being played in another window or program", file=str(self.path)
            )


def check_not_played(path: Path) -> None:
    """Raise `LockedError` if a file is the log of a running game."""
    if path.is_file():
        log, _ = Log.open(path)
        log.close()


def damaged_path(path: Path) -> Path:
    return path.with_name(path.name + ".damaged")
