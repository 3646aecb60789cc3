"""The chat of a game as one page shows it, and the notes on a finished game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import IllegalError
from trine.core.text.sentence import Text, text, verbatim
from trine.house.games import messages
from trine.house.games.games import Games
from trine.house.games.host import Host
from trine.house.games.snapshot import Snapshot
from trine.house.people.accounts import Accounts
from trine.house.people.relations import Blocks
from trine.house.people.tables import Person, accounts_of
from trine.house.refusals import HouseError
from trine.house.store.store import Store
from trine.house.talk.chat import (
    LONGEST_NOTE,
    PRESETS,
    WHYS,
    Chats,
    Complain,
    Notes,
    may_have_notes,
    rooms_of,
)
from trine.house.talk.tables import ChatLine
from trine.house.web.frame import Form, Frame
from trine.house.web.messages import Sent
from trine.house.web.pages import day


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
        complain: Complain,
        person: Person | None,
        wake: Callable[[], None],
    ) -> None:
        self._chats, self._blocks, self._complain = chats, blocks, complain
        self._person, self._wake = person, wake
        self._game = ""
        self._blocked: dict[str, str] = {}
        self._rooms: tuple[str, ...] = ()
        self._new: list[ChatLine] = []
        self._whole = True

    async def enter(self, snapshot: Snapshot) -> None:
        self._game, self._rooms = snapshot.game, rooms_of(snapshot, self._id)
        if self._id:
            self._blocked = await self._blocks.blocked_by(self._id)
        await self._chats.enter(self._game, self)

    def leave(self) -> None:
        self._chats.leave(self._game, self)

    @property
    def _id(self) -> str | None:
        return self._person.id if self._person else None

    # --- what is told by the house ----------------------------------------------------------------

    def said(self, line: ChatLine) -> None:
        self._new.append(line)
        self._wake()

    def unsaid(self) -> None:
        self._whole = True
        self._wake()

    def look(self, snapshot: Snapshot) -> None:
        """The game has changed; players may read the watchers' room once it is over."""
        rooms = rooms_of(snapshot, self._id)
        if rooms != self._rooms:
            self._rooms, self._whole = rooms, True

    def news(self) -> Chat | None:
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
        self._chats.check_pace(self._id or address, address)
        await self._chats.say(self._person, snapshot, message.room, message.words, message.preset)

    async def mind(self, message: messages.Mind) -> Text:
        """Report a line, or block its author; return the result."""
        line = self._chats.line(self._game, message.number)
        if not self._person or not line or line.room not in self._rooms:
            raise IllegalError("there is no such line")
        if not self._person.has_account and message.what == "report":
            raise HouseError("to report somebody you need an account")
        if message.what == "report":
            await self._complain(self._person, line, message.why)
            return text("Thank you; the administrators will look at it.")
        await self._blocks.block(self._person, line.person)
        self._blocked[line.person] = line.name
        self._whole = True
        self._wake()
        return text("You hear nothing more of {name}.", name=line.name)


@dataclass(frozen=True)
class NoteSeen:
    """A note as a person sees it."""

    line: ChatLine
    tag: str
    """The turn that the note is about; empty for the whole game."""
    date: str
    own: bool
    known: bool
    """Whether the author has a page."""


@dataclass(frozen=True)
class NotePages:
    """The notes on a finished game, and the talk at one."""

    frame: Frame[Person]
    games: Games
    notes: Notes
    chats: Chats
    blocks: Blocks
    complain: Complain
    accounts: Accounts
    store: Store

    def routes(self) -> list[Route]:
        return [
            Route("/game/{id}/notes", self.leave, methods=["POST"]),
            Route("/game/{id}/notes/{number:int}", self.mind, methods=["POST"]),
        ]

    async def shown(
        self, request: Request, snapshot: Snapshot, person: Person | None
    ) -> Mapping[str, Any]:
        lines: Sequence[ChatLine] = await self.notes.read(snapshot, person)
        people = list({line.person for line in lines})
        known = await self.store.fetch(accounts_of, people)
        account = await self.accounts.of(person)
        tags = [turn.tag for turn in snapshot.written]
        say = self.frame.language(request).say
        return {
            "chat_whys": {name: say(why) for name, why in WHYS.items()},
            "presets": PRESETS,
            "notes": [
                NoteSeen(
                    line,
                    tags[line.turn - 1] if line.turn else "",
                    day(line.at),
                    person is not None and line.person == person.id,
                    line.person in known,
                )
                for line in lines
            ],
            "noted": {line.turn for line in lines if line.turn},
            "tags": tags,
            "may_note": may_have_notes(snapshot),
            "longest": LONGEST_NOTE,
            "moderates": account is not None and account.admin,
            "whys": WHYS,
        }

    async def _asked(self, request: Request) -> tuple[Host, Person, Form]:
        form = await self.frame.form_of(request)
        host = await self.games.host(request.path_params["id"])
        person = await self.frame.person_of(request)
        if not person:
            raise HTTPException(HTTPStatus.FORBIDDEN)
        return host, person, form

    async def leave(self, request: Request) -> Response:
        host, person, form = await self._asked(request)
        self.chats.check_pace(person.id, self.frame.address_of(request))
        given = form["turn"]
        turn = int(given) if given.isdecimal() and len(given) < 6 else None
        note = await self.notes.leave(person, host.snapshot, form["words"], turn or None)
        return self._back(host, note.turn, f"note-{note.number}")

    async def mind(self, request: Request) -> Response:
        host, person, form = await self._asked(request)
        what = form["what"]
        note = await self.notes.note(host.id, request.path_params["number"])
        if what == "remove":
            await self.notes.remove(person, host.id, note.number)
        elif what == "block":
            await self.blocks.block(person, note.person)
        elif what == "report":
            if not person.has_account:
                raise HouseError("to report somebody you need an account")
            await self.complain(person, note, form["why"])
            return await self.frame.show(
                request, "note_reported.html", game=host.id, turn=note.turn
            )
        else:
            raise HTTPException(HTTPStatus.BAD_REQUEST)
        return self._back(host, note.turn, "notes")

    def _back(self, host: Host, turn: int | None, part: str) -> Response:
        where = f"?turn={turn}" if turn else ""
        return RedirectResponse(f"/game/{host.id}{where}#{part}", 303)
