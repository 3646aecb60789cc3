"""Entries in a record: the words, comments and tags of each.

What a reader of records must know stands there as it always has; what only a running game needs
(offers, pauses, moments) stands in comments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from trine.core.contract.outcome import Reason
from trine.core.contract.record import TAKEBACK, UNDO, format_comment, format_tag
from trine.core.contract.seat import Seat
from trine.play.record.marks import CommentMark, as_remark, format_mark
from trine.play.record.replay import LEAVING
from trine.play.record.time_notes import format_moment, format_paused, format_resumed, format_used
from trine.play.session import offers
from trine.play.session.entries import Entry, Kind

BEGAN: Final = "Began"
"""The tag of the time at which a game began."""


def head_tags(entry: Entry) -> dict[str, str]:
    return {**entry.data["tags"], BEGAN: format_moment(entry.at)}


def written(entry: Entry, seats: Sequence[Seat], *, line_open: bool) -> str:
    """Return an entry after the first as a record writes it, ended by a space or a line break."""
    told = _WRITTEN[entry.kind](entry, seats)
    if told and not line_open:
        told = f"{entry.data['turn']} {told}"
    if result := entry.data.get("result"):
        ends = told.endswith("\n") or not (told or line_open)
        told += "" if ends else "\n"
        told += "".join(f"{format_tag(*tag)}\n" for tag in result.items())
    return told


def _act(entry: Entry, seats: Sequence[Seat]) -> str:
    words = f"{entry.data['words']} " if entry.data["words"] else ""
    return f"{words}{_time(entry)}\n" if entry.data["closes"] else words


def _time(entry: Entry) -> str:
    if "used" not in entry.data:
        return ""
    return format_comment(format_used(entry.data["used"], entry.data.get("left"), entry.at))


def _undo(entry: Entry, seats: Sequence[Seat]) -> str:
    return f"{UNDO} " * int(entry.data["count"])


def _takeback(entry: Entry, seats: Sequence[Seat]) -> str:
    _, *tags = entry.data["tags"]
    time = _time(entry)
    return "".join((f"{time}{time and ' '}{TAKEBACK}\n", *(f"{tag} {TAKEBACK}\n" for tag in tags)))


def _leave(entry: Entry, seats: Sequence[Seat]) -> str:
    reason, data = Reason(entry.data["reason"]), entry.data
    assert entry.seat is not None
    tag, told = seats[entry.seat].tag, ""
    if reason is Reason.FORFEIT:
        told = f"{format_comment(format_mark(CommentMark(tag, 'forfeits', data['words'])))} "
    if not data["in_turn"]:
        kind = "resigns" if reason is Reason.RESIGNATION else "lost"
        return told or f"{format_comment(format_mark(CommentMark(tag, kind)))} "
    if reason is Reason.FORFEIT and data.get("result", {}).get("Reason") == reason:
        return told  # of two; of more, the board can end the game for those who stay
    time = _time(entry)
    return f"{told}{LEAVING.get(reason, LEAVING[Reason.TIME])}{time and ' '}{time}\n"


def _drawn(entry: Entry, seats: Sequence[Seat]) -> str:
    return "drawn\n"


def _offer(entry: Entry, seats: Sequence[Seat]) -> str:
    what = entry.data["what"]
    if (turns := entry.data.get("turns", 1)) > 1:
        what = f"{offers.TAKEBACK} {turns}"
    return _mark(entry, seats, "asks", what)


def _accept(entry: Entry, seats: Sequence[Seat]) -> str:
    return _mark(entry, seats, "accepts", entry.data["what"])


def _decline(entry: Entry, seats: Sequence[Seat]) -> str:
    return _mark(entry, seats, "declines", entry.data["what"])


def _mark(entry: Entry, seats: Sequence[Seat], kind: str, words: str = "") -> str:
    assert entry.seat is not None
    return f"{format_comment(format_mark(CommentMark(seats[entry.seat].tag, kind, words)))} "


def _pause(entry: Entry, seats: Sequence[Seat]) -> str:
    data = entry.data
    consent = data.get("consent", False)
    return f"{format_comment(format_paused(data['spent'], entry.at, by_consent=consent))} "


def _resume(entry: Entry, seats: Sequence[Seat]) -> str:
    return f"{format_comment(format_resumed(entry.data['spent'], entry.at))} "


def _remark(entry: Entry, seats: Sequence[Seat]) -> str:
    return f"{format_comment(as_remark(entry.data['words']))} "


def _end(entry: Entry, seats: Sequence[Seat]) -> str:
    return ""


_WRITTEN: Mapping[Kind, Callable[[Entry, Sequence[Seat]], str]] = {
    Kind.ACT: _act,
    Kind.UNDO: _undo,
    Kind.TAKEBACK: _takeback,
    Kind.LEAVE: _leave,
    Kind.DRAWN: _drawn,
    Kind.OFFER: _offer,
    Kind.ACCEPT: _accept,
    Kind.DECLINE: _decline,
    Kind.PAUSE: _pause,
    Kind.RESUME: _resume,
    Kind.REMARK: _remark,
    Kind.END: _end,
}
