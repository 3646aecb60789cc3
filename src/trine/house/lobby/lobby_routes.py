"""The page of the lobby, its forms and its socket."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from trine.core.errors import TrineError
from trine.games import ROOMS
from trine.house.games.games import Games
from trine.house.games.own_games import OwnGames
from trine.house.lobby.challenges import Challenges
from trine.house.lobby.lobby import Lobby
from trine.house.lobby.lobby_socket import LobbyLists, LobbySocket
from trine.house.lobby.new_game import offers, read_seek
from trine.house.people.person_rows import Person
from trine.house.store.secrets import new_id
from trine.house.web.frame import Frame
from trine.house.web.open_sockets import OpenSockets
from trine.house.web.refusing import refusal_of

WITHIN: Final = (100, 200, 400)
"""Units: rating points; the choices of how far the rating of another may be from one's own."""
QUICK: Final = ("3+2", "5+5", "10+10", "2d")
"""The clocks of quick pairings."""


def routes(
    frame: Frame[Person],
    sockets: OpenSockets[Person],
    lobby: Lobby,
    challenges: Challenges,
    own_games: OwnGames,
    games: Games,
) -> list[Route | WebSocketRoute]:
    """The routes of the lobby."""
    lists = LobbyLists(frame, lobby, challenges, games)
    pages = _LobbyPages(frame, sockets, lobby, own_games, lists)
    return [
        Route("/lobby", pages.lobby),
        Route("/lobby", pages.open, methods=["POST"]),
        Route("/lobby/{id}/take", pages.take, methods=["POST"]),
        Route("/lobby/{id}/withdraw", pages.withdraw, methods=["POST"]),
        WebSocketRoute("/lobby/socket", pages.socket),
    ]


def shown_game(connection: HTTPConnection) -> str:
    """Return the game of which alone the lobby shows seats and games; empty for all."""
    given: str = connection.query_params.get("show", "")
    return given if given in ROOMS else ""


class _LobbyPages:
    def __init__(
        self,
        frame: Frame[Person],
        sockets: OpenSockets[Person],
        lobby: Lobby,
        own_games: OwnGames,
        lists: LobbyLists,
    ) -> None:
        self._frame, self._sockets, self._lobby = frame, sockets, lobby
        self._own_games, self._lists = own_games, lists

    async def lobby(self, request: Request) -> Response:
        return await self._show(request, dict(request.query_params))

    async def _show(
        self,
        request: Request,
        chosen: dict[str, str],
        status: int = 200,
        refusal: TrineError | None = None,
    ) -> Response:
        frame = self._frame
        frame.charge(request, 2)
        await self._lobby.attend()
        person = await frame.person_of(request)
        if game := self._lobby.led_to(person):
            return RedirectResponse(f"/game/{game}", 303)
        own = await self._own_games.of(person)
        code, show = frame.language_of(request), shown_game(request)
        return await frame.show(
            request,
            "lobby.html",
            status,
            lists=self._lists.html(self._lobby.look(), person, own, code, show),
            seek=new_id(),
            may_rate=person is not None and person.has_account,
            refusal=refusal,
            posted=refusal is not None,
            quick=QUICK,
            ranges=WITHIN,
            show=show,
            **offers(chosen, code),
        )

    async def open(self, request: Request) -> Response:
        await self._lobby.attend()
        form = await self._frame.form_of(request)
        name = form.get("seek", "")
        if not re.fullmatch("[0-9A-Za-z]{12}", name):
            raise HTTPException(HTTPStatus.BAD_REQUEST)
        try:
            agreement, side = read_seek(form)
            within = next((one for one in WITHIN if form.get("within") == str(one)), None)
            person, token = await self._frame.known(request, form.get("name", "").strip())
            if "pair" in form:
                found = await self._lobby.pair(name, person, agreement)
            else:
                found = await self._lobby.open(name, person, agreement, side, within)
        except TrineError as error:
            known = {key: value for key, value in form.items() if key != "seek"}
            return await self._show(request, known, HTTPStatus.BAD_REQUEST, refusal_of(error))
        if isinstance(found, str):
            self._lobby.led_to(person)
        there = (
            f"/game/{found}" if isinstance(found, str) else f"/lobby?game={agreement.game}#lists"
        )
        return self._frame.remember(request, RedirectResponse(there, 303), token)

    async def take(self, request: Request) -> Response:
        await self._lobby.attend()
        await self._frame.form_of(request)
        person, token = await self._frame.known(request, "")
        try:
            game = await self._lobby.take(request.path_params["id"], person)
        except TrineError as error:
            return await self._show(request, {}, HTTPStatus.CONFLICT, refusal_of(error))
        if game:
            self._lobby.led_to(person)
        there = f"/game/{game}" if game else "/lobby"
        return self._frame.remember(request, RedirectResponse(there, 303), token)

    async def withdraw(self, request: Request) -> Response:
        await self._lobby.attend()
        await self._frame.form_of(request)
        if person := await self._frame.person_of(request):
            self._lobby.withdraw(request.path_params["id"], person)
        return RedirectResponse("/lobby", 303)

    async def socket(self, socket: WebSocket) -> None:
        async def page(person: Person | None) -> LobbySocket:
            await self._lobby.attend()
            own = await self._own_games.of(person)
            show = shown_game(socket)
            return LobbySocket(self._frame, socket, self._lobby, self._lists, person, own, show)

        await self._sockets.speak(socket, page)
