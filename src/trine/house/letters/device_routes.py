"""The requests of pages about devices: switching notifications on and off."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.house.letters.push import Pushes
from trine.house.people.account_rows import Account
from trine.house.people.person_rows import Person
from trine.house.store.secrets import token_hash
from trine.house.web import guard
from trine.house.web.frame import Frame
from trine.house.web.headers import FRESH
from trine.house.web.refusing import refusal_of
from trine.house.web.visitors import secret_of

CHANGES: Final = 30
"""The number of devices that one person may switch on in an hour."""


def routes(frame: Frame[Person], pushes: Pushes) -> list[Route]:
    """The routes of devices."""
    pages = _DevicePages(frame, pushes)
    return [
        Route("/account/devices/on", pages.on, methods=["POST"]),
        Route("/account/devices/off", pages.off, methods=["POST"]),
    ]


async def devices_shown(
    pushes: Pushes, request: Request, person: Person | None, account: Account | None
) -> Mapping[str, Any]:
    """Return the devices as the page of an account shows them."""
    here = token_hash(secret_of(request))
    found = await pushes.of(person) if person and pushes.key else []
    return {
        "push_key": pushes.key,
        "devices": [(one.id, pushes.owner(one), one.made_at, one.session == here) for one in found],
    }


class _DevicePages:
    def __init__(self, frame: Frame[Person], pushes: Pushes) -> None:
        self._frame, self._pushes = frame, pushes
        self._changes = guard.Credits(CHANGES, guard.HOUR)

    async def on(self, request: Request) -> Response:
        form = await self._frame.form_of(request)
        person = await self._frame.owner_of(request)
        if not self._changes.take(person.id):
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS)
        try:
            await self._pushes.switch_on(
                *(person, secret_of(request)),
                endpoint=form.get("endpoint", ""),
                key=form.get("key", ""),
                secret=form.get("secret", ""),
                language=self._frame.language_of(request),
            )
        except TrineError as error:
            told = {"why": self._frame.say(request, refusal_of(error).text)}
            return JSONResponse(told, HTTPStatus.BAD_REQUEST, FRESH)
        return JSONResponse({}, headers=FRESH)

    async def off(self, request: Request) -> Response:
        form = await self._frame.form_of(request)
        await self._pushes.switch_off(await self._frame.owner_of(request), form.get("device", ""))
        return RedirectResponse("/account#devices", 303)
