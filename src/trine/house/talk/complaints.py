"""Complaints about lines of talk, which moderators see."""

from __future__ import annotations

from typing import Final, Protocol

from trine.core.text.sentence import text
from trine.house.people.person_rows import Person
from trine.house.talk.tables import ChatLine

WHYS: Final = {
    "abuse": text("insults or threats"),
    "spam": text("advertising or nonsense"),
    "cheating": text("help by a program"),
    "leaving": text("leaves games, or stalls"),
    "name": text("an offensive name"),
    "other": text("something else"),
}
"""The reasons of reports."""


class Complaints(Protocol):
    """The receiver of complaints."""

    async def report(
        self,
        reporter: Person,
        person: str,
        why: str,
        words: str = "",
        line: ChatLine | None = None,
    ) -> None:
        """Report a person, with a reason, words, and perhaps a line.

        Raises:
            TrineError: it cannot be reported so.
        """
