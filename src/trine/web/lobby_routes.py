"""The page of the lobby, what is done there, and its socket."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from trine.core.errors import TrineError
from trine.store.people import Person
from trine.store.tokens import new_id
from trine.web import words
from trine.web.lobby_socket import LobbyConnection, lists
from trine.web.offer import offers, read_seek
from trine.web.people_words import PEOPLE
from trine.web.refusing import refusal_of

if TYPE_CHECKING:
    from trine.web.site import Site


def routes(site: Site) -> list[Route | WebSocketRoute]:
    """The routes of the lobby."""
    pages = _LobbyPages(site)
    return [
        Route("/lobby", pages.lobby),
        Route("/lobby", pages.open, methods=["POST"]),
        Route("/lobby/{id}/take", pages.take, methods=["POST"]),
        Route("/lobby/{id}/withdraw", pages.withdraw, methods=["POST"]),
        WebSocketRoute("/lobby/socket", pages.socket),
    ]


class _LobbyPages:
    def __init__(self, site: Site) -> None:
        self._site = site

    async def lobby(self, request: Request) -> Response:
        return await self._show(request, dict(request.query_params))

    async def _show(
        self,
        request: Request,
        chosen: dict[str, str],
        status: int = 200,
        refusal: TrineError | None = None,
    ) -> Response:
        site = self._site
        site.charge(request, 2)
        await site.house.lobby.attend()
        person = await site.person_of(request)
        if game := site.house.lobby.led_to(person):
            return RedirectResponse(f"/game/{game}", 303)
        own = await site.house.games_of(person)
        code = site.language_of(request)
        return await site.show(
            request,
            "lobby.html",
            status,
            people=words.said(PEOPLE, code),
            lists=lists(
                *(site.pages, site.house.lobby.look(), person, own),
                site.house.challenges.of(person.id if person else None),
                *(code, site.house.now()),
            ),
            seek=new_id(),
            may_rate=person is not None and person.has_account,
            refusal=refusal,
            posted=refusal is not None,
            **offers(chosen),
        )

    async def open(self, request: Request) -> Response:
        await self._site.house.lobby.attend()
        form = await self._site.form_of(request)
        name = form.get("seek", "")
        if not re.fullmatch("[0-9A-Za-z]{12}", name):
            raise HTTPException(HTTPStatus.BAD_REQUEST)
        try:
            agreement, side = read_seek(form)
            person, token = await self._site.known(request, form.get("name", "").strip())
            found = await self._site.house.lobby.open(name, person, agreement, side)
        except TrineError as error:
            known = {key: value for key, value in form.items() if key != "seek"}
            return await self._show(request, known, HTTPStatus.BAD_REQUEST, refusal_of(error))
        there = f"/game/{found}" if isinstance(found, str) else f"/lobby?game={agreement.game}"
        return self._site.remember(request, RedirectResponse(there, 303), token)

    async def take(self, request: Request) -> Response:
        await self._site.house.lobby.attend()
        await self._site.form_of(request)
        person, token = await self._site.known(request, "")
        try:
            game = await self._site.house.lobby.take(request.path_params["id"], person)
        except TrineError as error:
            return await self._show(request, {}, HTTPStatus.CONFLICT, refusal_of(error))
        if game:
            self._site.house.lobby.led_to(person)
        there = f"/game/{game}" if game else "/lobby"
        return self._site.remember(request, RedirectResponse(there, 303), token)

    async def withdraw(self, request: Request) -> Response:
        await self._site.house.lobby.attend()
        await self._site.form_of(request)
        if person := await self._site.person_of(request):
            self._site.house.lobby.withdraw(request.path_params["id"], person)
        return RedirectResponse("/lobby", 303)

    async def socket(self, socket: WebSocket) -> None:
        async def page(person: Person | None) -> LobbyConnection:
            await self._site.house.lobby.attend()
            own = await self._site.house.games_of(person)
            return LobbyConnection(self._site, socket, person, self._site.language_of(socket), own)

        await self._site.sockets.speak(socket, page)
