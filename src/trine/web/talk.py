"""The chat of a game as one page shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from trine.core.errors import IllegalError
from trine.core.text import Text, text
from trine.house.chat import PRESETS, rooms_of
from trine.house.refusals import HouseError, TooMuchError
from trine.house.snapshot import Snapshot
from trine.store.chat_rows import ChatLine
from trine.store.people import Person
from trine.web import messages

if TYPE_CHECKING:
    from trine.web.site import Site


class Talk:
    """The part of a chat that one page has shown, and its right to speak."""

    def __init__(
        self,
        site: Site,
        person: Person | None,
        say: Callable[[Text], str],
        wake: Callable[[], None],
    ) -> None:
        self._site, self._person, self._say, self._wake = site, person, say, wake
        self._game = ""
        self._blocked: dict[str, str] = {}
        self._rooms: tuple[str, ...] = ()
        self._new: list[ChatLine] = []
        self._whole = True

    async def enter(self, snapshot: Snapshot) -> None:
        """Begin to listen."""
        self._game, self._rooms = snapshot.game, rooms_of(snapshot, self._id)
        if self._id:
            self._blocked = await self._site.house.moderation.blocked_by(self._id)
        await self._site.house.chats.enter(self._game, self)

    def leave(self) -> None:
        """Listen no more."""
        self._site.house.chats.leave(self._game, self)

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
        """The game has changed; when it is over players may hear those who look on."""
        rooms = rooms_of(snapshot, self._id)
        if rooms != self._rooms:
            self._rooms, self._whole = rooms, True

    def news(self) -> dict[str, Any] | None:
        """The message that shows what is new; None where nothing is."""
        whole, self._whole = self._whole, False
        new, self._new = self._new, []
        lines = self._site.house.chats.lines(self._game) if whole else new
        shown = [self._told(line) for line in lines if self._hears(line)]
        if not (whole or shown):
            return None
        message: dict[str, Any] = {"t": "chat", "lines": shown}
        if whole:
            message |= {"whole": True, "rooms": list(self._rooms), "types": self._types}
        return message

    @property
    def _types(self) -> bool:
        return self._person is not None and self._person.has_account

    def _hears(self, line: ChatLine) -> bool:
        said = line.words or line.preset  # nothing is left of what went with an account
        return bool(said) and line.room in self._rooms and line.person not in self._blocked

    def _told(self, line: ChatLine) -> dict[str, Any]:
        preset = PRESETS.get(line.preset)
        return {
            "n": line.number,
            "room": line.room,
            "name": line.name,
            "own": line.person == self._id,
            "words": self._say(preset) if preset else line.words,
        }

    # --- what the page wants ----------------------------------------------------------------------

    async def say(self, snapshot: Snapshot, message: messages.Say, address: str) -> None:
        """Say something.

        Raises:
            TrineError: it cannot be said here, or too much was said.
        """
        speaker = self._id or address
        if not (self._site.talkers.take(speaker) and self._site.talking.take(address)):
            raise TooMuchError
        await self._site.house.chats.say(
            self._person, snapshot, message.room, message.words, message.preset
        )

    async def mind(self, message: messages.Mind) -> Text:
        """Report a line, or block whoever has said it; what has become of it.

        Raises:
            TrineError: this cannot be done.
        """
        line = self._site.house.chats.line(self._game, message.number)
        if not self._person or not line or line.room not in self._rooms:
            raise IllegalError(text("there is no such line"))
        if not self._person.has_account and message.what == "report":
            raise HouseError(text("to report somebody you need an account"))
        moderation = self._site.house.moderation
        if message.what == "report":
            await moderation.report(self._person, line.person, message.why, "", line)
            return text("Thank you; the administrators will look at it.")
        await moderation.block(self._person, line.person)
        self._blocked[line.person] = line.name
        self._whole = True
        self._wake()
        return text("You hear nothing more of {name}.", name=line.name)
