"""The visitor behind a request: address, language and name."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from trine.core.language import LANGUAGES
from trine.draw.theme import THEMES
from trine.games import ROOMS, open_room
from trine.house.house import House
from trine.store.people import Person
from trine.web import guard

TOKEN, LANGUAGE = "trine", "language"
SECURE: Final = ("https", "wss")
LOOKS: Final = ("light", "dark")
YEAR: Final = 365 * 86_400
FORM: Final = 4096
"""Units: bytes; no form is longer, but for those that hand in a whole game."""


@dataclass(frozen=True)
class Taste:
    """The taste of a visitor, as the browser remembers it."""

    look: str = ""
    """``light`` or ``dark``; empty for what the machine is set to."""
    board: str = ""
    """A theme; empty for the usual one."""
    pieces: str = ""
    """A piece set; empty for drawings."""


NO_TASTE: Final = Taste()


def cookie_of(connection: HTTPConnection, name: str) -> str:
    """The name of a cookie that is a secret.

    Over HTTPS no page of another host, and none without HTTPS, can set one that is called so.
    """
    return f"__Host-{name}" if connection.url.scheme in SECURE else name


def secret_of(connection: HTTPConnection, name: str = TOKEN) -> str:
    """The secret that a browser keeps: the token of its session, or another; empty without."""
    return connection.cookies.get(cookie_of(connection, name), "")


def keep_secret(
    request: Request, response: Response, secret: str, lasts: int, name: str = TOKEN
) -> None:
    """Have a browser keep a secret.

    Units: seconds.
    """
    response.set_cookie(
        cookie_of(request, name),
        secret,
        max_age=lasts,
        httponly=True,
        samesite="lax" if name == TOKEN else "strict",
        secure=request.url.scheme in SECURE,
    )


def taste_of(connection: HTTPConnection) -> Taste:
    """The taste of the visitor who asks for a page."""
    cookies = connection.cookies

    def known(name: str, choices: Container[str]) -> str:
        return given if (given := cookies.get(name, "")) in choices else ""

    sets = {name for game in ROOMS for name in open_room(game).piece_sets}
    return Taste(known("look", LOOKS), known("board", THEMES), known("pieces", sets))


def asked_for(request: Request) -> str:
    """The language that an address names."""
    code = request.query_params.get("language", "en")
    return code if code in LANGUAGES else "en"


class Visitors:
    """Those who ask for pages of a house."""

    def __init__(self, origins: guard.Origins, address_credits: int) -> None:
        self.house: House
        self.origins: Final = origins
        self.players: Final = guard.Credits(guard.PLAYER)
        self.watchers: Final = guard.Credits(guard.WATCHER)
        self.addresses: Final = guard.Credits(address_credits)
        self.talkers: Final = guard.Credits(guard.LINES)
        self.talking: Final = guard.Credits(guard.LINES * 10)
        """The lines of chat of one person, and of one address."""
        self.logins: Final = guard.Logins()
        self.newcomers: Final = guard.Credits(guard.NEW, guard.HOUR)
        self.address_sockets: Final = address_credits // 2
        """The most sockets of one address."""

    def address_of(self, connection: HTTPConnection) -> str:
        """The address of a visitor."""
        return guard.home_of(connection.client.host) if connection.client else ""

    def charge(self, request: Request, cost: float) -> None:
        """Take credits from the address for a page.

        Raises:
            HTTPException: it has none left.
        """
        if not self.addresses.take(self.address_of(request), cost):
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS)

    async def person_of(self, connection: HTTPConnection) -> Person | None:
        """The person who asks, if the house knows one."""
        return await self.house.person_of(secret_of(connection))

    async def owner_of(self, connection: HTTPConnection) -> Person:
        """The person who asks, if there is an account.

        Raises:
            HTTPException: there is none.
        """
        person = await self.person_of(connection)
        if not person or not person.has_account:
            raise HTTPException(HTTPStatus.FORBIDDEN)
        return person

    def language_of(self, connection: HTTPConnection) -> str:
        """The language that was chosen, or the first that the browser wishes and we speak."""
        chosen = connection.cookies.get(LANGUAGE, "")
        if chosen in LANGUAGES:
            return chosen
        for wish in connection.headers.get("accept-language", "").split(","):
            code = wish.split(";")[0].strip().lower()[:2]
            if code in LANGUAGES:
                return code
        return "en"

    async def body_of(self, request: Request, cost: float, most: int = FORM) -> bytes:
        """The body of a request from a page of the house, at a cost in credits.

        Args: it has ``most`` bytes at the most.

        Raises:
            HTTPException: it comes from elsewhere, or is too long, or too much was sent before.
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

    async def form_of(self, request: Request, most: int = FORM) -> dict[str, str]:
        """The fields of a form that was sent from a page of the house.

        Args: it has ``most`` bytes at the most.

        Raises:
            HTTPException: it comes from elsewhere, or is too long, or is no form.
        """
        body = await self.body_of(request, 20, most)
        try:
            return dict(parse_qsl(body.decode(), max_num_fields=64))
        except ValueError:
            raise HTTPException(HTTPStatus.BAD_REQUEST) from None

    async def known(self, request: Request, name: str) -> tuple[Person, str]:
        """Return the person who asks, and the token of a guest who is new; empty for others."""
        if person := await self.person_of(request):
            if name and name != person.name:
                await self.house.rename(person, name)
                person = await self.house.person_of(secret_of(request)) or person
            return person, ""
        return await self.house.welcome(name)

    def remember(self, request: Request, response: Response, token: str) -> Response:
        """Give a new guest the token by which the house knows them again."""
        if token:
            keep_secret(request, response, token, YEAR // 2)
        return response
