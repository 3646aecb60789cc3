"""Formatting entries for a record: the words, comments and tags of each.

Turns and results are written as in any record; data of a running game (offers, pauses, timestamps)
is written in comments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trine.core.contract.position import Reason, Seat
from trine.core.contract.record import TAKEBACK, UNDO, format_comment, format_tag
from trine.play.record.marks import CommentMark, as_remark, format_mark
from trine.play.record.replay import LEAVING
from trine.play.record.time_notes import (
    format_paused,
    format_resumed,
    format_timestamp,
    format_used,
)
from trine.play.session.entries import Entry, Kind

BEGAN: Final = "Began"
"""The tag with the time when a game began."""


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
