"""The sentences of chat, and of its moderation."""

from __future__ import annotations

from typing import Final

from trine.core.text import Text, text

CHAT: Final[dict[str, Text]] = {
    "block": text("Block"),
    "chat": text("Chat"),
    "guests": text("Guests choose from the sentences; with an account you can type."),
    "mind": text("Report or block {name}"),
    "mute": text("Hear nothing"),
    "muted": text("You hear nothing here."),
    "nothing": text("Nothing has been said yet."),
    "players": text("Players"),
    "report": text("Report"),
    "say": text("Say something"),
    "send": text("Send"),
    "unmute": text("Hear it again"),
    "watchers": text("Watchers"),
    "why": text("Reason"),
}
"""The sentences of the chat of a game."""

NOTES: Final[dict[str, Text]] = {
    "about": text("About"),
    "block": text("Block"),
    "leave": text("Leave the note"),
    "mind": text("Report or block {name}"),
    "mind_own": text("Remove the note"),
    "need_account": text("To leave a note you need an account."),
    "none": text("Nobody has left a note on this game yet."),
    "notes": text("Notes"),
    "remove": text("Remove"),
    "report": text("Report"),
    "reported": text("Thank you; the administrators will look at it."),
    "whole": text("the whole game"),
    "why": text("Reason"),
    "words": text("A note that everybody can read"),
}
"""The sentences of the notes on a game that is over."""

MODERATION: Final[dict[str, Text]] = {
    "about": text("about {name}"),
    "ban": text("Ban"),
    "block": text("Block"),
    "blocked": text("Blocked"),
    "blocked_line": text("You hear nothing of them, and they cannot challenge you."),
    "by": text("reported by {name}"),
    "day": text("a day"),
    "delete": text("Delete the line"),
    "deleted": text("deleted"),
    "done": text("Nothing more to do"),
    "ever": text("for ever"),
    "game": text("Game"),
    "lift": text("End"),
    "log": text("What was done"),
    "moderation": text("Moderation"),
    "more": text("More, if you like"),
    "mute": text("Mute"),
    "no_log": text("Nothing has been done yet."),
    "no_reports": text("There are no reports."),
    "no_sanctions": text("Nobody is muted or banned."),
    "report": text("Report"),
    "report_line": text("The administrators of the house see it, and nobody else."),
    "reported": text("Thank you; the administrators will look at it."),
    "reports": text("Reports"),
    "sanctions": text("Muted and banned"),
    "term": text("For how long"),
    "unblock": text("Unblock"),
    "until": text("until {date}"),
    "week": text("a week"),
    "why": text("Reason"),
}
"""The sentences of reports, blocks, and of the page of moderators."""
