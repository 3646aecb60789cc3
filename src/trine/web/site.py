"""The ASGI app of a house: its pages, and a socket for each game."""

from __future__ import annotations

import asyncio
import gzip
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qsl

import msgspec
import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from trine.core.errors import TrineError
from trine.core.language import LANGUAGES
from trine.core.scene import Board
from trine.core.text import text
from trine.house.host import Host
from trine.house.house import House
from trine.house.refusals import HouseError, NoGameError
from trine.store.people import Person
from trine.web import guard
from trine.web.assets import Assets
from trine.web.connection import Connection
from trine.web.metrics import Metrics
from trine.web.pages import Pages

TOKEN, LANGUAGE = "trine", "language"
YEAR: Final = 365 * 86_400
FORM: Final = 4096
"""Units: bytes; no form is longer."""
MOST_BOARDS: Final = 512
FOR_EVER: Final = {"cache-control": "public, max-age=31536000, immutable"}
FRESH: Final = {"cache-control": "no-store"}
BLOCKED, MISSING, FULL = 4403, 4404, 4429

log = structlog.get_logger("trine.web")
Endpoint = Callable[[Request], Awaitable[Response]]


def report(words: str, error: BaseException | None = None, **about: Any) -> None:
    """Write a fault of the house into the log; it says nothing of secrets."""
    log.error(words, problem=repr(error) if error else None, **about)


class Site:
    """A house on the web."""

    def __init__(
        self,
        open_house: Callable[[], Awaitable[House]],
        *,
        origins: guard.Origins | None = None,
        metrics_token: str = "",
        address_credits: int = guard.ADDRESS,
        opened: Callable[[House], Coroutine[Any, Any, None]] | None = None,
    ) -> None:
        self.house: House
        self.metrics: Final = Metrics()
        self.players = guard.Credits(guard.PLAYER)
        self.watchers = guard.Credits(guard.WATCHER)
        self.addresses = guard.Credits(address_credits)
        self._open_house = open_house
        self._opened = opened
        self._origins = origins or guard.Origins()
        self._metrics_token = metrics_token
        self._assets = Assets()
        self._pages = Pages(self._assets)
        self._boards: OrderedDict[str, Board] = OrderedDict()
        self._sockets: Counter[str] = Counter()
        self.app: Final[ASGIApp] = _Headers(
            Starlette(
                routes=self._routes(),
                lifespan=self._lifespan,
                exception_handlers={
                    TrineError: self._refused,
                    HTTPException: self._missing,
                    Exception: self._failed,
                },
            )
        )

    def _routes(self) -> list[Route | WebSocketRoute]:
        return [
            Route("/", self._home),
            Route("/new", self._new),
            Route("/new", self._create, methods=["POST"]),
            Route("/name", self._rename, methods=["POST"]),
            Route("/language/{code}", self._speak),
            Route("/join/{token}", self._invitation),
            Route("/join/{token}", self._join, methods=["POST"]),
            Route("/rules/{game}/{rules}", self._rules),
            Route("/game/{id}", self._game),
            Route("/game/{id}/record", self._record),
            Route("/game/{id}/picture.svg", self._picture),
            Route("/game/{id}/turn/{turns:int}", self._turn),
            Route("/game/{id}/board/{digest}", self._board),
            WebSocketRoute("/game/{id}/socket", self._socket),
            Route("/static/{stamp}/{name:path}", self._static),
            Route("/healthz", self._health),
            Route("/metrics", self._figures),
        ]

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self.house = await self._open_house()
        watching = asyncio.create_task(self.metrics.watch_loop())
        opened = asyncio.create_task(self._opened(self.house)) if self._opened else None
        try:
            yield
        finally:
            for task in (watching, opened):
                if task:
                    task.cancel()
            await self.house.close()

    # --- who asks ---------------------------------------------------------------------------------

    def address_of(self, connection: HTTPConnection) -> str:
        """From where somebody speaks."""
        return connection.client.host if connection.client else ""

    async def _person(self, connection: HTTPConnection) -> Person | None:
        return await self.house.person_of(connection.cookies.get(TOKEN, ""))

    def _language(self, connection: HTTPConnection) -> str:
        """The language that was chosen, or the first that the browser wishes and we speak."""
        chosen = connection.cookies.get(LANGUAGE, "")
        if chosen in LANGUAGES:
            return chosen
        for wish in connection.headers.get("accept-language", "").split(","):
            code = wish.split(";")[0].strip().lower()[:2]
            if code in LANGUAGES:
                return code
        return "en"

    async def _form(self, request: Request) -> dict[str, str]:
        if not self._origins.is_own(request.headers, request.url.scheme):
            raise HTTPException(HTTPStatus.FORBIDDEN)
        if not self.addresses.take(self.address_of(request), 20):
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS)
        if int(request.headers.get("content-length") or FORM + 1) > FORM:
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        body = await request.body()
        if len(body) > FORM:
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        try:
            return dict(parse_qsl(body.decode(), max_num_fields=64))
        except ValueError:
            raise HTTPException(HTTPStatus.BAD_REQUEST) from None

    async def _known(self, request: Request, name: str) -> tuple[Person, str]:
        """Return the person who asks, and the token of a guest who is new; empty for others."""
        if person := await self._person(request):
            if name and name != person.name:
                await self.house.rename(person, name)
                person = await self.house.person_of(request.cookies.get(TOKEN, "")) or person
            return person, ""
        return await self.house.welcome(name)

    def _remember(self, request: Request, response: Response, token: str) -> Response:
        if token:
            response.set_cookie(
                TOKEN,
                token,
                max_age=YEAR // 2,
                httponly=True,
                samesite="lax",
                secure=request.url.scheme == "https",
            )
        return response

    # --- pages ------------------------------------------------------------------------------------

    async def _show(self, request: Request, name: str, status: int = 200, **about: Any) -> Response:
        person = await self._person(request)
        written = self._pages.write(name, self._language(request), person=person, **about)
        return Response(written, status, FRESH, "text/html; charset=utf-8")

    async def _home(self, request: Request) -> Response:
        listed = [
            host.snapshot
            for host in self.house.hosts
            if host.agreement.listed and not host.snapshot.over and host.snapshot.state
        ]
        listed.sort(key=lambda snapshot: -snapshot.at)
        return await self._show(request, "home.html", games=listed[:20])

    async def _new(self, request: Request) -> Response:
        chosen = dict(request.query_params)
        return await self._show(request, "new.html", **self._pages.offers(chosen))

    async def _create(self, request: Request) -> Response:
        given = await self._form(request)
        agreement, wishes = self._pages.read_offer(given)
        person, token = await self._known(request, given.get("name", "").strip())
        game, links = await self.house.create(agreement, wishes, person)
        target = f"/game/{game}"
        if links:
            target += f"?invite={'.'.join(links.values())}"
        return self._remember(request, RedirectResponse(target, 303), token)

    async def _rename(self, request: Request) -> Response:
        form = await self._form(request)
        _, token = await self._known(request, form.get("name", ""))
        return self._remember(request, RedirectResponse("/", 303), token)

    async def _speak(self, request: Request) -> Response:
        code = request.path_params["code"]
        if code not in LANGUAGES:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        back = request.query_params.get("back", "/")
        safe = back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/"
        response = RedirectResponse(safe, 303)
        response.set_cookie(LANGUAGE, code, max_age=YEAR, samesite="lax")
        return response

    async def _invitation(self, request: Request) -> Response:
        found = await self.house.invited_to(request.path_params["token"])
        if not found:
            raise HouseError(text("this link leads nowhere; ask for a new one"))
        host, seat = found
        return await self._show(request, "join.html", snapshot=host.snapshot, seat=seat)

    async def _join(self, request: Request) -> Response:
        form = await self._form(request)
        person, token = await self._known(request, form.get("name", "").strip())
        game = await self.house.join(request.path_params["token"], person)
        return self._remember(request, RedirectResponse(f"/game/{game}", 303), token)

    async def _rules(self, request: Request) -> Response:
        return await self._show(request, "rules.html", **self._pages.rules(**request.path_params))

    # --- a game -----------------------------------------------------------------------------------

    async def _host(self, request: Request) -> Host:
        return await self.house.host(request.path_params["id"])

    async def _game(self, request: Request) -> Response:
        host = await self._host(request)
        person = await self._person(request)
        snapshot = host.snapshot
        own = snapshot.seats_of(person.id if person else None)
        tokens = request.query_params.get("invite", "").split(".") if own else []
        base = f"{request.url.scheme}://{request.headers.get('host', '')}"
        links = [f"{base}/join/{token}" for token in tokens if token]
        about = self._pages.game(snapshot, own, self._language(request))
        self._keep(about["board"])
        return await self._show(request, "game.html", links=links, **about)

    async def _record(self, request: Request) -> Response:
        host = await self._host(request)
        told = self._pages.record(host.snapshot, host.entries())
        if "download" in request.query_params:
            return Response(
                told,
                headers={"content-disposition": f'attachment; filename="{host.id}.trine"', **FRESH},
                media_type="text/plain; charset=utf-8",
            )
        return await self._show(request, "record.html", snapshot=host.snapshot, record=told)

    async def _picture(self, request: Request) -> Response:
        host = await self._host(request)
        turns, seat = self._where(request, host)
        picture = self._pages.picture(host.snapshot, turns, seat, self._language(request))
        # A picture of its own has its colours inside; it can do nothing but be seen.
        policy = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'"}
        return Response(picture, 200, {**FRESH, **policy}, "image/svg+xml")

    async def _turn(self, request: Request) -> Response:
        host = await self._host(request)
        turns, seat = self._where(request, host, request.path_params["turns"])
        scene = self._pages.scene(host.snapshot, turns, seat)
        self._keep(scene.board)
        data = {"view": scene.as_data(self._pages.language(self._language(request)).say)}
        return Response(msgspec.json.encode(data), 200, FRESH, "application/json")

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

    def _keep(self, board: Board) -> None:
        self._boards[board.digest] = board
        self._boards.move_to_end(board.digest)
        while len(self._boards) > MOST_BOARDS:
            self._boards.popitem(last=False)

    async def _board(self, request: Request) -> Response:
        digest = request.path_params["digest"]
        if digest not in self._boards:
            host = await self._host(request)
            for seat in range(len(host.snapshot.seats)):
                self._keep(self._pages.scene(host.snapshot, 0, seat).board)
        board = self._boards.get(digest)
        if not board:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        code = request.query_params.get("language", "en")
        say = self._pages.language(code if code in LANGUAGES else "en").say
        data = msgspec.json.encode(board.as_data(say))
        return self._packed(request, data, "application/json", FOR_EVER)

    def _packed(
        self, request: Request, plain: bytes, kind: str, headers: dict[str, str]
    ) -> Response:
        headers = {**headers, "vary": "accept-encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(gzip.compress(plain, 6, mtime=0), 200, headers, kind)
        return Response(plain, 200, headers, kind)

    async def _socket(self, socket: WebSocket) -> None:
        address = self.address_of(socket)
        if not self._origins.is_own(socket.headers, socket.url.scheme):
            await socket.close(BLOCKED)
            return
        person = await self._person(socket)
        who = person.id if person else address
        if self._sockets[who] >= guard.SOCKETS or not self.addresses.take(address, 5):
            await socket.close(FULL)
            return
        try:
            host = await self.house.host(socket.path_params["id"])
        except TrineError:
            await socket.close(MISSING)
            return
        await socket.accept()
        self._sockets[who] += 1
        self.metrics.sockets.inc()
        try:
            await Connection(self, socket, host, person, self._language(socket)).run()
        finally:
            self.metrics.sockets.dec()
            self._sockets[who] -= 1
            if not self._sockets[who]:
                del self._sockets[who]

    # --- the rest ---------------------------------------------------------------------------------

    async def _static(self, request: Request) -> Response:
        asset = self._assets.get(request.path_params["name"])
        if not asset or request.path_params["stamp"] != self._assets.stamp:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        headers = {**FOR_EVER, "vary": "accept-encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(asset.packed, 200, headers, asset.kind)
        return Response(asset.plain, 200, headers, asset.kind)

    async def _health(self, request: Request) -> Response:
        return Response("ok\n", 503 if self.house.closing else 200, FRESH, "text/plain")

    async def _figures(self, request: Request) -> Response:
        given = request.headers.get("authorization", "")
        if not self._metrics_token or given != f"Bearer {self._metrics_token}":
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return Response(self.metrics.exposition(self.house), 200, FRESH, "text/plain")

    async def _refused(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, TrineError)
        status = 404 if isinstance(error, NoGameError) else 400
        return await self._show(request, "error.html", status, why=error)

    async def _missing(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return await self._show(request, "error.html", error.status_code, why=None)

    async def _failed(self, request: Request, error: Exception) -> Response:
        report("a page failed", error, path=request.url.path)
        return Response("the house has made a mistake; it is written down\n", 500, FRESH)


class _Headers:
    """The headers of every answer: what a page may load, and from where."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        host = next((value for name, value in scope["headers"] if name == b"host"), b"")
        sockets = f"ws://{host.decode('latin-1')} wss://{host.decode('latin-1')}"
        if not all(sign.isalnum() or sign in ".:-[]/ " for sign in sockets):
            sockets = ""
        headers: Sequence[tuple[bytes, bytes]] = [
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"same-origin"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
        ]
        policy = (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            f"connect-src 'self' {sockets}; form-action 'self'; base-uri 'none'; "
            "frame-ancestors 'none'; manifest-src 'self'"
        )

        async def send_with(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = message.setdefault("headers", [])
                given.extend(headers)
                if not any(name == b"content-security-policy" for name, _ in given):
                    given.append((b"content-security-policy", policy.encode()))
            await send(message)

        await self._app(scope, receive, send_with)
