"""The chat of games, with a room for players and one for watchers, and notes on finished games.

Notes are public, about a turn or the whole game, and stored as chat lines in a separate room: so
muting, blocking, reports, and deleting lines and accounts work as for chat.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import msgspec
from sqlalchemy import Connection

from trine.core.errors import IllegalError, MalformedError
from trine.core.text.sentence import Text, text, verbatim
from trine.house.games.live.change_hooks import Write
from trine.house.games.view import messages
from trine.house.games.view.snapshot import Snapshot
from trine.house.people.accounts import Accounts
from trine.house.people.names import DELETED, name_text
from trine.house.people.quotas import QuotaKind, Quotas
from trine.house.people.relations import Blocks
from trine.house.people.sanctions import Sanctions
from trine.house.people.tables import Person
from trine.house.refusals import HouseError, PaceError
from trine.house.store.store import Store
from trine.house.talk import tables
from trine.house.talk.tables import ChatLine
from trine.house.web.messages import Sent
from trine.house.web.rate_limits import CHAT_LINES, RateLimiter

PLAYERS, WATCHERS = "players", "watchers"  # the chat rooms of a game
MAX_LENGTH: Final = 200  # characters
MAX_CHAT_LINES: Final = 100  # shown of a game's chat, the newest ones
MAX_MARKS: Final = 2
"""The maximum number of combining marks on a letter; more would overlap other lines."""
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
"""Sentences that guests, too, can say with one tap, shown in each reader's language."""
WHYS: Final = {
    "abuse": text("insults or threats"),
    "spam": text("advertising or nonsense"),
    "cheating": text("help by a program"),
    "leaving": text("leaves games, or stalls"),
    "name": text("an offensive name"),
    "other": text("something else"),
}
"""The reasons of reports."""


Complain = Callable[[Person, ChatLine, str], Awaitable[None]]
"""A function that reports a line for a reason, or raises a `TrineError`."""


def seemly_line(words: str, longest: int = MAX_LENGTH) -> str:
    r"""Clean a line for display: remove characters that are invisible, reverse text or pile up.

    Raises `MalformedError` if the line is empty or too long.

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
        elif kind[0] != "C" and marks <= MAX_MARKS:
            kept.append(sign)
    shown = " ".join("".join(kept).split())
    if not shown:
        raise MalformedError("there is nothing to say")
    if len(shown) > longest:
        raise MalformedError("a line has at most {count} characters", count=longest)
    return shown


def rooms_of(snapshot: Snapshot, person_id: str | None) -> tuple[str, ...]:
    """Return the rooms that a person uses; players get the watchers' room after the game."""
    if not snapshot.seats_of(person_id):
        return (WATCHERS,)
    people = {seat.person for seat in snapshot.seats if seat.person}
    own = (PLAYERS,) if len(people) > 1 else ()
    return (*own, WATCHERS) if snapshot.over else own


@dataclass
class _Talk:
    """The chat of one game."""

    lines: list[ChatLine] = field(default_factory=list)
    deleted: set[int] = field(default_factory=set)
    """The numbers of lines deleted since the chat was loaded into memory."""
    reading: asyncio.Task[None] | None = None  # the task that loads stored lines, until it is done
    listeners: set[PageChat] = field(default_factory=set)


class Chats:
    """The chats of all games; those with listeners are in memory."""

    def __init__(self, store: Store, sanctions: Sanctions, quotas: Quotas) -> None:
        self._store, self._sanctions, self._quotas = store, sanctions, quotas
        self._talks: dict[str, _Talk] = {}
        self._of_person = RateLimiter(CHAT_LINES)
        self._of_address = RateLimiter(CHAT_LINES * 10)

    def check_pace(self, speaker: str, address: str) -> None:
        for rate, key in ((self._of_person, speaker), (self._of_address, address)):
            if not rate.take(key):
                raise PaceError(max(1, rate.retry_after(key)))

    async def enter(self, game_id: str, listener: PageChat) -> Sequence[ChatLine]:
        """Subscribe a page to the chat of a game; return the last lines."""
        talk = self._talks.get(game_id)
        if not talk:
            talk = self._talks[game_id] = _Talk()
            talk.reading = asyncio.create_task(self._read(game_id, talk))
        talk.listeners.add(listener)
        if talk.reading:  # meanwhile the listener gets new lines
            await asyncio.shield(talk.reading)
        return self.lines(game_id)

    async def _read(self, game_id: str, talk: _Talk) -> None:
        """Load the last lines, and merge those said or deleted meanwhile."""
        try:
            lines = await self._store.fetch(
                tables.last_lines, game_id=game_id, limit=MAX_CHAT_LINES
            )
        except BaseException:
            if self._talks.get(game_id) is talk:
                del self._talks[game_id]
            raise
        numbers = {line.number for line in talk.lines}
        before = [line for line in lines if line.number not in numbers | talk.deleted]
        talk.lines = [*before, *talk.lines][-MAX_CHAT_LINES:]
        talk.reading = None

    def leave(self, game_id: str, listener: PageChat) -> None:
        if talk := self._talks.get(game_id):
            talk.listeners.discard(listener)
            if not talk.listeners:
                del self._talks[game_id]

    def lines(self, game_id: str) -> Sequence[ChatLine]:
        """Return the last lines of a game in memory, without deleted ones."""
        talk = self._talks.get(game_id)
        return [line for line in talk.lines if line.deleted_at is None] if talk else []

    def line(self, game_id: str, number: int) -> ChatLine | None:
        return next((one for one in self.lines(game_id) if one.number == number), None)

    async def say(
        self, person: Person | None, snapshot: Snapshot, room: str, words: str, preset: str
    ) -> ChatLine:
        if not person:
            raise HouseError("take a seat or log in to say something")
        if room not in rooms_of(snapshot, person.id):
            raise HouseError("this cannot be said here")
        self._sanctions.check_may_speak(person.id)
        if preset:
            if preset not in PRESETS:
                raise MalformedError("this cannot be said here")
            words = ""
        elif not person.has_account:
            raise HouseError("guests choose from the sentences; with an account you can type")
        else:
            words = seemly_line(words)
        self._quotas.spend(QuotaKind.LINE, person)
        line = ChatLine(
            game=snapshot.game,
            number=0,
            room=room,
            person=person.id,
            name=person.name,
            at=self._store.now(),
            words=words,
            preset=preset,
        )
        said = await self._store.commit(tables.add_line, line=line)
        if talk := self._talks.get(snapshot.game):
            if all(line.number != said.number for line in talk.lines):  # the load may have it
                talk.lines = [*talk.lines[1 - MAX_CHAT_LINES :], said]
            for listener in list(talk.listeners):
                listener.said(said)
        return said

    @property
    def authors(self) -> set[str]:
        """The people who wrote the lines in memory."""
        return {line.person for talk in self._talks.values() for line in talk.lines}

    def forget(self, person_id: str) -> None:
        """Erase the name and the words of a person from the chats in memory."""
        self._change(person_id, lambda line: replace(line, name=DELETED, words=""))

    def rename(self, person: Person) -> None:
        """Replace the name on the lines of a person in the chats in memory."""
        self._change(person.id, lambda line: replace(line, name=person.name))

    def _change(self, person_id: str, changed: Callable[[ChatLine], ChatLine]) -> None:
        for talk in self._talks.values():
            if any(line.person == person_id for line in talk.lines):
                talk.lines = [
                    changed(line) if line.person == person_id else line for line in talk.lines
                ]
                for listener in list(talk.listeners):
                    listener.deleted()

    async def delete(self, game_id: str, number: int, also: Write | None = None) -> bool:
        """Hide a line from all but administrators; return whether it was visible before."""

        def write(connection: Connection) -> bool:
            if also:
                also(connection)
            return tables.delete_line(connection, game_id, number, now)

        now = self._store.now()
        was = await self._store.commit(write)
        if talk := self._talks.get(game_id):
            talk.deleted.add(number)
            talk.lines = [line for line in talk.lines if line.number != number]
            for listener in list(talk.listeners):
                listener.deleted()
        return was


class Said(msgspec.Struct):
    """A chat line, as sent to a page."""

    n: int  # number of the line, for reports
    room: str
    name: Text
    own: bool  # whether the reader is the author
    words: Text


class Chat(Sent, tag="chat"):
    """New chat lines, or all of them."""

    lines: list[Said]
    whole: bool
    """Whether ``lines`` replaces all lines on the page; otherwise the lines are appended."""
    rooms: Sequence[str]  # the rooms that the reader reads and speaks in
    types: bool  # whether the reader may type text, not only choose from the sentences


@dataclass(eq=False)
class PageChat:
    """The chat of one page: the lines to send to it, and its visitor's right to speak."""

    chats: Chats
    blocks: Blocks
    complain: Complain
    person: Person | None
    wake: Callable[[], None]

    def __post_init__(self) -> None:
        self._game = ""
        self._blocked: dict[str, str] = {}
        self._rooms: tuple[str, ...] = ()
        self._new: list[ChatLine] = []
        self._whole = True

    async def enter(self, snapshot: Snapshot) -> None:
        self._game, self._rooms = snapshot.game, rooms_of(snapshot, self._id)
        if self._id:
            self._blocked = await self.blocks.blocked_by(self._id)
        await self.chats.enter(self._game, self)

    def leave(self) -> None:
        self.chats.leave(self._game, self)

    @property
    def _id(self) -> str | None:
        return self.person.id if self.person else None

    def said(self, line: ChatLine) -> None:
        self._new.append(line)
        self.wake()

    def deleted(self) -> None:
        self._whole = True
        self.wake()

    def update(self, snapshot: Snapshot) -> None:
        """Update the rooms after a change of the game: after its end players see all rooms."""
        rooms = rooms_of(snapshot, self._id)
        if rooms != self._rooms:
            self._rooms, self._whole = rooms, True

    def news(self) -> Chat | None:
        whole, self._whole = self._whole, False
        new, self._new = self._new, []
        lines = self.chats.lines(self._game) if whole else new
        shown = [self._as_message(line) for line in lines if self._hears(line)]
        if not (whole or shown):
            return None
        return Chat(shown, whole, self._rooms, self._types)

    @property
    def _types(self) -> bool:
        return self.person is not None and self.person.has_account

    def _hears(self, line: ChatLine) -> bool:
        content = line.words or line.preset  # empty if the author's account was deleted
        return bool(content) and line.room in self._rooms and line.person not in self._blocked

    def _as_message(self, line: ChatLine) -> Said:
        words = PRESETS.get(line.preset) or verbatim(line.words)
        name = name_text(line.name)
        return Said(line.number, line.room, name, line.person == self._id, words)

    async def say(self, snapshot: Snapshot, message: messages.Say, address: str) -> None:
        self.chats.check_pace(self._id or address, address)
        await self.chats.say(self.person, snapshot, message.room, message.words, message.preset)

    async def moderate(self, message: messages.ModerateLine) -> Text:
        """Report a line, or block its author; return the result."""
        line = self.chats.line(self._game, message.number)
        if not self.person or not line or line.room not in self._rooms:
            raise IllegalError("there is no such line")
        if not self.person.has_account and message.what == "report":
            raise HouseError("to report somebody you need an account")
        if message.what == "report":
            await self.complain(self.person, line, message.why)
            return text("Thank you; the administrators will look at it.")
        await self.blocks.block(self.person, line.person)
        self._blocked[line.person] = line.name
        self._whole = True
        self.wake()
        return text("You will not see messages from {name} any more.", name=name_text(line.name))


MAX_NOTE_LENGTH: Final = 500  # characters
MAX_NOTES_SHOWN: Final = 300  # on a game
MAX_NOTES: Final = 30  # of one person on a game


@dataclass(frozen=True)
class Notes:
    """Reads, adds and deletes notes on finished games."""

    store: Store
    chats: Chats
    accounts: Accounts
    blocks: Blocks
    sanctions: Sanctions
    deleted: Callable[[Person, ChatLine], Write]
    """Returns the write that logs an administrator's deletion of another person's note."""

    async def read(self, snapshot: Snapshot, viewer: Person | None) -> Sequence[ChatLine]:
        """Return the notes on a game without those by blocked people; whole-game notes first."""
        if not may_have_notes(snapshot):
            return []
        blocked: Container[str] = ()
        if viewer:
            blocked = await self.blocks.blocked_by(viewer.id)
        notes = await self._all(snapshot.game)
        return [note for note in notes if note.words and note.person not in blocked]

    async def _all(self, game_id: str) -> Sequence[ChatLine]:
        return await self.store.fetch(tables.notes_of, game_id=game_id, limit=MAX_NOTES_SHOWN)

    async def leave(
        self, person: Person | None, snapshot: Snapshot, words: str, turn: int | None
    ) -> ChatLine:
        if not may_have_notes(snapshot) or not snapshot.state:
            raise HouseError("notes are for games that are over")
        if not person or not person.has_account:
            raise HouseError("to leave a note you need an account")
        self.sanctions.check_may_speak(person.id)
        if turn is not None and not 0 <= turn <= len(snapshot.state.play.turns):
            raise HouseError("the game has no such turn")
        line = ChatLine(
            game=snapshot.game,
            number=0,
            room=tables.NOTES,
            person=person.id,
            name=person.name,
            at=self.store.now(),
            words=seemly_line(words, MAX_NOTE_LENGTH),
            turn=turn,
        )
        left = await self.store.commit(
            tables.add_note, line=line, most=MAX_NOTES, all_together=MAX_NOTES_SHOWN
        )
        if not left:
            raise HouseError("there are enough notes on this game")
        return left

    async def note(self, game_id: str, number: int) -> ChatLine:
        for one in await self._all(game_id):
            if one.number == number:
                return one
        raise HouseError("there is no such note")

    async def remove(self, person: Person, game_id: str, number: int) -> None:
        """Hide a note from all but administrators; other people may hide only their own."""
        note, log = await self.note(game_id, number), None
        if note.person != person.id:
            account = await self.accounts.of(person)
            if not account or not account.admin:
                raise HouseError("this note is not yours")
            log = self.deleted(person, note)
        await self.chats.delete(game_id, number, log)


def may_have_notes(snapshot: Snapshot) -> bool:
    return snapshot.over and snapshot.state is not None and not snapshot.aborted
