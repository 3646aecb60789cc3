"""The log, the record file of a running game, synced to disk after every action; resuming it.

Every write ends with a space or a line break, so bytes after the last one are the rest of a torn
write. The part before can still end with half of something (a comment, a step without the removal
that must follow): the replay stops there. A damaged end is cut off and stored in another file.
"""

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Self

from trine.core.contract.position import Position
from trine.core.contract.record import (
    CLOSING_TAGS,
    STOPS,
    TAKEBACK,
    Record,
    WrittenTurn,
    format_tag,
    read_records,
)
from trine.core.errors import FileError, LockedError, MalformedError, Place, TrineError
from trine.core.play import Play
from trine.core.text.sentence import quoted
from trine.core.work.files import file_error, lock, sync_folder
from trine.play.record.agreed_terms import check_clock, clock_of
from trine.play.record.replay import check_tag, opening, replay
from trine.play.record.text_files import decode
from trine.play.record.time_notes import read_time_mark

_TENTH: Final = 100_000_000  # nanoseconds


class Log:
    """An open log file, locked against other processes until it is closed or this process ends."""

    def __init__(self, path: Path, stream: BinaryIO) -> None:
        self.path = path
        self._stream = stream
        self.line_open = False  # whether the last line is a turn that is not finished

    @classmethod
    def create(cls, path: Path, tags: dict[str, str]) -> Self:
        """Create a log file that begins with tags; raises `FileError`."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            stream = path.open("xb", buffering=0)
        except OSError as error:
            if path.is_dir():
                raise FileError("{file} is a folder; name a file", file=str(path)) from None
            if not path.is_file():
                raise file_error(error.filename, error) from None
            raise FileError(
                "{file} exists; continue it with trine resume, or choose another name",
                file=str(path),
            ) from None
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
        with suppress(OSError):  # some file systems cannot; the clock works without a heartbeat
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


@dataclass(frozen=True)
class Damage:
    """The damaged end of a log."""

    place: Place  # the beginning of the damage
    content: bytes
    reason: TrineError | None = None
    """The first error in the damaged part; None if a write was cut off, without an error."""


@dataclass
class ResumedLog:
    """A log that is open again, with its record and the damage found."""

    log: Log
    record: Record
    damage: Damage | None


def resume(path: Path) -> ResumedLog:
    """Open a log to continue its game.

    Raises:
        LockedError: another process has it open.
        FileError: it cannot be read, or does not hold exactly one game.
        TrineError: an error lies before its last line; the file stays unchanged.
    """
    log, content = Log.open(path)
    try:
        end, record, over, reason = _replay_whole(content, str(path))
        damage = None
        if end < len(content):
            whole = content[:end]
            place = Place(str(path), whole.count(b"\n") + 1, _columns(whole.rpartition(b"\n")[2]))
            damage = Damage(place, log.cut(end), reason)
        log.line_open = not content[:end].endswith(b"\n")
        if log.line_open and (over or not _is_turn(content[:end])):
            log.append("\n")  # the line is complete, only text after it was torn off
            if over:
                record.turns[-1].closed = True
        elif not content[:end].endswith((b" ", b"\n")):
            log.append(" ")
    except BaseException:
        log.close()
        raise
    return ResumedLog(log, record, damage)


def _columns(line: bytes) -> int:
    return len(line.decode("utf-8")) + 1


def _replay_whole(content: bytes, file: str) -> tuple[int, Record, bool, TrineError | None]:
    """Replay as much of a log as is whole.

    Returns: the length of the intact part in bytes; its record; whether the turn in its last line
        is over although the line is not; and the error in the bytes after it, if any.
    """
    last_line = len(content.splitlines())
    end = len(content) if _is_edited(content) else _last_break(content)
    reason: TrineError | None = None
    while True:
        try:
            record, over = _read_and_judge(content[:end], file)
            if end < len(content) and (before := _doubtful_break(content[:end], record)):
                end = before
                record, over = _read_and_judge(content[:end], file)
            return end, record, over, reason
        except FileError:
            raise
        except TrineError as error:
            reason = error
            end = _last_break(content[: _end_before(error, content[:end], last_line)])


def _last_break(content: bytes) -> int:
    """Return the end of the last complete write; before an open last line that is no turn."""
    end = max(content.rfind(b" "), content.rfind(b"\n")) + 1
    line = content.rfind(b"\n", 0, end) + 1
    return end if line == end or _is_turn(content[:end]) else line


def _is_turn(content: bytes) -> bool:
    """Return whether the last line begins as a turn does, with its number."""
    return re.match(rb"\d", content[content.rfind(b"\n") + 1 :]) is not None


def _is_edited(content: bytes) -> bool:
    """Return whether an editor saved the last line without a line break, so that it is not torn.

    Only editors write line breaks of two bytes; a resumed log would begin the line with a mark.
    """
    before, _, last = content.rpartition(b"\n")
    return before.endswith(b"\r") and bool(last.strip()) and b"{resumed" not in last


def _doubtful_break(content: bytes, record: Record) -> int:
    """Return the end of the last line, if its line break may be part of the damage; else 0.

    The line break of a turn with its time is sound, since both are one write.
    """
    turn = record.turns[-1] if record.turns else None
    if turn is None or not turn.closed or turn.line != len(content.splitlines()):
        return 0
    timed = any(mark.kind == "used" for mark in map(read_time_mark, turn.comments) if mark)
    stops = bool(turn.words) and turn.words[-1].text in (TAKEBACK, *STOPS)
    return 0 if timed or stops or not turn.words else len(content.rstrip(b"\r\n"))


def _end_before(error: TrineError, content: bytes, last_line: int) -> int:
    """Return the end of the intact part if an error lies in the last write, else raise the error.

    The last write is the last line; the closing tags are one write of several lines.
    """
    lines = content.splitlines(keepends=True)
    if error.place.line != len(lines):
        raise error
    if len(lines) < last_line and not lines[-1].startswith(b"["):
        raise error
    before = sum(map(len, lines[:-1]))
    head = lines[-1].decode("utf-8", "replace")[: max(error.place.column - 1, 0)]
    return min(before + len(head.encode("utf-8")), len(content) - 1)


def _read_one(content: bytes, file: str) -> Record:
    lines = [
        decode(line, file, number)
        for number, line in enumerate(content.splitlines(keepends=True), start=1)
    ]
    records = list(read_records(lines, file)) or [Record(file=file)]
    if len(records) > 1:
        raise FileError(
            "only a file with one record can be continued; it has {given}", given=len(records)
        ).at(file)
    record = records[0]
    if not record.turns and not re.search(rb"\n\r?\n", content):
        raise FileError(
            "cut off in its head, before anything was played; begin anew with trine play"
        ).at(file, len(lines))
    closing = [tag for tag in CLOSING_TAGS if tag in record.tags]
    if len(closing) == 1:
        raise MalformedError("the closing tags are not complete").at(
            file, record.tag_lines[closing[0]], 1
        )
    return record


def _read_and_judge(content: bytes, file: str) -> tuple[Record, bool]:
    """Replay a log; return its record, and whether the turn in an open last line is over."""
    over = False
    record = _read_one(content, file)
    check_clock_tag(record)

    def note(turn: WrittenTurn, before: Position, after: Position) -> None:
        nonlocal over
        over = not turn.closed and after is not before

    play = replay(record, on_turn=note)
    if record.turns and not play.outcome and not record.turns[-1].words:
        _check_next(play, record)
    return record, over


def check_clock_tag(record: Record) -> None:
    """Raise `TrineError` if the game cannot be played with the clock of its record."""
    room, _ = opening(record)
    try:
        if clock := clock_of(record.tags):
            check_clock(room, clock)
    except TrineError as error:
        raise error.at(record.file, record.tag_lines["Clock"], 1) from None


def _check_next(play: Play, record: Record) -> None:
    """Raise an error if a last line without actions has the wrong turn number.

    Replaying ignores the line, but the next actions are appended to it.
    """
    try:
        check_tag(play, record.turns[-1])
    except MalformedError as error:
        raise error.at(record.file, record.turns[-1].line, 1) from None
