"""The notes on a game that is over: what is sent from its page, and how they are shown there."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.text import text
from trine.house.accounts import ADMIN
from trine.house.host import Host
from trine.house.moderation import WHYS
from trine.house.notes import LONGEST, may_have_notes
from trine.house.refusals import HouseError, TooMuchError
from trine.house.snapshot import Snapshot
from trine.store.chat_rows import ChatLine
from trine.store.people import Person
from trine.web import words
from trine.web.chat_words import NOTES

if TYPE_CHECKING:
    from trine.web.site import Site


def routes(site: Site) -> list[Route]:
    """The routes of notes."""
    pages = _NotePages(site)
    return [
        Route("/game/{id}/notes", pages.leave, methods=["POST"]),
        Route("/game/{id}/notes/{number:int}", pages.mind, methods=["POST"]),
    ]


@dataclass(frozen=True)
class NoteSeen:
    """A note as somebody sees it."""

    line: ChatLine
    tag: str
    """The turn that it is about; empty for the whole game."""
    date: str
    own: bool
    known: bool
    """Whether its author has a page."""


async def notes_shown(site: Site, snapshot: Snapshot, person: Person | None) -> dict[str, Any]:
    """The part of a game's page that has its notes."""
    lines: Sequence[ChatLine] = await site.house.notes.read(snapshot, person)
    people = list({line.person for line in lines})
    known = await asyncio.to_thread(site.house.store.accounts.of_all, people)
    account = await site.house.accounts.of(person)
    tags = [turn.tag for turn in snapshot.written]
    notes = [
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
        "notes": notes,
        "noted": {line.turn for line in lines if line.turn},
        "tags": tags,
        "may_note": may_have_notes(snapshot),
        "longest": LONGEST,
        "moderates": account is not None and account.role == ADMIN,
        "whys": WHYS,
    }


class _NotePages:
    def __init__(self, site: Site) -> None:
        self._site = site

    async def _asked(self, request: Request) -> tuple[Host, Person, dict[str, str]]:
        """The game, the person and the form.

        Raises:
            HTTPException: nobody knows who it is.
        """
        form = await self._site.form_of(request)
        host = await self._site.house.host(request.path_params["id"])
        person = await self._site.person_of(request)
        if not person:
            raise HTTPException(HTTPStatus.FORBIDDEN)
        return host, person, form

    async def leave(self, request: Request) -> Response:
        host, person, form = await self._asked(request)
        address = self._site.address_of(request)
        if not (self._site.talkers.take(person.id) and self._site.talking.take(address)):
            raise TooMuchError
        given = form.get("turn", "")
        turn = int(given) if given.isdecimal() and len(given) < 6 else None
        note = await self._site.house.notes.leave(
            person, host.snapshot, form.get("words", ""), turn or None
        )
        return self._back(host, note.turn, f"note-{note.number}")

    async def mind(self, request: Request) -> Response:
        """Remove a note, report it, or block whoever has left it."""
        host, person, form = await self._asked(request)
        house, what = self._site.house, form.get("what", "")
        note = await house.notes.note(host.id, request.path_params["number"])
        if what == "remove":
            await house.notes.remove(person, host.id, note.number)
        elif what == "block":
            await house.moderation.block(person, note.person)
        elif what == "report":
            if not person.has_account:
                raise HouseError(text("to report somebody you need an account"))
            await house.moderation.report(person, note.person, form.get("why", ""), "", note)
            told = words.said(NOTES, self._site.language_of(request))
            return await self._site.show(
                request, "noted.html", game=host.id, told=told, turn=note.turn
            )
        else:
            raise HTTPException(HTTPStatus.BAD_REQUEST)
        return self._back(host, note.turn, "notes")

    def _back(self, host: Host, turn: int | None, part: str) -> Response:
        where = f"?turn={turn}" if turn else ""
        return RedirectResponse(f"/game/{host.id}{where}#{part}", 303)
