"""The chat of a game as one page shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from trine.core.errors import IllegalError
from trine.core.text.sentence import Text, text, verbatim
from trine.house.games import messages
from trine.house.games.snapshot import Snapshot
from trine.house.people.blocks import Blocks
from trine.house.people.person_rows import Person
from trine.house.refusals import HouseError
from trine.house.talk.chat import PRESETS, Chats, Complaints, rooms_of
from trine.house.talk.tables import ChatLine
from trine.house.web.messages import Sent


class Said(msgspec.Struct):
    """A line of the talk."""

    n: int
    """Its number; a report names it."""
    room: str
    name: str
    own: bool
    """Whether the reader has said it."""
    words: Text


class Chat(Sent, tag="chat"):
    """New lines, or all of them."""

    lines: list[Said]
    whole: bool
    """Whether these are all lines; if not, they come behind the others."""
    rooms: Sequence[str]
    """Where the reader hears and speaks."""
    types: bool
    """Whether the reader may say more than the sentences to choose from."""


class PageChat:
    """The chat of one page: the lines that it has shown, and its right to speak."""

    def __init__(
        self,
        chats: Chats,
        blocks: Blocks,
        complaints: Complaints,
        person: Person | None,
        wake: Callable[[], None],
    ) -> None:
        self._chats, self._blocks, self._complaints = chats, blocks, complaints
        self._person, self._wake = person, wake
        self._game = ""
        self._blocked: dict[str, str] = {}
        self._rooms: tuple[str, ...] = ()
        self._new: list[ChatLine] = []
        self._whole = True

    async def enter(self, snapshot: Snapshot) -> None:
        """Start listening."""
        self._game, self._rooms = snapshot.game, rooms_of(snapshot, self._id)
        if self._id:
            self._blocked = await self._blocks.blocked_by(self._id)
        await self._chats.enter(self._game, self)

    def leave(self) -> None:
        """Stop listening."""
        self._chats.leave(self._game, self)

    @property
    def _id(self) -> str | None:
        return self._person.id if self._person else None

    # --- what is told by the house ----------------------------------------------------------------

    def said(self, line: ChatLine) -> None:
        """A line was said."""
        self._new.append(line)
        self._wake()

    def unsaid(self) -> None:
        """A line was deleted."""
        self._whole = True
        self._wake()

    def look(self, snapshot: Snapshot) -> None:
        """The game has changed; players may read the watchers' room once it is over."""
        rooms = rooms_of(snapshot, self._id)
        if rooms != self._rooms:
            self._rooms, self._whole = rooms, True

    def news(self) -> Chat | None:
        """Return the message with new lines; None if there are none."""
        whole, self._whole = self._whole, False
        new, self._new = self._new, []
        lines = self._chats.lines(self._game) if whole else new
        shown = [self._told(line) for line in lines if self._hears(line)]
        if not (whole or shown):
            return None
        return Chat(shown, whole, self._rooms, self._types)

    @property
    def _types(self) -> bool:
        return self._person is not None and self._person.has_account

    def _hears(self, line: ChatLine) -> bool:
        said = line.words or line.preset  # nothing is left of what went with an account
        return bool(said) and line.room in self._rooms and line.person not in self._blocked

    def _told(self, line: ChatLine) -> Said:
        words = PRESETS.get(line.preset) or verbatim(line.words)
        return Said(line.number, line.room, line.name, line.person == self._id, words)

    # --- what the page wants ----------------------------------------------------------------------

    async def say(self, snapshot: Snapshot, message: messages.Say, address: str) -> None:
        """Say something.

        Raises:
            TrineError: it cannot be said here, or too much was said.
        """
        self._chats.check_pace(self._id or address, address)
        await self._chats.say(self._person, snapshot, message.room, message.words, message.preset)

    async def mind(self, message: messages.Mind) -> Text:
        """Report a line, or block its author; return the result.

        Raises:
            TrineError: this cannot be done.
        """
        line = self._chats.line(self._game, message.number)
        if not self._person or not line or line.room not in self._rooms:
            raise IllegalError(text("there is no such line"))
        if not self._person.has_account and message.what == "report":
            raise HouseError(text("to report somebody you need an account"))
        if message.what == "report":
            await self._complaints.report(self._person, line.person, message.why, "", line)
            return text("Thank you; the administrators will look at it.")
        await self._blocks.block(self._person, line.person)
        self._blocked[line.person] = line.name
        self._whole = True
        self._wake()
        return text("You hear nothing more of {name}.", name=line.name)
