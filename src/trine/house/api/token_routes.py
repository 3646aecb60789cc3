"""The page of tokens, with which programs act for a person."""

from __future__ import annotations

import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.house.api.programs import SCOPES, Tokens
from trine.house.people.accounts import Accounts
from trine.house.people.person_rows import Person
from trine.house.web import guard
from trine.house.web.frame import Frame
from trine.house.web.refusing import refusal_of

MARK: Final = 16
"""The number of characters of a token's hash that identify it to its owner."""
NEW, HOUR = 30, 3600.0
"""The number of tokens that one person may make in an hour."""


def routes(
    frame: Frame[Person], tokens: Tokens, accounts: Accounts, recheck: Callable[[str], None]
) -> list[Route]:
    """The routes of tokens."""
    pages = _TokenPages(frame, tokens, accounts, recheck)
    return [
        Route("/account/programs", pages.page),
        Route("/account/programs", pages.create, methods=["POST"]),
        Route("/account/programs/revoke", pages.revoke, methods=["POST"]),
        Route("/account/programs/bot", pages.become_bot, methods=["POST"]),
    ]


class _TokenPages:
    def __init__(
        self,
        frame: Frame[Person],
        tokens: Tokens,
        accounts: Accounts,
        recheck: Callable[[str], None],
    ) -> None:
        self._frame, self._tokens, self._accounts, self._recheck = frame, tokens, accounts, recheck
        self._new = guard.Credits(NEW, HOUR)

    async def page(self, request: Request) -> Response:
        return await self._show(request, await self._frame.owner_of(request))

    async def _show(
        self,
        request: Request,
        person: Person,
        token: str = "",
        refusal: TrineError | None = None,
    ) -> Response:
        account = await self._accounts.of(person)
        tokens = await self._tokens.of(person)
        return await self._frame.show(
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
        )

    async def create(self, request: Request) -> Response:
        form = await self._frame.form_of(request)
        person = await self._frame.owner_of(request)
        if not self._new.take(person.id):
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS)
        scopes = [scope for scope in SCOPES if scope in form]
        try:
            token = await self._tokens.create(person, form.get("name", ""), scopes)
        except TrineError as error:
            return await self._show(request, person, refusal=refusal_of(error))
        return await self._show(request, person, token)

    async def revoke(self, request: Request) -> Response:
        form = await self._frame.form_of(request)
        person = await self._frame.owner_of(request)
        for row in await self._tokens.of(person):
            if row.hash[:MARK] == form.get("token", ""):
                await self._tokens.revoke(person, row.hash)
        self._recheck(person.id)
        return RedirectResponse("/account/programs", 303)

    async def become_bot(self, request: Request) -> Response:
        await self._frame.form_of(request)
        person = await self._frame.owner_of(request)
        try:
            await self._tokens.become_bot(person)
        except TrineError as error:
            return await self._show(request, person, refusal=refusal_of(error))
        return RedirectResponse("/account/programs", 303)


def _date(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(at))
