"""The page of tokens, by which programs act in somebody's name."""

from __future__ import annotations

import time
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.house.tokens import SCOPES
from trine.store.people import Person
from trine.web import guard, words
from trine.web.program_words import PROGRAMS
from trine.web.refusing import refusal_of

if TYPE_CHECKING:
    from trine.web.site import Site

MARK: Final = 16
"""The characters of a token's hash by which its owner names it."""
NEW, HOUR = 30, 3600.0
"""Tokens that one person may make in an hour."""


def routes(site: Site) -> list[Route]:
    """The routes of tokens."""
    pages = _TokenPages(site)
    return [
        Route("/account/programs", pages.page),
        Route("/account/programs", pages.create, methods=["POST"]),
        Route("/account/programs/revoke", pages.revoke, methods=["POST"]),
        Route("/account/programs/bot", pages.become_bot, methods=["POST"]),
    ]


class _TokenPages:
    def __init__(self, site: Site) -> None:
        self._site = site
        self._new = guard.Credits(NEW, HOUR)

    async def page(self, request: Request) -> Response:
        return await self._show(request, await self._site.owner_of(request))

    async def _show(
        self,
        request: Request,
        person: Person,
        token: str = "",
        refusal: TrineError | None = None,
    ) -> Response:
        account = await self._site.house.accounts.of(person)
        tokens = await self._site.house.tokens.of(person)
        return await self._site.show(
            request,
            "programs.html",
            HTTPStatus.BAD_REQUEST if refusal else 200,
            account=account,
            tokens=[
                (row.hash[:MARK], row.name, row.scopes, _date(row.created_at)) for row in tokens
            ],
            scopes=SCOPES,
            token=token,
            refusal=refusal,
            programs=words.said(PROGRAMS, self._site.language_of(request)),
        )

    async def create(self, request: Request) -> Response:
        form = await self._site.form_of(request)
        person = await self._site.owner_of(request)
        if not self._new.take(person.id):
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS)
        scopes = [scope for scope in SCOPES if scope in form]
        try:
            token = await self._site.house.tokens.create(person, form.get("name", ""), scopes)
        except TrineError as error:
            return await self._show(request, person, refusal=refusal_of(error))
        return await self._show(request, person, token)

    async def revoke(self, request: Request) -> Response:
        form = await self._site.form_of(request)
        person = await self._site.owner_of(request)
        for row in await self._site.house.tokens.of(person):
            if row.hash[:MARK] == form.get("token", ""):
                await self._site.house.tokens.revoke(person, row.hash)
        self._site.streams.look_again(person.id)
        return RedirectResponse("/account/programs", 303)

    async def become_bot(self, request: Request) -> Response:
        await self._site.form_of(request)
        person = await self._site.owner_of(request)
        try:
            await self._site.house.tokens.become_bot(person)
        except TrineError as error:
            return await self._show(request, person, refusal=refusal_of(error))
        return RedirectResponse("/account/programs", 303)


def _date(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(at))
