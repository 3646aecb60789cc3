"""The talk at games: of players among themselves, and by those who look on, apart."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Protocol

from trine.core.errors import MalformedError
from trine.core.text import Text, text
from trine.house.refusals import HouseError
from trine.house.snapshot import Snapshot
from trine.store import chat_rows
from trine.store.chat_rows import ChatLine
from trine.store.people import Person

if TYPE_CHECKING:
    from trine.house.house import House

PLAYERS, WATCHERS = "players", "watchers"
"""The rooms of a game."""
LONGEST: Final = 200
"""Units: characters; of a line."""
KEPT: Final = 100
"""The last lines of a game that are shown."""
MOST_MARKS: Final = 2
"""Marks on one letter; with more of them letters are piled up over other lines."""
PRESETS: Final[Mapping[str, Text]] = {
    "hello": text("Hello!"),
    "luck": text("Good luck!"),
    "nice": text("Well played!"),
    "moment": text("One moment, please."),
    "oops": text("Oops."),
    "thanks": text("Thank you!"),
    "game": text("Good game!"),
    "bye": text("I must go; goodbye."),
}
"""Sentences that everybody may say with one tap, and every reader has in the own language."""


def seemly_line(words: str, longest: int = LONGEST) -> str:
    r"""A line of chat as it is shown: no signs that are unseen, turn the line round, or pile up.

    Raises:
        MalformedError: nothing is left, or it is too long.

    >>> seemly_line("well  \u202eplayed\x07")
    'well played'
    """
    kept: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", words):
        kind = unicodedata.category(sign)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if sign.isspace() or kind in ("Zl", "Zp"):
            kept.append(" ")
        elif kind[0] != "C" and marks <= MOST_MARKS:
            kept.append(sign)
    shown = " ".join("".join(kept).split())
    if not shown:
        raise MalformedError(text("there is nothing to say"))
    if len(shown) > longest:
        raise MalformedError(text("a line has at most {count} characters", count=longest))
    return shown


def rooms_of(snapshot: Snapshot, person: str | None) -> tuple[str, ...]:
    """The rooms in which somebody reads and speaks.

    While a game runs its players do not hear what those who look on say of it.
    """
    if not snapshot.seats_of(person):
        return (WATCHERS,)
    people = {seat.person for seat in snapshot.seats if seat.person}
    own = (PLAYERS,) if len(people) > 1 else ()
    return (*own, WATCHERS) if snapshot.over else own


class Listener(Protocol):
    """A page that shows what is said."""

    def said(self, line: ChatLine) -> None:
        """A line was said; this must take no time."""

    def unsaid(self) -> None:
        """A line was deleted."""


@dataclass
class _Talk:
    """The talk at one game."""

    lines: list[ChatLine]
    listeners: set[Listener] = field(default_factory=set)


class Chats:
    """The talk at the games of a house."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._talks: dict[str, _Talk] = {}

    async def enter(self, game: str, listener: Listener) -> Sequence[ChatLine]:
        """Let a page hear what is said from here on; what was said last."""
        if game not in self._talks:
            lines = await asyncio.to_thread(
                self._house.store.read, chat_rows.last_lines, game=game, limit=KEPT
            )
            self._talks.setdefault(game, _Talk(lines))
        talk = self._talks[game]
        talk.listeners.add(listener)
        return self.lines(game)

    def leave(self, game: str, listener: Listener) -> None:
        """Let a page go."""
        if talk := self._talks.get(game):
            talk.listeners.discard(listener)
            if not talk.listeners:
                del self._talks[game]

    def lines(self, game: str) -> Sequence[ChatLine]:
        """The last lines of a game that somebody looks at, without those that were deleted."""
        talk = self._talks.get(game)
        return [line for line in talk.lines if line.deleted_at is None] if talk else []

    def line(self, game: str, number: int) -> ChatLine | None:
        """A line that is shown."""
        return next((one for one in self.lines(game) if one.number == number), None)

    async def say(
        self, person: Person | None, snapshot: Snapshot, room: str, words: str, preset: str
    ) -> ChatLine:
        """Say something, in words of one's own or by a preset.

        Raises:
            TrineError: this person cannot say it here.
        """
        if not person:
            raise HouseError(text("take a seat or log in to say something"))
        if room not in rooms_of(snapshot, person.id):
            raise HouseError(text("this cannot be said here"))
        if muted := self._house.moderation.why_mute(person.id):
            raise HouseError(muted)
        if preset:
            if preset not in PRESETS:
                raise MalformedError(text("this cannot be said here"))
            words = ""
        elif not person.has_account:
            raise HouseError(text("guests choose from the sentences; with an account you can type"))
        else:
            words = seemly_line(words)
        line = ChatLine(
            snapshot.game, 0, room, person.id, person.name, self._house.now(), words, preset
        )
        said = await asyncio.wrap_future(self._house.store.write(chat_rows.add_line, line=line))
        if talk := self._talks.get(snapshot.game):
            talk.lines = [*talk.lines[1 - KEPT :], said]
            for listener in list(talk.listeners):
                listener.said(said)
        return said

    async def delete(self, game: str, number: int) -> bool:
        """Have nobody see a line any more but moderators; whether it was seen."""
        now = self._house.now()
        was = await asyncio.wrap_future(
            self._house.store.write(chat_rows.delete_line, game=game, number=number, now=now)
        )
        if talk := self._talks.get(game):
            talk.lines = [
                replace(one, deleted_at=now) if one.number == number else one for one in talk.lines
            ]
            for listener in list(talk.listeners):
                listener.unsaid()
        return was
