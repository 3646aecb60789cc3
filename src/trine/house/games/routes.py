"""The pages of a game, its pictures, and its socket."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from trine.house.games.bots import Bots
from trine.house.games.game_actor import GameActor
from trine.house.games.game_choices import CLOCKS
from trine.house.games.game_page import arrangements, page_of, picture_after, record_of, turn_values
from trine.house.games.game_socket import GameSocket, OpenTalk
from trine.house.games.games import Games
from trine.house.games.messages import Arrangements
from trine.house.games.scenes import ViewerGroup, scene_after, scene_now
from trine.house.games.snapshot import Snapshot
from trine.house.games.views import seats_of_board
from trine.house.job_pool import JobPool
from trine.house.people.tables import Person
from trine.house.refusals import HouseError
from trine.house.store.secrets import is_token
from trine.house.web.boards import shape
from trine.house.web.frame import Frame
from trine.house.web.headers import FRESH, KEEP, PICTURE, SVG, packed
from trine.house.web.socket import OpenSockets
from trine.house.web.visitors import preferences_of
from trine.play.draw.svg import can_draw, png_of

Part = Callable[[Request, Snapshot, Person | None], Awaitable[Mapping[str, Any]]]
"""A function that returns template values for a part of a game's page."""
MAX_LINKS: Final = 3
"""The maximum number of links to other seats of a game."""


@dataclass(frozen=True)
class GamePages:
    """The routes of a game."""

    frame: Frame[Person]
    sockets: OpenSockets[Person]
    games: Games
    bots: Bots
    helpers: JobPool
    parts: Sequence[Part]
    """The parts that other packages add to the game's page."""
    open_talk: OpenTalk

    def routes(self) -> list[Route | WebSocketRoute]:
        return [
            Route("/game/{id}", self.game),
            Route("/game/{id}/record", self.record),
            Route("/game/{id}/picture.svg", self.picture),
            *([Route("/game/{id}/picture.png", self.preview)] if can_draw() else []),
            Route("/game/{id}/turn/{turns:int}", self.turn),
            Route("/game/{id}/arrangements", self.arrangements),
            Route("/game/{id}/board/{digest}", self.board),
            WebSocketRoute("/game/{id}/socket", self.socket),
        ]

    async def _host(self, request: Request) -> GameActor:
        return await self.games.host(request.path_params["id"])

    async def game(self, request: Request) -> Response:
        self.frame.charge(request, 5)
        host = await self._host(request)
        person = await self.frame.person_of(request)
        snapshot = host.snapshot
        own = snapshot.seats_of(person.id if person else None)
        tokens = request.query_params.get("invite", "").split(".") if own else []
        base = self.frame.origins.origin_of(request.headers, request.url.scheme)
        links = [f"{base}/join/{token}" for token in tokens[:MAX_LINKS] if is_token(token)]
        turn = self._where(request, host)[0] if "turn" in request.query_params else None
        return await self.show(request, snapshot, own, links=links, turn=turn)

    async def show(
        self, request: Request, snapshot: Snapshot, own: frozenset[int], **given: Any
    ) -> Response:
        """Return the page of a game in its current state."""
        person = await self.frame.person_of(request)
        language, pieces = self.frame.language_of(request), preferences_of(request).pieces
        about = page_of(snapshot, own, language, pieces) | given
        self.frame.boards.keep(about["board"])
        for part in self.parts:
            about |= await part(request, snapshot, person)
        return await self.frame.show(request, "game.html", keep=snapshot.over, **about)

    async def record(self, request: Request) -> Response:
        self.frame.charge(request, 5)
        host = await self._host(request)
        record = record_of(host.snapshot, host.game.entries)
        if "download" in request.query_params:
            return Response(
                record,
                headers={"content-disposition": f'attachment; filename="{host.id}.trine"', **FRESH},
                media_type="text/plain; charset=utf-8",
            )
        return await self.frame.show(
            request, "record.html", snapshot=host.snapshot, record=record, keep=host.snapshot.over
        )

    async def picture(self, request: Request) -> Response:
        self.frame.charge(request, 10)
        host = await self._host(request)
        turns, seat = self._where(request, host)
        picture = picture_after(host.snapshot, turns, seat, self.frame.language_of(request))
        return packed(request, picture.encode(), SVG, _kept(host) | PICTURE)

    async def preview(self, request: Request) -> Response:
        """Return the picture that messengers show beside a link to the game."""
        self.frame.charge(request, 40)
        host = await self._host(request)
        turns, seat = self._where(request, host)
        picture = picture_after(host.snapshot, turns, seat, "en", night=None)
        key, address = sha256(picture.encode()).digest(), self.frame.address_of(request)
        drawn = await self.helpers.run_cached(address, key, partial(png_of, picture))
        return Response(drawn, headers=_kept(host), media_type="image/png")

    async def turn(self, request: Request) -> Response:
        self.frame.charge(request, 3)
        host = await self._host(request)
        turns, seat = self._where(request, host, request.path_params["turns"])
        pieces, actions = preferences_of(request).pieces, number_in(request, "actions")
        scene, shown = turn_values(host.snapshot, turns, seat, pieces, actions)
        self.frame.boards.keep(scene.board)
        return self.frame.answer(request, shown, _kept(host))

    async def arrangements(self, request: Request) -> Response:
        """Return the setups that a side can choose from."""
        self.frame.charge(request, 5)
        host = await self._host(request)
        state, seat = host.snapshot.state, self._where(request, host)[1]
        kept, pieces = request.query_params.getlist("kept"), preferences_of(request).pieces
        found = Arrangements(arrangements(state.play, seat, pieces, kept) if state else [])
        return self.frame.answer(request, found)

    def _where(
        self, request: Request, host: GameActor, turns: int | None = None
    ) -> tuple[int, int]:
        state = host.snapshot.state
        most = len(state.play.turns) if state else 0
        turns = number_in(request, "turn", most) if turns is None else turns
        seat = number_in(request, "seat")
        if not (0 <= turns <= most and 0 <= seat < len(host.snapshot.seats)):
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return turns, seat

    async def board(self, request: Request) -> Response:
        self.frame.charge(request, 3)
        digest = request.path_params["digest"]
        if digest not in self.frame.boards:
            host = await self._host(request)
            for seat in range(len(host.snapshot.seats)):
                for pieces in ("", *host.snapshot.room.view.piece_sets):
                    scene = scene_after(host.snapshot, 0, seat, pieces)
                    self.frame.boards.keep(scene.board)
                    # A player who left may have changed what is drawn beside the squares.
                    group = ViewerGroup(frozenset(), seat, "en", pieces=pieces)
                    self.frame.boards.keep(scene_now(host.snapshot, group).board)
        return self.frame.boards.answer(request, digest)

    async def socket(self, socket: WebSocket) -> None:
        async def page(person: Person | None) -> GameSocket:
            host = await self.games.host(socket.path_params["id"])
            frame, bots, helpers, talk = self.frame, self.bots, self.helpers, self.open_talk
            merges = "changes" in socket.query_params
            return GameSocket(frame, socket, host, person, bots, helpers, talk, merges=merges)

        await self.sockets.accept(socket, page)


def number_in(request: Request, name: str, usual: int = 0) -> int:
    try:
        return int(request.query_params.get(name, usual))
    except ValueError:
        raise HTTPException(HTTPStatus.NOT_FOUND) from None


def _kept(host: GameActor) -> dict[str, str]:
    """Return the headers of a game's files: they are cached once the game is over."""
    return FRESH | KEEP if host.snapshot.over else FRESH


def invitation_routes(frame: Frame[Person], games: Games) -> list[Route]:
    async def invitation(request: Request) -> Response:
        frame.charge(request, 5)
        found = await games.invited_to(request.path_params["token"])
        if not found:
            raise HouseError("this link is not valid; ask for a new one")
        host, seat = found
        person = await frame.person_of(request)
        own = host.snapshot.seats_of(person.id if person else None)
        board = shape(scene_after(host.snapshot, 0, seat).board)
        return await frame.show(
            request,
            "join.html",
            snapshot=host.snapshot,
            seat=seat,
            is_own=bool(own) and seat not in own,
            seats=seats_of_board(host.snapshot),
            clocks=CLOCKS,
            across=board["across"],
            down=board["down"],
        )

    async def join(request: Request) -> Response:
        form = await frame.form_of(request)
        await games.invited_to(request.path_params["token"])  # checked before a guest is created
        person, token = await frame.known(request, form.get("name", "").strip())
        game = await games.join(request.path_params["token"], person)
        return frame.remember(request, RedirectResponse(f"/game/{game}", 303), token)

    return [Route("/join/{token}", invitation), Route("/join/{token}", join, methods=["POST"])]
