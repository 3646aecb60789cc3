"""The framework of pages: visitor, language, limits and response.

It depends on no feature of the house: people and the meaning of refusals are arguments.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import Any, Final, Generic, Protocol, TypeVar
from urllib.parse import parse_qsl

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import IllegalError, TrineError
from trine.core.text.language import Language, open_language
from trine.core.text.sentence import text
from trine.core.work.cpu_account import in_thread
from trine.house.house_settings import HouseSettings
from trine.house.web import rate_limits, visitors
from trine.house.web.assets import Boards
from trine.house.web.headers import IMMUTABLE, KEEP_OFFLINE, NO_STORE, Origins, packed
from trine.house.web.metrics import Metrics
from trine.house.web.pages import Pages
from trine.house.web.rate_limits import ADDRESS_MESSAGES, RateLimiter, network_of
from trine.house.web.refusing import is_internal, why_of

FORM: Final = 4096  # bytes, except for forms that submit a whole game
BY: Final = "by"
"""The field with the account that the page was rendered for, in forms that change the account."""
RENEWED: Final = "trine.renewed"
"""The key, in a request's scope, of whether the visitor's session was prolonged."""
PURPOSE: Final = text("Three games of pure thought. Choose one and play.")


class Form(dict[str, str]):
    """The fields of a form; a missing field reads as empty.

    >>> Form(name="Anna")["name"], Form()["name"]
    ('Anna', '')
    """

    def __missing__(self, name: str) -> str:
        return ""


def form_fields(body: bytes) -> Form:
    """Return the fields of a form; raise `ValueError` if the body is no form."""
    return Form(parse_qsl(body.decode(), max_num_fields=64))


class Visitor(Protocol):
    """The framework's view of a person: `trine.house.people.tables.Person`."""

    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def has_account(self) -> bool: ...

    @property
    def renewed(self) -> bool: ...


P = TypeVar("P", bound=Visitor)
StatusOf = Callable[[TrineError], tuple[int, Mapping[str, str]]]
"""A function that returns the status and the headers of a refusal."""


@dataclass(eq=False)
class Frame(Generic[P]):
    """The part that all pages share."""

    pages: Pages
    recognise: Callable[[str, str], Awaitable[P | None]]
    """A function that returns the person of a session token, given a network address."""
    welcome: Callable[[Request, str, str], Awaitable[tuple[P, str]]]
    """Creates a guest with a name, at a network address; returns the guest and a session token."""
    rename: Callable[[P, str], Awaitable[object]]
    status_of: StatusOf
    now: Callable[[], float]
    report: Callable[..., None]
    metrics: Metrics
    origins: Origins
    noticed: Callable[[P, str], None] = lambda person, address: None
    """A callback with a recognised person and the network address."""
    address_credits: int = ADDRESS_MESSAGES
    settings: HouseSettings = field(default_factory=HouseSettings)

    def __post_init__(self) -> None:
        self.sockets = 0  # open ones
        self.boards = Boards()
        self.players = RateLimiter(rate_limits.PLAYER_MESSAGES)
        self.watchers = RateLimiter(rate_limits.WATCHER_MESSAGES)
        self.addresses = RateLimiter(self.address_credits)

    def address_of(self, connection: HTTPConnection) -> str:
        return network_of(connection.client.host) if connection.client else ""

    async def person_of(self, connection: HTTPConnection) -> P | None:
        """Return the person who sent the request, if recognised."""
        person = await self.recognise(visitors.secret_of(connection), self.address_of(connection))
        if person:
            self.notice(person, connection)
            connection.scope[RENEWED] = person.renewed or connection.scope.get(RENEWED, False)
        return person

    def notice(self, person: P, connection: HTTPConnection) -> None:
        self.noticed(person, self.address_of(connection))

    async def owner_of(self, connection: HTTPConnection) -> P:
        """Return the person who sent the request, who must have an account."""
        person = await self.person_of(connection)
        if not person or not person.has_account:
            raise HTTPException(HTTPStatus.FORBIDDEN)
        return person

    async def known(self, request: Request, name: str) -> tuple[P, str]:
        """Return the person who asks, and the token of a new guest; empty for others.

        The ``name`` is for a guest; it does not rename an account that was registered or logged in
        after the form was opened.
        """
        if person := await self.person_of(request):
            if name and name != person.name and not person.has_account:
                await self.rename(person, name)
                person = await self.person_of(request) or person
            return person, ""
        return await self.welcome(request, name, self.address_of(request))

    def remember(self, request: Request, response: Response, token: str) -> Response:
        """Set a new guest's token as a cookie, or prolong a visitor's cookie."""
        token = token or (visitors.secret_of(request) if request.scope.get(RENEWED) else "")
        if token:
            visitors.keep_secret(request, response, token, visitors.YEAR // 2)
        return response

    def charge(self, request: Request, cost: float) -> None:
        """Charge the rate limit of the visitor's address for a page."""
        self.addresses.require(self.address_of(request), cost)

    async def body_of(self, request: Request, cost: float, most: int = FORM) -> bytes:
        """Return the body of a request from a page of the house, and charge for it.

        Raises:
            HTTPException: it comes from another site, has more than ``most`` bytes, or exceeds the
                rate limit.
        """
        if not self.origins.is_own(request.headers, request.url.scheme):
            raise HTTPException(HTTPStatus.FORBIDDEN)
        self.charge(request, cost)
        if int(request.headers.get("content-length") or most + 1) > most:
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        body = await request.body()
        if len(body) > most:
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        return body

    async def form_of(self, request: Request, most: int = FORM) -> Form:
        """Return the fields of a form from a page of the house, of at most ``most`` bytes.

        Raises:
            HTTPException: it comes from another site, is too long, or is no form.
            IllegalError: its page was rendered for another person.
        """
        body = await self.body_of(request, 20, most)
        try:
            read = partial(form_fields, body)  # parsing a long form takes time
            form = await in_thread(read) if len(body) > FORM else read()
        except ValueError:
            raise HTTPException(HTTPStatus.BAD_REQUEST) from None
        if wrote := form[BY]:
            person = await self.person_of(request)
            if not person or person.id != wrote:
                raise IllegalError("you are logged in as someone else now; reload the page")
        return form

    async def form_of_owner(self, request: Request) -> tuple[P, Form]:
        """Return the sender of a form, who must have an account, and the form's fields."""
        form = await self.form_of(request)
        return await self.owner_of(request), form

    def language_of(self, connection: HTTPConnection) -> str:
        """Return the chosen language, or the first supported one that the browser asks for."""
        return visitors.language_of(connection, self.settings.languages)

    def language(self, connection: HTTPConnection) -> Language:
        return open_language(self.language_of(connection))

    def answer(
        self,
        request: Request,
        found: Any,
        headers: Mapping[str, str] = NO_STORE,
        status: int = HTTPStatus.OK,
    ) -> Response:
        """Respond with data, whose sentences are in the visitor's language."""
        written = msgspec.json.encode(found, enc_hook=self.language(request).say)
        return packed(request, written, "application/json", headers, status)

    async def show(
        self,
        request: Request,
        name: str,
        status: int = HTTPStatus.OK,
        refusal: TrineError | None = None,
        **about: Any,
    ) -> Response:
        """Respond with a page; raise its ``refusal`` instead if it is internal."""
        if refusal and is_internal(refusal):
            raise refusal
        if refusal and status == HTTPStatus.OK:
            status = HTTPStatus.BAD_REQUEST
        # After an internal error, the session may not be readable either.
        person = (
            await self.person_of(request) if status < HTTPStatus.INTERNAL_SERVER_ERROR else None
        )
        written = self.pages.write(
            name,
            self.language_of(request),
            visitors.preferences_of(request),
            path=request.url.path,
            origin=self.origins.origin_of(request.headers, request.url.scheme),
            person=person,
            now=self.now(),
            refusal=refusal,
            **about,
        )
        headers = NO_STORE | KEEP_OFFLINE if about.get("keep") else NO_STORE
        page = packed(request, written.encode(), "text/html; charset=utf-8", headers, status)
        return self.remember(request, page, "")

    async def refuse(self, request: Request, error: Exception) -> Response:
        """Respond with a refusal, or with the message of an internal error."""
        if isinstance(error, TrineError):
            status, headers = self.status_of(error)
            answer = await self.show(request, "error.html", status, why=why_of(error))
            answer.headers.update(headers)
            return answer
        if isinstance(error, HTTPException):
            answer = await self.show(request, "error.html", error.status_code, why=None)
            answer.headers.update(error.headers or {})
            return answer
        if isinstance(error, ClientDisconnect):
            return Response(
                status_code=400
            )  # the client has disconnected, so the response is not read
        self.report("a page failed", error, path=request.url.path)
        return Response("something went wrong; the error was logged\n", 500, NO_STORE)


@dataclass(frozen=True)
class FramePages:
    """Static files, and the other routes that all pages need."""

    frame: Frame[Any]

    def routes(self) -> list[Route]:
        return [
            Route("/static/{stamp}/{name:path}", self.static),
            Route("/worker.js", self.worker),
            Route("/news/worker.js", self.worker),
            Route("/manifest.webmanifest", self.manifest),
            Route("/offline", self.offline),
            Route("/language/{code}", self.speak),
        ]

    async def static(self, request: Request) -> Response:
        asset = self.frame.pages.assets.get(request.path_params["name"])
        if not asset or request.path_params["stamp"] != self.frame.pages.assets.stamp:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        headers = {**IMMUTABLE, "vary": "accept-encoding"}
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(asset.packed, 200, headers, asset.kind)
        return Response(asset.plain, 200, headers, asset.kind)

    async def worker(self, request: Request) -> Response:
        """Respond with a service worker, which changes with the static files."""
        of_news = request.url.path.startswith("/news")
        name = "notify/news-worker.js" if of_news else "page/worker.js"
        asset = self.frame.pages.assets.get(name)
        assert asset
        code = f'self.STAMP = "{self.frame.pages.assets.stamp}";\n'.encode() + asset.plain
        return packed(request, code, asset.kind, {"cache-control": "no-cache"})

    async def manifest(self, request: Request) -> Response:
        """Respond with the manifest for installing the house as an app on a device."""
        icons: list[dict[str, str]] = [
            {
                "src": self.frame.pages.assets.url(f"icons/icon-{size}.png"),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for size in (192, 512)
            for purpose in ("any", "maskable")
        ]
        about = {
            "id": "/",
            "name": self.frame.settings.name,
            "short_name": self.frame.settings.name,
            "description": self.frame.language(request).say(PURPOSE),
            "lang": self.frame.language_of(request),
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": "#faf7f1",
            "theme_color": "#faf7f1",
            "icons": icons,
        }
        return JSONResponse(about, headers=NO_STORE, media_type="application/manifest+json")

    async def offline(self, request: Request) -> Response:
        return await self.frame.show(request, "offline.html")

    async def speak(self, request: Request) -> Response:
        code = request.path_params["code"]
        if code not in self.frame.settings.languages:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        back = request.query_params.get("back", "/")
        safe = back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/"
        response = RedirectResponse(safe, 303)
        secure = request.url.scheme in visitors.SECURE
        response.set_cookie(
            visitors.LANGUAGE, code, max_age=visitors.YEAR, samesite="lax", secure=secure
        )
        return response
