"""Going on with a log: everything whole is replayed, a damaged end is set aside.

Every write to a log ends with a space or a line break, so what lies behind the last of them was
torn while it was written. What lies before it may still be half of something (a comment, a step
without the removal that must follow): then the replay stops there, and the end begins there.
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
    """Where it began."""
    content: bytes
    """The bytes of it."""
    reason: TrineError | None = None
    """The error in it, if it was not just torn off."""


@dataclass
class ResumedLog:
    """A log that is open again, and all that it says."""

    log: Log
    record: Record
    damage: Damage | None


def resume(path: Path) -> ResumedLog:
    """Open a log to go on with it.

    Raises:
        LockedError: another process has it open.
        FileError: it cannot be read, holds no play, or several.
        TrineError: something is wrong before its last line; then nothing is changed.
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
            log.append("\n")  # only what came behind it was torn off
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

    Returns: how many bytes that is, what they say, whether the turn in the last line is over
        although the line is not, and what is wrong with the bytes behind them.
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
    """Return a log up to its last space or line break; of an open last line only turns stay."""
    end = max(content.rfind(b" "), content.rfind(b"\n")) + 1
    line = content.rfind(b"\n", 0, end) + 1
    return end if line == end or _is_turn(content[:end]) else line


def _is_turn(content: bytes) -> bool:
    """Whether the last line is a turn, as far as it goes."""
    return re.match(rb"\d", content[content.rfind(b"\n") + 1 :]) is not None


def _is_edited(content: bytes) -> bool:
    """Whether the last line was saved as it is by an editor, and not torn while it was written.

    Only editors write line breaks of two bytes, and whoever goes on with a log begins with a mark.
    """
    before, _, last = content.rpartition(b"\n")
    return before.endswith(b"\r") and bool(last.strip()) and b"{resumed" not in last


def _doubtful_break(content: bytes, record: Record) -> int:
    """Where the last line ends, if it is a turn whose end may be a part of the damage behind it.

    Who ends a turn writes what it took; a line break alone may be anything.
    """
    turn = record.turns[-1] if record.turns else None
    if turn is None or not turn.closed or turn.line != len(content.splitlines()):
        return 0
    timed = any(mark.kind == "used" for mark in map(read_time_mark, turn.comments) if mark)
    stops = bool(turn.words) and turn.words[-1].text in (TAKEBACK, *STOPS)
    return 0 if timed or stops or not turn.words else len(content.rstrip(b"\r\n"))


def _end_before(error: TrineError, content: bytes, last_line: int) -> int:
    """Where the whole part ends, if an error lies in what was written last; else it is raised.

    That is the last line; of the closing tags, written together, those before it too.
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
            "only a file with one record can be gone on with; it has {given}",
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
    """Return all that a log says, judged, and whether the turn in an open last line is over."""
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
    """Raise `TrineError` unless a game can go on with the clock of its record."""
    room, _ = opening(record)
    try:
        if clock := clock_of(record.tags):
            check_clock(room, clock)
    except TrineError as error:
        raise error.at(record.file, record.tag_lines["Clock"], 1) from None


def _check_next(play: Play, record: Record) -> None:
    """Raise an error if a last line without actions is not that of the turn to be played.

    To a reader it is nothing; but behind it play goes on.
    """
    try:
        check_tag(play, record.turns[-1])
    except MalformedError as error:
        raise error.at(record.file, record.turns[-1].line, 1) from None
