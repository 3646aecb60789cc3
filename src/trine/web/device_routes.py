"""The requests of pages about devices: news there are switched on and off."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.store.people import Person
from trine.store.tokens import token_hash
from trine.web import guard, words
from trine.web.device_words import DEVICES
from trine.web.headers import FRESH
from trine.web.refusing import why_of
from trine.web.visitors import secret_of

if TYPE_CHECKING:
    from trine.web.site import Site

CHANGES: Final = 30
"""Devices that one person may switch on in an hour."""


def routes(site: Site) -> list[Route]:
    """The routes of devices."""
    pages = _DevicePages(site)
    return [
        Route("/account/devices/on", pages.on, methods=["POST"]),
        Route("/account/devices/off", pages.off, methods=["POST"]),
    ]


async def devices_of(site: Site, request: Request, person: Person | None) -> dict[str, Any]:
    """The devices as the page of an account shows them."""
    pushes, here = site.house.pushes, token_hash(secret_of(request))
    found = await pushes.of(person) if person and pushes.key else []
    return {
        "push_key": pushes.key,
        "devices": [(one.id, pushes.owner(one), one.made_at, one.session == here) for one in found],
        "news": words.said(DEVICES, site.language_of(request)),
    }


class _DevicePages:
    def __init__(self, site: Site) -> None:
        self._site = site
        self._changes = guard.Credits(CHANGES, guard.HOUR)

    async def on(self, request: Request) -> Response:
        form = await self._site.form_of(request)
        person = await self._site.owner_of(request)
        if not self._changes.take(person.id):
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS)
        try:
            await self._site.house.pushes.switch_on(
                *(person, secret_of(request)),
                endpoint=form.get("endpoint", ""),
                key=form.get("key", ""),
                secret=form.get("secret", ""),
                language=self._site.language_of(request),
            )
        except TrineError as error:
            told = {"why": self._site.say(request, why_of(error))}
            return JSONResponse(told, HTTPStatus.BAD_REQUEST, FRESH)
        return JSONResponse({}, headers=FRESH)

    async def off(self, request: Request) -> Response:
        form = await self._site.form_of(request)
        await self._site.house.pushes.switch_off(
            await self._site.owner_of(request), form.get("device", "")
        )
        return RedirectResponse("/account#devices", 303)
