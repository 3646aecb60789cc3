"""Going on with a log: everything whole is replayed, a damaged end is set aside.

Every write to a log ends with a space or a line break, so what lies behind the last of them was
torn while it was written. What lies before it may still be half of something (a comment, a step
without the removal that must follow): then the replay stops there, and the end begins there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from trine.core.clock import Clock, parse_time_control
from trine.core.doors import Position
from trine.core.errors import FileError, MalformedError, Place, TrineError
from trine.core.play import Play
from trine.core.record import CLOSING_TAGS, TAKEBACK, Record, WrittenTurn, read_records
from trine.core.text import text
from trine.record.files import decode
from trine.record.log import Log
from trine.record.replay import opening, replay
from trine.record.terms import check_clock
from trine.record.time_notes import paused_time, used_time


@dataclass(frozen=True)
class Damage:
    """The damaged end of a log."""

    place: Place
    """Where it began."""
    content: bytes
    """What it was."""
    reason: TrineError | None = None
    """What was wrong with it, if it was not just torn off."""


@dataclass
class Resumed:
    """A log that is open again, and all that it says."""

    log: Log
    play: Play
    record: Record
    clock: Clock | None
    spent: float
    """Units: seconds; what the open turn had taken when play was broken off in good order."""
    damage: Damage | None


def resume(path: Path) -> Resumed:
    """Open a log to go on with it.

    Raises:
        LockedError: another process has it open.
        FileError: it cannot be read, holds no play, or several.
        TrineError: something is wrong before its last line; then nothing is changed.
    """
    log, content = Log.open(path)
    try:
        end, record, (play, clock, spent, over), reason = _replay_whole(content, str(path))
        damage = None
        if end < len(content):
            whole = content[:end]
            place = Place(str(path), whole.count(b"\n") + 1, _columns(whole.rpartition(b"\n")[2]))
            damage = Damage(place, log.cut(end), reason)
        log.line_open = not content[:end].endswith(b"\n")
        if log.line_open and over:
            log.append("\n")  # the turn was over; only what came behind it was torn off
    except BaseException:
        log.close()
        raise
    return Resumed(log, play, record, clock, spent, damage)


def _columns(line: bytes) -> int:
    return len(line.decode("utf-8")) + 1


def _replay_whole(
    content: bytes, file: str
) -> tuple[int, Record, tuple[Play, Clock | None, float, bool], TrineError | None]:
    """Replay as much of a log as is whole.

    Returns: how many bytes that is, what they say, and what is wrong with those behind them.
    """
    end, last_line = _last_break(content), len(content.splitlines())
    reason: TrineError | None = None
    while True:
        try:
            record = _read_one(content[:end], file)
            return end, record, _replay_with_clock(record), reason
        except FileError:
            raise
        except TrineError as error:
            reason = error
            end = _last_break(content[: _end_before(error, content[:end], last_line)])


def _last_break(content: bytes) -> int:
    """How much of a log was certainly written: up to the last space or line break.

    Of an open last line, only a turn can be gone on with, so anything else goes.
    """
    end = max(content.rfind(b" "), content.rfind(b"\n")) + 1
    line = content.rfind(b"\n", 0, end) + 1
    return end if line == end or re.match(rb"\d", content[line:end]) else line


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
            text(
                "only a file with one record can be gone on with; it has {given}",
                given=len(records),
            )
        ).at(file)
    record = records[0]
    if not record.turns and not re.search(rb"\n\r?\n", content):
        raise FileError(
            text("cut off in its head, before anything was played; begin anew with trine play")
        ).at(file, len(lines))
    closing = [tag for tag in CLOSING_TAGS if tag in record.tags]
    if len(closing) == 1:
        raise MalformedError(text("the closing tags are not complete")).at(
            file, record.tag_lines[closing[0]], 1
        )
    return record


def _replay_with_clock(record: Record) -> tuple[Play, Clock | None, float, bool]:
    """Replay a record with its clock.

    Returns: the play, the clock, what the open turn had taken, and whether the turn in the last
        line is over although the line is not.
    """
    spent, over = 0.0, False
    clock: Clock | None = None
    room, start = opening(record)
    if "Clock" in record.tags:
        try:
            control = parse_time_control(record.tags["Clock"])
            check_clock(room, control)
            clock = Clock.start(control, len(start.seats))
        except TrineError as error:
            raise error.at(record.file, record.tag_lines["Clock"], 1) from None

    def run_clock(turn: WrittenTurn, before: Position, after: Position) -> None:
        nonlocal clock, spent, over
        over = not turn.closed and after is not before
        used, paused = used_time(turn.comments), paused_time(turn.comments)
        spent = 0.0 if turn.closed or paused is None else paused
        if clock and turn.words and turn.words[-1].text == TAKEBACK:
            clock = clock.without_turn(after.mover)
        elif clock and turn.closed and used is not None:
            clock = clock.after_turn(before.mover, used, setup=room.sets_up_whole(before))

    play = replay(record, on_turn=run_clock)
    return play, clock, spent, over
