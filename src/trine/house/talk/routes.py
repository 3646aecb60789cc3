"""The notes on a finished game: the forms of its page, and the part that shows them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.text.language import open_language
from trine.core.text.sentence import text
from trine.house.games.games import Games
from trine.house.games.host import Host
from trine.house.games.snapshot import Snapshot
from trine.house.people import account_rows
from trine.house.people.accounts import ADMIN, Accounts
from trine.house.people.blocks import Blocks
from trine.house.people.person_rows import Person
from trine.house.refusals import HouseError
from trine.house.store.store import Store
from trine.house.talk.chat import PRESETS, WHYS, Chats, Complaints
from trine.house.talk.notes import LONGEST, Notes, may_have_notes
from trine.house.talk.tables import ChatLine
from trine.house.web.frame import Frame


def routes(
    frame: Frame[Person],
    games: Games,
    notes: Notes,
    chats: Chats,
    blocks: Blocks,
    complaints: Complaints,
) -> list[Route]:
    """The routes of notes."""
    pages = _NotePages(frame, games, notes, chats, blocks, complaints)
    return [
        Route("/game/{id}/notes", pages.leave, methods=["POST"]),
        Route("/game/{id}/notes/{number:int}", pages.mind, methods=["POST"]),
    ]


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


async def chat_shown(
    frame: Frame[Person], request: Request, snapshot: Snapshot, person: Person | None
) -> Mapping[str, Any]:
    """The part of a game's page that has its chat."""
    say = open_language(frame.language_of(request)).say
    return {"chat_whys": {name: say(why) for name, why in WHYS.items()}, "presets": PRESETS}


async def notes_shown(
    notes: Notes,
    accounts: Accounts,
    store: Store,
    request: Request,
    snapshot: Snapshot,
    person: Person | None,
) -> Mapping[str, Any]:
    """Return the values for the notes on a game's page."""
    lines: Sequence[ChatLine] = await notes.read(snapshot, person)
    people = list({line.person for line in lines})
    known = await store.fetch(account_rows.accounts_of, people)
    account = await accounts.of(person)
    tags = [turn.tag for turn in snapshot.written]
    seen = [
        NoteSeen(
            line,
            tags[line.turn - 1] if line.turn else "",
            time.strftime("%Y-%m-%d", time.gmtime(line.at)),
            person is not None and line.person == person.id,
            line.person in known,
        )
        for line in lines
    ]
    return {
        "notes": seen,
        "noted": {line.turn for line in lines if line.turn},
        "tags": tags,
        "may_note": may_have_notes(snapshot),
        "longest": LONGEST,
        "moderates": account is not None and account.role == ADMIN,
        "whys": WHYS,
    }


class _NotePages:
    def __init__(
        self,
        frame: Frame[Person],
        games: Games,
        notes: Notes,
        chats: Chats,
        blocks: Blocks,
        complaints: Complaints,
    ) -> None:
        self._frame, self._games, self._notes = frame, games, notes
        self._chats, self._blocks, self._complaints = chats, blocks, complaints

    async def _asked(self, request: Request) -> tuple[Host, Person, dict[str, str]]:
        """Return the game, the person and the form of a request.

        Raises:
            HTTPException: nobody knows who it is.
        """
        form = await self._frame.form_of(request)
        host = await self._games.host(request.path_params["id"])
        person = await self._frame.person_of(request)
        if not person:
            raise HTTPException(HTTPStatus.FORBIDDEN)
        return host, person, form

    async def leave(self, request: Request) -> Response:
        host, person, form = await self._asked(request)
        self._chats.check_pace(person.id, self._frame.address_of(request))
        given = form.get("turn", "")
        turn = int(given) if given.isdecimal() and len(given) < 6 else None
        note = await self._notes.leave(person, host.snapshot, form.get("words", ""), turn or None)
        return self._back(host, note.turn, f"note-{note.number}")

    async def mind(self, request: Request) -> Response:
        """Remove a note, report it, or block its author."""
        host, person, form = await self._asked(request)
        what = form.get("what", "")
        note = await self._notes.note(host.id, request.path_params["number"])
        if what == "remove":
            await self._notes.remove(person, host.id, note.number)
        elif what == "block":
            await self._blocks.block(person, note.person)
        elif what == "report":
            if not person.has_account:
                raise HouseError(text("to report somebody you need an account"))
            await self._complaints.report(person, note.person, form.get("why", ""), "", note)
            return await self._frame.show(
                request, "note_reported.html", game=host.id, turn=note.turn
            )
        else:
            raise HTTPException(HTTPStatus.BAD_REQUEST)
        return self._back(host, note.turn, "notes")

    def _back(self, host: Host, turn: int | None, part: str) -> Response:
        where = f"?turn={turn}" if turn else ""
        return RedirectResponse(f"/game/{host.id}{where}#{part}", 303)
