"""The requests of pages about passkeys: options for the browser, and its answers."""

from __future__ import annotations

import ipaddress
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from trine.core.errors import MalformedError, TrineError
from trine.core.language import open_language
from trine.core.text import text
from trine.house.names import fold
from trine.house.passkeys import LIFETIME, Place, Purpose
from trine.house.refusals import HouseError
from trine.store.people import Person
from trine.store.tokens import is_token, token_hash
from trine.web.headers import FRESH
from trine.web.people_words import PEOPLE
from trine.web.refusing import why_of
from trine.web.visitors import keep_secret, secret_of

if TYPE_CHECKING:
    from trine.web.site import Site

SECRET: Final = "passkey"
"""The cookie of a browser that was asked for a signature."""
ANSWER: Final = 16_384
"""Units: bytes; no answer of a passkey is longer."""
THERE: Final = {
    Purpose.CREATE: "/lobby",
    Purpose.LOG_IN: "/lobby",
    Purpose.ADD: "/account#passkeys",
}
"""The pages to which one is led; after a proof one stays."""


def routes(site: Site) -> list[Route]:
    """The routes of passkeys."""
    pages = _PasskeyPages(site)
    return [
        Route("/account/passkey/begin", pages.begin, methods=["POST"]),
        Route("/account/passkey/finish", pages.finish, methods=["POST"]),
    ]


def place_of(site: Site, request: Request) -> Place | None:
    """The name under which a house was reached; None where browsers allow no passkeys.

    They want a name, not an address, and HTTPS, except on the machine itself.
    """
    origin = site.origins.origin_of(request.headers, request.url.scheme)
    parts = urlsplit(origin)
    name = parts.hostname or ""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        secure = parts.scheme == "https" or name == "localhost"
        return Place(name, origin) if name and secure else None
    return None


class _PasskeyPages:
    def __init__(self, site: Site) -> None:
        self._site = site

    def _place(self, request: Request) -> Place:
        place = place_of(self._site, request)
        if not place:
            raise HouseError(text("passkeys need a house that is reached by a name and HTTPS"))
        return place

    def _refused(self, request: Request, why: TrineError) -> Response:
        told = {"why": open_language(self._site.language_of(request)).say(why_of(why))}
        return JSONResponse(told, HTTPStatus.BAD_REQUEST, FRESH)

    def _charge(self, request: Request, purpose: Purpose, person: Person | None) -> None:
        """Count a new account, and a password that is tried.

        Raises:
            HouseError: there were too many.
        """
        address, site = self._site.address_of(request), self._site
        good = True
        if purpose is Purpose.CREATE:
            good = site.newcomers.take(address)
        elif purpose is Purpose.ADD and person:
            good = site.logins.may_try(fold(person.name), address)
        if not good:
            raise HouseError(PEOPLE["too_often"])

    async def begin(self, request: Request) -> Response:
        form = await self._site.form_of(request)
        person = await self._site.person_of(request)
        try:
            if form.get("for") not in set(Purpose):
                raise MalformedError(text("there is nothing of this kind that a passkey could do"))
            purpose = Purpose(form["for"])
            self._charge(request, purpose, person)
            secret, options = await self._site.house.passkeys.begin(
                *(purpose, self._place(request), person, secret_of(request)),
                name=form.get("name", ""),
                password=form.get("password", ""),
            )
        except TrineError as error:
            return self._refused(request, error)
        response = Response(options, 200, FRESH, "application/json")
        keep_secret(request, response, secret, int(LIFETIME), SECRET)
        return response

    async def finish(self, request: Request) -> Response:
        form = await self._site.form_of(request, ANSWER)
        secret, session = secret_of(request, SECRET), secret_of(request)
        try:
            if not is_token(secret):
                raise HouseError(text("this took too long, or the browser keeps no cookies"))
            admitted = await self._site.house.passkeys.finish(
                secret, session, self._place(request), form.get("answer", "")
            )
        except TrineError as error:
            return self._refused(request, error)
        response = JSONResponse({"to": THERE.get(admitted.purpose, "")}, 200, FRESH)
        if admitted.token:
            await self._site.sockets.cut([token_hash(session)])
        return self._site.remember(request, response, admitted.token)
