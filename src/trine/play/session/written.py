"""Entries in a record: the words, comments and tags of each.

What a reader of records must know stands there as it always has; what only a running game needs
(offers, pauses, moments) stands in comments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trine.core.contract.outcome import Reason
from trine.core.contract.record import TAKEBACK, UNDO, format_comment, format_tag
from trine.core.contract.seat import Seat
from trine.play.record.marks import CommentMark, as_remark, format_mark
from trine.play.record.replay import LEAVING
from trine.play.record.time_notes import format_moment, format_paused, format_resumed, format_used
from trine.play.session.entries import Entry, Kind

BEGAN: Final = "Began"
"""The tag of the time at which a game began."""


def head_tags(entry: Entry) -> dict[str, str]:
    return {**entry.data["tags"], BEGAN: format_moment(entry.at)}


def format_entries(entries: Sequence[Entry], seats: Sequence[Seat], *, line_open: bool) -> str:
    """Return entries, one after the other, as `format_entry` has each.

    Args: ``line_open`` tells whether the last line that stands there goes on.
    """
    told = ""
    for entry in entries:
        told += format_entry(entry, seats, line_open=line_open)
        line_open = not told.endswith("\n") if told else line_open
    return told


def format_entry(entry: Entry, seats: Sequence[Seat], *, line_open: bool) -> str:
    """Return an entry as a record writes it behind its head, ended by a space or a line break."""
    told = _words(entry, seats)
    if told and not line_open:
        told = f"{entry.data['turn']} {told}"
    if result := entry.data.get("result"):
        ends = told.endswith("\n") or not (told or line_open)
        told += "" if ends else "\n"
        told += "".join(f"{format_tag(*tag)}\n" for tag in result.items())
    return told


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
        case Kind.ACCEPT | Kind.DECLINE:
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
    reason, data, told = Reason(entry.data["reason"]), entry.data, ""
    if reason is Reason.FORFEIT:
        told = _mark(entry, seats, "forfeits", data["words"])
    if not data["in_turn"]:
        return told or _mark(entry, seats, LEAVING[reason])
    if reason is Reason.FORFEIT and data.get("result", {}).get("Reason") == reason:
        return told  # of two; of more, the board can end the game for those who stay
    time = _time(entry)
    return f"{told}{LEAVING.get(reason, LEAVING[Reason.TIME])}{time and ' '}{time}\n"


def _mark(entry: Entry, seats: Sequence[Seat], kind: str, words: str = "") -> str:
    assert entry.seat is not None
    return f"{format_comment(format_mark(CommentMark(seats[entry.seat].tag, kind, words)))} "
