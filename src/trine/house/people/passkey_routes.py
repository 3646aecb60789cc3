"""The requests of pages about passkeys: options for the browser, and its answers."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import MalformedError, TrineError
from trine.core.text.language import open_language
from trine.core.text.sentence import text
from trine.house.people.account_page import AccountPage, Attempts, Form, day
from trine.house.people.entry import Entry
from trine.house.people.passkey_rows import LIFETIME
from trine.house.people.passkeys import Passkeys, Place, Purpose
from trine.house.people.tables import Account, Person
from trine.house.refusals import HouseError
from trine.house.store.secrets import is_token, token_hash
from trine.house.web.frame import Frame
from trine.house.web.headers import FRESH
from trine.house.web.open_sockets import OpenSockets
from trine.house.web.refusing import why_of
from trine.house.web.visitors import keep_secret, secret_of

SECRET: Final = "passkey"
"""The cookie of a browser from which a signature was asked."""
ANSWER: Final = 16_384
"""Units: bytes; no answer of a passkey is longer."""
THERE: Final = {
    Purpose.CREATE: "/lobby",
    Purpose.LOG_IN: "/lobby",
    Purpose.ADD: "/account#passkeys",
}
"""The pages that follow, by purpose; after a proof the page stays."""


def routes(
    frame: Frame[Person],
    sockets: OpenSockets[Person],
    passkeys: Passkeys,
    page: AccountPage,
    attempts: Attempts,
    entry: Entry,
) -> list[Route]:
    forms = _PasskeyForms(frame, sockets, passkeys, attempts, entry)
    return [
        Route("/account/passkey/begin", forms.begin, methods=["POST"]),
        Route("/account/passkey/finish", forms.finish, methods=["POST"]),
        Route("/account/unpasskey", page.guarded(forms.remove), methods=["POST"]),
    ]


async def passkeys_shown(
    frame: Frame[Person],
    passkeys: Passkeys,
    request: Request,
    person: Person | None,
    account: Account | None,
) -> Mapping[str, Any]:
    """Return the passkeys as the page of an account shows them."""
    return {
        "passkeys": [
            (one.id, one.name, day(one.made_at), one.used_at and day(one.used_at))
            for one in (await passkeys.of(person) if person and account else [])
        ],
        "has_passkeys": passkeys.available,
        "may_passkey": passkeys.available and place_of(frame, request) is not None,
    }


def place_of(frame: Frame[Person], request: Request) -> Place | None:
    """Return the name under which the house was reached; None where browsers allow no passkeys.

    Browsers demand a name, not an address, and HTTPS, except on the machine itself.
    """
    origin = frame.origins.origin_of(request.headers, request.url.scheme)
    parts = urlsplit(origin)
    name = parts.hostname or ""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        secure = parts.scheme == "https" or name == "localhost"
        return Place(name, origin) if name and secure else None
    return None


class _PasskeyForms:
    def __init__(
        self,
        frame: Frame[Person],
        sockets: OpenSockets[Person],
        passkeys: Passkeys,
        attempts: Attempts,
        entry: Entry,
    ) -> None:
        self._frame, self._sockets, self._entry = frame, sockets, entry
        self._passkeys, self._attempts = passkeys, attempts

    def _place(self, request: Request) -> Place:
        place = place_of(self._frame, request)
        if not place:
            raise HouseError(text("passkeys need a house that is reached by a name and HTTPS"))
        return place

    def _refused(self, request: Request, why: TrineError) -> Response:
        told = {"why": open_language(self._frame.language_of(request)).say(why_of(why))}
        return JSONResponse(told, HTTPStatus.BAD_REQUEST, FRESH)

    async def _charge(self, request: Request, purpose: Purpose, person: Person | None) -> None:
        """Count a new account, or an attempt at a password.

        Raises:
            TrineError: there were too many, or somebody who is kept out was here.
        """
        address = self._frame.address_of(request)
        if purpose is Purpose.CREATE:
            self._attempts.check_newcomer(address)
            await self._entry.check_newcomer(request)
        elif purpose is Purpose.ADD and person:
            self._attempts.check_password(person.name, address)

    async def begin(self, request: Request) -> Response:
        form = await self._frame.form_of(request)
        person = await self._frame.person_of(request)
        try:
            if form.get("for") not in set(Purpose):
                raise MalformedError(text("there is nothing of this kind that a passkey could do"))
            purpose = Purpose(form["for"])
            await self._charge(request, purpose, person)
            secret, options = await self._passkeys.begin(
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
        form = await self._frame.form_of(request, ANSWER)
        secret, session = secret_of(request, SECRET), secret_of(request)
        try:
            if not is_token(secret):
                raise HouseError(text("this took too long, or the browser keeps no cookies"))
            admitted = await self._passkeys.finish(
                secret, session, self._place(request), form.get("answer", "")
            )
            response = JSONResponse({"to": THERE.get(admitted.purpose, "")}, 200, FRESH)
            if admitted.token:
                await self._sockets.cut([token_hash(session)])
                await self._entry.admit(request, response, admitted.token)
        except TrineError as error:
            return self._refused(request, error)
        return response

    async def remove(self, request: Request, form: Form) -> Response:
        person = await self._frame.owner_of(request)
        await self._passkeys.remove(person, form.get("passkey", ""))
        return RedirectResponse("/account#passkeys", 303)
