"""The journal of a game as a text file, which is also its record.

Turns and results are written as in any record; data of a running game (offers, pauses, timestamps)
is written in comments.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from trine.core.contract.position import Reason, Seat
from trine.core.contract.record import (
    STOPS,
    TAKEBACK,
    UNDO,
    Record,
    WrittenTurn,
    format_comment,
    format_tag,
)
from trine.core.errors import TrineError
from trine.play.record.agreed_terms import Terms
from trine.play.record.log import Damage, Log, resume
from trine.play.record.replay import LEAVING, closing_tags, stated_outcome
from trine.play.record.time_notes import (
    CommentMark,
    TimeMark,
    as_remark,
    format_mark,
    format_paused,
    format_resumed,
    format_timestamp,
    format_used,
    parse_timestamp,
    read_mark,
    read_time_mark,
)
from trine.play.session.changes import apply_entry, first_state
from trine.play.session.game import Game, Now
from trine.play.session.state import WISHES, Entry, Kind, State

BEGAN: Final = "Began"  # the tag with the time when a game began


def head_tags(entry: Entry) -> dict[str, str]:
    return {**entry.data["tags"], BEGAN: format_timestamp(entry.at)}


def format_entries(entries: Sequence[Entry], seats: Sequence[Seat], *, line_open: bool) -> str:
    """Return entries as `format_entry` formats each, concatenated.

    ``line_open``: whether the last line of the record is an unfinished turn.
    """
    content = ""
    for entry in entries:
        content += format_entry(entry, seats, line_open=line_open)
        line_open = not content.endswith("\n") if content else line_open
    return content


def format_entry(entry: Entry, seats: Sequence[Seat], *, line_open: bool) -> str:
    """Return an entry as text to append to its record, ending with a space or a line break."""
    content = _words(entry, seats)
    if content and not line_open:
        content = f"{entry.data['turn']} {content}"
    if result := entry.data.get("result"):
        ends = content.endswith("\n") or not (content or line_open)
        content += "" if ends else "\n"
        content += "".join(f"{format_tag(*tag)}\n" for tag in result.items())
    return content


def _words(entry: Entry, seats: Sequence[Seat]) -> str:
    data, time = entry.data, _time(entry)
    match entry.kind:
        case Kind.ACT:
            words = f"{data['words']} " if data["words"] else ""
            return f"{words}{time}\n" if data["closes"] else words
        case Kind.UNDO:
            return f"{UNDO} " * int(data["count"])
        case Kind.TAKEBACK:
            _, *tags = data["tags"]
            lines = (f"{time}{time and ' '}{TAKEBACK}\n", *(f"{tag} {TAKEBACK}\n" for tag in tags))
            return "".join(lines)
        case Kind.LEAVE:
            return _leave(entry, seats)
        case Kind.DRAWN:
            return "drawn\n"
        case Kind.OFFER:
            turns = data.get("turns", 1)
            return _mark(
                entry, seats, "asks", data["what"] if turns == 1 else f"{TAKEBACK} {turns}"
            )
        case Kind.ACCEPT | Kind.DECLINE | Kind.WITHDRAW:
            return _mark(entry, seats, f"{entry.kind}s", data["what"])
        case Kind.PAUSE:
            consent = data.get("consent", False)
            return f"{format_comment(format_paused(data['spent'], entry.at, by_consent=consent))} "
        case Kind.RESUME:
            return f"{format_comment(format_resumed(data['spent'], entry.at))} "
        case Kind.REMARK:
            return f"{format_comment(as_remark(data['words']))} "
        case _:
            return ""


def _time(entry: Entry) -> str:
    if "used" not in entry.data:
        return ""
    return format_comment(format_used(entry.data["used"], entry.data.get("left"), entry.at))


def _leave(entry: Entry, seats: Sequence[Seat]) -> str:
    reason, data, mark = Reason(entry.data["reason"]), entry.data, ""
    if reason is Reason.FORFEIT:
        mark = _mark(entry, seats, "forfeits", data["words"])
    if not data["in_turn"]:
        return mark or _mark(entry, seats, LEAVING[reason])
    if reason is Reason.FORFEIT and data.get("result", {}).get("Reason") == reason:
        return mark  # the result tags state it, unless the board ends the game for the others
    time = _time(entry)
    return f"{mark}{LEAVING.get(reason, LEAVING[Reason.TIME])}{time and ' '}{time}\n"


def _mark(entry: Entry, seats: Sequence[Seat], kind: str, words: str = "") -> str:
    assert entry.seat is not None
    return f"{format_comment(format_mark(CommentMark(seats[entry.seat].tag, kind, words)))} "


TIME_TOLERANCE: Final = 0.06
"""Units: seconds; the allowed difference between a time in tenths and the one from timestamps."""


@dataclass
class FileJournal:
    """A journal in a file, which the first entry creates."""

    path: Path
    seats: Sequence[Seat]  # the seats of the game, by number
    _log: Log | None = field(default=None)

    @property
    def log(self) -> Log:
        """The log file; it exists once the game has begun."""
        assert self._log
        return self._log

    def append(self, entries: Sequence[Entry]) -> None:
        if entries[0].kind is Kind.BEGIN:
            self._log = Log.create(self.path, head_tags(entries[0]))
        if content := format_entries(entries, self.seats, line_open=self.log.line_open):
            self.log.append(content)
        self.log.record_heartbeat(entries[-1].at)

    def record_heartbeat(self, at: float) -> None:
        self.log.record_heartbeat(at)

    def close(self) -> None:
        if self._log:
            self._log.close()


def begin_in_file(terms: Terms, path: Path, now: Now | None = None) -> Game[FileJournal]:
    return Game.begin(terms, FileJournal(path, terms.start.seats), now)


def resume_from_file(
    path: Path, now: Now | None = None, before: Callable[[State], None] | None = None
) -> tuple[Game[FileJournal], Damage | None]:
    """Resume a game from its file; also return the damaged part of the file, if any.

    ``before`` is called before the game is resumed. If it raises an error, the game is not resumed,
    and the file is unchanged except for a damaged end.

    Raises:
        TrineError: the game cannot be resumed; see `trine.play.record.log.resume`.
    """
    resumed = resume(path)
    try:
        log, reading = resumed.log, RecordReader(resumed.record)
        state = reading.state
        if before:
            before(state)
        journal = FileJournal(path, state.play.position.seats, log)
        if state.outcome:
            if "Result" not in resumed.record.tags:
                tags = closing_tags(journal.seats, state.outcome)
                broken = "\n" if log.line_open else ""
                log.append(broken + "".join(f"{format_tag(*tag)}\n" for tag in tags.items()))
            return Game(state, journal, now), resumed.damage
        last_heartbeat = log.last_heartbeat if reading.dated else None
        return Game.resume(state, journal, now, last_heartbeat=last_heartbeat), resumed.damage
    except BaseException:
        resumed.log.close()
        raise


@dataclass
class RecordReader:
    """A reader that converts the lines of a record into the entries of a journal.

    A record may come from any source: with timestamps, with times that people wrote, or without
    times. Missing timestamps are calculated from the times of the turns.
    """

    record: Record
    entries: list[Entry] = field(default_factory=list)
    dated: bool = False
    """Whether the start of the open turn comes from a timestamp, instead of a calculation."""

    def __post_init__(self) -> None:
        began = parse_timestamp(self.record.tags.get(BEGAN, ""))
        self.dated = began is not None
        tags = {name: value for name, value in self.record.tags.items() if name not in _OURS}
        first = Entry(Kind.BEGIN, None, began or 0.0, {"tags": tags})
        self.state: State = first_state(first)
        self._before = self.state
        self.entries.append(first)
        for turn in self.record.turns:
            self._read_turn(turn, last=turn is self.record.turns[-1])
        if "Result" in self.record.tags and not self.state.outcome:
            stated = stated_outcome(self.state.play.position.seats, self.record)
            self._write(Kind.END, None, winner=stated.winner, reason=str(stated.reason))

    def _write(self, kind: Kind, seat: int | None, at: float | None = None, **data: Any) -> None:
        time = self.state.at if at is None else max(at, self.state.at)
        entry = Entry(kind, seat, time, {"turn": self.state.play.turn_tag, **data})
        self._before = self.state
        self.state = apply_entry(self.state, entry)
        self.entries.append(entry)

    def _read_turn(self, turn: WrittenTurn, *, last: bool) -> None:
        times = list(filter(None, map(read_time_mark, turn.comments)))
        used = next((mark for mark in reversed(times) if mark.kind == "used"), None)
        words = [word.text for word in turn.words]
        stop = words.pop() if words and words[-1] in (TAKEBACK, *STOPS) else ""
        parts = list(_between_undos(words))
        for part, undone in parts[:-1]:
            self._act(part)
            self._write(Kind.UNDO, self.state.play.mover, count=undone)
        for number, comment in enumerate(turn.comments):
            resumed = any(
                mark.kind == "resumed"
                for mark in filter(None, map(read_time_mark, turn.comments[number + 1 :]))
            )
            self._read_comment(comment, goes_on=used is not None and not resumed)
            if last and not (parts[-1][0] or stop):
                self._read_end(comment)
        ends = turn.closed and not stop
        rest = parts[-1][0]
        if ends and (rest or self.state.play.open_actions):
            self._close(rest, used)
        else:
            self._act(rest)
        if stop:
            self._read_stop(stop, used, last=last)

    def _act(self, words: list[str]) -> None:
        if words:
            self._write(Kind.ACT, self.state.play.mover, words=" ".join(words), closes=False)

    def _close(self, words: list[str], used: TimeMark | None) -> None:
        timed = self._adjust_clock(used)
        data = {"words": " ".join(words), "closes": True, **timed}
        self._write(Kind.ACT, self.state.play.mover, self._end_time(used), **data)

    def _adjust_clock(self, used: TimeMark | None) -> dict[str, float]:
        """Adjust the clock so that the open turn takes its stated time; return its ``used``."""
        if used is None:
            return {}
        at = self._end_time(used)
        if abs(self.state.elapsed(at) - used.spent) > TIME_TOLERANCE:
            self._write(Kind.RESUME, None, max(at - used.spent, self.state.at), spent=0.0)
            if abs(self.state.elapsed(at) - used.spent) > TIME_TOLERANCE:
                self._write(Kind.RESUME, None, at, spent=used.spent)
        self.dated = used.at is not None
        return {"used": self.state.elapsed(at)}

    def _end_time(self, mark: TimeMark | None) -> float:
        if mark is None:
            return self.state.at
        reckoned = self.state.began + mark.spent
        return max(self.state.at, round(reckoned if mark.at is None else mark.at, 3))

    def _read_stop(self, stop: str, used: TimeMark | None, *, last: bool) -> None:
        """Convert a final word that is no action, such as ``resigns``."""
        play = self.state.play
        if stop == TAKEBACK:
            self._take_back(used)
        elif STOPS[stop] in LEAVING and len(play.position.playing) > 2:
            timed = self._adjust_clock(used)
            reason = str(STOPS[stop])
            at = self._end_time(used)
            self._write(Kind.LEAVE, play.mover, at, reason=reason, in_turn=True, **timed)
        elif last and "Result" in self.record.tags:
            pass  # the result tag names the player: one can resign while the other is to move
        elif STOPS[stop] in LEAVING:
            self._write(Kind.LEAVE, play.mover, reason=str(STOPS[stop]), in_turn=True)
        else:
            self._write(Kind.DRAWN, None)

    def _take_back(self, used: TimeMark | None) -> None:
        """Convert a takeback of a turn; a line without a time extends the takeback before it."""
        tag, last = self.state.play.turn_tag, self.entries[-1]
        if last.kind is Kind.TAKEBACK and used is None:
            self.entries.pop()
            self.state = self._before
            data = {**last.data, "tags": [*last.data["tags"], tag]}
            self._write(Kind.TAKEBACK, None, last.at, **data)
            return
        at = self._end_time(used)
        self.dated = used is not None and used.at is not None
        data = {"used": self.state.elapsed(at)} if used else {}
        self._write(Kind.TAKEBACK, None, at, tags=[tag], **data)

    def _read_comment(self, comment: str, *, goes_on: bool) -> None:
        """Convert a comment; ``goes_on``: a pause in this turn has ended without a mark."""
        if time := read_time_mark(comment):
            if time.kind == "resumed" or (time.kind == "paused" and not goes_on):
                self._read_time(time)
        elif not ((mark := read_mark(comment)) and self._read_mark(mark)):
            self._write(Kind.REMARK, None, words=comment)

    def _read_time(self, mark: TimeMark) -> None:
        at = self._end_time(mark)
        if mark.kind == "resumed":
            paused = self.state.elapsed(at)
            exact = self.state.paused is not None and abs(paused - mark.spent) <= TIME_TOLERANCE
            self._write(Kind.RESUME, None, at, spent=paused if exact else mark.spent)
            self.dated = mark.at is not None
            return
        if abs(self.state.elapsed(at) - mark.spent) > TIME_TOLERANCE:
            self._write(Kind.RESUME, None, at, spent=mark.spent)
        consent = {"consent": True} if mark.by_consent else {}
        self._write(Kind.PAUSE, None, at, spent=mark.spent, **consent)

    def _read_mark(self, mark: CommentMark) -> bool:
        """Convert a mark; return False if it does not fit the game, and so is only a remark."""
        tags = [seat.tag for seat in self.state.play.position.seats]
        if mark.tag not in tags or self.state.outcome:
            return False
        seat = tags.index(mark.tag)
        if mark.kind == "asks":
            return self._read_offer(seat, mark.words)
        if mark.kind in ("accepts", "declines", "withdraws"):
            kind = Kind(mark.kind[:-1])
            if not self.state.offer_to(seat, mark.words, own=kind is Kind.WITHDRAW):
                return False
            self._write(kind, seat, what=mark.words)
            return True
        if mark.kind in _REASONS and len(self.state.play.position.playing) > 2:
            return self._read_leaving(seat, mark)
        return False

    def _read_offer(self, seat: int, words: str) -> bool:
        what, _, number = words.partition(" ")
        if seat not in self.state.staying:
            return False
        if what == TAKEBACK:
            turns = int(number) if number.isdecimal() and len(number) < 6 else 1
            if not 1 <= turns <= len(self.state.play.turns):
                return False
            self._write(Kind.OFFER, seat, what=what, turns=turns)
            return True
        if words not in WISHES:
            if what not in self.state.play.room.rules.words_by_consent:
                return False
            try:
                self.state.play.interpret(words)
            except TrineError:
                return False
        self._write(Kind.OFFER, seat, what=words)
        return True

    def _read_leaving(self, seat: int, mark: CommentMark) -> bool:
        """Convert the resignation of one of several players out of turn; return whether it is one.

        In turn, a word after the mark states the resignation.
        """
        if seat not in self.state.staying or seat == self.state.play.mover:
            return False
        self._leave(seat, mark)
        return True

    def _read_end(self, comment: str) -> None:
        """Convert the resignation of one of two players if the result after it was torn off."""
        mark, position = read_mark(comment), self.state.play.position
        tags = [seat.tag for seat in position.seats]
        if self.state.outcome or not mark or mark.kind not in _REASONS or mark.tag not in tags:
            return
        if "Result" not in self.record.tags and len(position.playing) == 2:
            self._leave(tags.index(mark.tag), mark)

    def _leave(self, seat: int, mark: CommentMark) -> None:
        data: dict[str, Any] = {"words": mark.words} if mark.kind == "forfeits" else {}
        in_turn, reason = seat == self.state.play.mover, str(_REASONS[mark.kind])
        self._write(Kind.LEAVE, seat, reason=reason, in_turn=in_turn, **data)


_REASONS: Final = {
    "resigns": Reason.RESIGNATION,
    "lost": Reason.TIME,
    "forfeits": Reason.FORFEIT,
}
"""The reason why a player leaves, by the kind of mark."""
_OURS: Final = (BEGAN, "Result", "Reason")  # the tags of a record that are not terms of the game


def _between_undos(words: list[str]) -> Iterator[tuple[list[str], int]]:
    """Yield groups of actions, each with the number of its last actions that are then undone."""
    part: list[str] = []
    undone = 0
    for word in words:
        if word == UNDO:
            undone += 1
            continue
        if undone:
            yield part, undone
            part, undone = [], 0
        part.append(word)
    if undone:
        yield part, undone
        part = []
    yield part, 0
