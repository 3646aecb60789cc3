"""The ASGI app of a house: its pages, and a socket for each game."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp

from trine.core.errors import TrineError
from trine.core.language import open_language
from trine.core.text import Text
from trine.house.house import House
from trine.house.refusals import NoGameError
from trine.store.refusals import HeldError
from trine.web import (
    account_routes,
    analysis_routes,
    api_routes,
    challenge_routes,
    device_routes,
    file_routes,
    game_routes,
    guard,
    house_routes,
    learn_routes,
    letter_routes,
    lobby_routes,
    moderation_routes,
    nodes,
    note_routes,
    passkey_routes,
    review_routes,
    rules_routes,
    search_routes,
    token_routes,
    tournament_routes,
)
from trine.web.analysis_thoughts import Thoughts
from trine.web.assets import Assets
from trine.web.boards import Boards
from trine.web.headers import FRESH, KEEP, Headers, packed
from trine.web.metrics import Metrics
from trine.web.pages import Pages
from trine.web.refusing import is_fault, why_of
from trine.web.sockets import Sockets
from trine.web.streams import Streams
from trine.web.visitors import Visitors, taste_of

log = structlog.get_logger("trine.web")


def report(words: str, error: BaseException | None = None, **about: Any) -> None:
    """Write a fault of the house into the log; it says nothing of secrets."""
    log.error(words, problem=repr(error) if error else None, **about)


class Site(Visitors):
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
        super().__init__(origins or guard.Origins(), address_credits)
        self.metrics: Final = Metrics()
        self.metrics_token: Final = metrics_token
        self.assets: Final = Assets()
        self.pages: Final = Pages(self.assets)
        self.boards: Final = Boards()
        self.sockets: Final = Sockets(self)
        self.streams: Final = Streams(self)
        self.thinkers: Final[dict[str, Thoughts]] = {}
        """By person: the thoughts for the one open page of theirs for which the computer thinks."""
        self._open_house = open_house
        self._opened = opened
        self._cutting: set[asyncio.Task[None]] = set()
        self.app: Final[ASGIApp] = Headers(
            Starlette(
                routes=self._routes(),
                lifespan=self._lifespan,
                exception_handlers={
                    TrineError: self._refused,
                    HTTPException: self._missing,
                    ClientDisconnect: self._hung_up,
                    Exception: self._failed,
                },
            )
        )

    def _routes(self) -> list[Route | WebSocketRoute]:
        return [
            *house_routes.routes(self),
            *game_routes.routes(self),
            *note_routes.routes(self),
            *analysis_routes.routes(self),
            *learn_routes.routes(self),
            *account_routes.routes(self),
            *letter_routes.routes(self),
            *passkey_routes.routes(self),
            *device_routes.routes(self),
            *lobby_routes.routes(self),
            *tournament_routes.routes(self),
            *rules_routes.routes(self),
            *search_routes.routes(self),
            *review_routes.routes(self),
            *file_routes.routes(self),
            *challenge_routes.routes(self),
            *moderation_routes.routes(self),
            *token_routes.routes(self),
            *api_routes.routes(self),
            *nodes.routes(self),
        ]

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self.house = await self._open_house()
        self.house.others.cut = self._cut
        watching = asyncio.create_task(self.metrics.watch_loop())
        opened = asyncio.create_task(self._opened(self.house)) if self._opened else None
        try:
            yield
        finally:
            for task in (watching, opened):
                if task:
                    task.cancel()
            await self.house.close()

    def _cut(self, hashes: Sequence[str]) -> None:
        """Close the sockets of tokens that another process has recognised no more."""
        task = asyncio.create_task(self.sockets.cut_here(hashes))
        self._cutting.add(task)
        task.add_done_callback(self._cutting.discard)

    async def show(self, request: Request, name: str, status: int = 200, **about: Any) -> Response:
        """Answer with a page."""
        person = await self.person_of(request)
        written = self.pages.write(
            *(name, self.language_of(request), taste_of(request)),
            path=request.url.path,
            person=person,
            now=self.house.now(),
            **about,
        )
        headers = FRESH | KEEP if about.get("keep") else FRESH
        return packed(request, written.encode(), "text/html; charset=utf-8", headers, status)

    def say(self, request: Request, sentence: Text) -> str:
        """A sentence in the language of whoever asks."""
        return open_language(self.language_of(request)).say(sentence)

    async def _refused(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, TrineError)
        status = 404 if isinstance(error, NoGameError) else 503 if is_fault(error) else 400
        if isinstance(error, HeldError):
            answer = await self.show(request, "error.html", nodes.status_of(error), why=error)
            answer.headers.update(nodes.headers_of(error))
            return answer
        return await self.show(request, "error.html", status, why=why_of(error))

    async def _missing(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return await self.show(request, "error.html", error.status_code, why=None)

    async def _hung_up(self, request: Request, error: Exception) -> Response:
        """An empty answer to a request that broke off before it was whole; nobody reads it."""
        return Response(status_code=400)

    async def _failed(self, request: Request, error: Exception) -> Response:
        report("a page failed", error, path=request.url.path)
        return Response("the house has made a mistake; it is written down\n", 500, FRESH)
