"""The pages of a game, its pictures, and its socket."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from trine.core.language import open_language
from trine.house.host import Host
from trine.store.people import Person
from trine.store.tokens import is_token
from trine.web import words
from trine.web.chat_words import NOTES
from trine.web.connection import Connection
from trine.web.headers import FRESH, KEEP, PICTURE, SVG, packed
from trine.web.note_routes import notes_shown
from trine.web.views import Audience
from trine.web.visitors import taste_of

if TYPE_CHECKING:
    from trine.web.site import Site

MOST_LINKS: Final = 3
"""To other seats of one game."""


def routes(site: Site) -> list[Route | WebSocketRoute]:
    """The routes of a game."""
    pages = _GamePages(site)
    return [
        Route("/game/{id}", pages.game),
        Route("/game/{id}/record", pages.record),
        Route("/game/{id}/picture.svg", pages.picture),
        Route("/game/{id}/turn/{turns:int}", pages.turn),
        Route("/game/{id}/board/{digest}", pages.board),
        WebSocketRoute("/game/{id}/socket", pages.socket),
    ]


class _GamePages:
    def __init__(self, site: Site) -> None:
        self._site = site

    async def _host(self, request: Request) -> Host:
        return await self._site.house.host(request.path_params["id"])

    async def game(self, request: Request) -> Response:
        self._site.charge(request, 5)
        host = await self._host(request)
        person = await self._site.person_of(request)
        snapshot = host.snapshot
        own = snapshot.seats_of(person.id if person else None)
        tokens = request.query_params.get("invite", "").split(".") if own else []
        base = f"{request.url.scheme}://{request.headers.get('host', '')}"
        links = [f"{base}/join/{token}" for token in tokens[:MOST_LINKS] if is_token(token)]
        language, pieces = self._site.language_of(request), taste_of(request).pieces
        about = self._site.pages.game(snapshot, own, language, pieces)
        self._site.boards.keep(about["board"])
        turn = self._where(request, host)[0] if "turn" in request.query_params else None
        noting = words.said(NOTES, language)
        about |= await notes_shown(self._site, snapshot, person)
        return await self._site.show(
            request,
            "game.html",
            links=links,
            turn=turn,
            keep=snapshot.over,
            noting=noting,
            **about,
        )

    async def record(self, request: Request) -> Response:
        self._site.charge(request, 5)
        host = await self._host(request)
        told = self._site.pages.record(host.snapshot, host.entries())
        if "download" in request.query_params:
            return Response(
                told,
                headers={"content-disposition": f'attachment; filename="{host.id}.trine"', **FRESH},
                media_type="text/plain; charset=utf-8",
            )
        return await self._site.show(
            request, "record.html", snapshot=host.snapshot, record=told, keep=host.snapshot.over
        )

    async def picture(self, request: Request) -> Response:
        self._site.charge(request, 10)
        host = await self._host(request)
        turns, seat = self._where(request, host)
        picture = self._site.pages.picture(
            host.snapshot, turns, seat, self._site.language_of(request)
        )
        return packed(request, picture.encode(), SVG, _kept(host) | PICTURE)

    async def turn(self, request: Request) -> Response:
        self._site.charge(request, 3)
        host = await self._host(request)
        turns, seat = self._where(request, host, request.path_params["turns"])
        pieces = taste_of(request).pieces
        scene = self._site.pages.scene(host.snapshot, turns, seat, pieces)
        self._site.boards.keep(scene.board)
        data = {"view": scene.as_data(open_language(self._site.language_of(request)).say)}
        return packed(request, msgspec.json.encode(data), "application/json", _kept(host))

    def _where(self, request: Request, host: Host, turns: int | None = None) -> tuple[int, int]:
        """The position and the seat that are asked for, if there are such."""
        state, query = host.snapshot.state, request.query_params
        most = len(state.play.turns) if state else 0
        try:
            turns = int(query.get("turn", most)) if turns is None else turns
            seat = int(query.get("seat", 0))
        except ValueError:
            raise HTTPException(HTTPStatus.NOT_FOUND) from None
        if not (0 <= turns <= most and 0 <= seat < len(host.snapshot.seats)):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return turns, seat

    async def board(self, request: Request) -> Response:
        self._site.charge(request, 3)
        digest = request.path_params["digest"]
        if digest not in self._site.boards:
            host = await self._host(request)
            for seat in range(len(host.snapshot.seats)):
                for pieces in ("", *host.snapshot.room.piece_sets):
                    scene = self._site.pages.scene(host.snapshot, 0, seat, pieces)
                    self._site.boards.keep(scene.board)
                    # Who has left may have changed what lies beside the squares.
                    audience = Audience(frozenset(), seat, "en", pieces=pieces)
                    self._site.boards.keep(self._site.pages.now(host.snapshot, audience).board)
        return self._site.boards.answer(request, digest)

    async def socket(self, socket: WebSocket) -> None:
        async def page(person: Person | None) -> Connection:
            host = await self._site.house.host(socket.path_params["id"])
            language, pieces = self._site.language_of(socket), taste_of(socket).pieces
            return Connection(self._site, socket, host, person, language, pieces)

        await self._site.sockets.speak(socket, page)


def _kept(host: Host) -> dict[str, str]:
    """The headers of what belongs to a game; when it is over it stays as it is."""
    return FRESH | KEEP if host.snapshot.over else FRESH
