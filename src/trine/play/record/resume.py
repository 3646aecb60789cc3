"""Resuming a log: the intact part is replayed, a damaged end is cut off and kept in a file.

Every write to a log ends with a space or a line break, so bytes after the last one are the rest of
a torn write. The part before can still end with half of something (a comment, a step without the
removal that must follow): the replay stops there, and the damage begins there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from trine.core.contract.position import Position
from trine.core.contract.record import (
    CLOSING_TAGS,
    STOPS,
    TAKEBACK,
    Record,
    WrittenTurn,
    read_records,
)
from trine.core.errors import FileError, MalformedError, Place, TrineError
from trine.core.play import Play
from trine.play.record.agreed_terms import check_clock, clock_of
from trine.play.record.log import Log
from trine.play.record.replay import check_tag, opening, replay
from trine.play.record.text_files import decode
from trine.play.record.time_notes import read_time_mark


@dataclass(frozen=True)
class Damage:
    """The damaged end of a log."""

    place: Place
    """The beginning of the damage."""
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
    """Return the end of the last complete write; drop an open last line unless it is a turn."""
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

    A finished turn is written with its time; a line break proves nothing.
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
            "only a file with one record can be continued; it has {given}",
            given=len(records),
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
