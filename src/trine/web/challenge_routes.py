"""Challenges: the page on which one is made, and what is done with one."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.store.account_rows import Account
from trine.store.people import Person
from trine.web import words
from trine.web.offer import offers, read_seek
from trine.web.program_words import CHALLENGES
from trine.web.refusing import refusal_of

if TYPE_CHECKING:
    from trine.web.site import Site


def routes(site: Site) -> list[Route]:
    """The routes of challenges."""
    pages = _ChallengePages(site)
    return [
        Route("/challenge/{name}", pages.form),
        Route("/challenge/{name}", pages.open, methods=["POST"]),
        Route("/challenges/{id}/accept", pages.accept, methods=["POST"]),
        Route("/challenges/{id}/refuse", pages.refuse, methods=["POST"]),
    ]


class _ChallengePages:
    def __init__(self, site: Site) -> None:
        self._site = site

    async def _account(self, request: Request) -> Account:
        """The account that is challenged.

        Raises:
            HTTPException: there is none.
        """
        self._site.charge(request, 5)
        account = await self._site.house.accounts.named(request.path_params["name"])
        if not account:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return account

    async def form(self, request: Request) -> Response:
        return await self._show(request, dict(request.query_params), await self._account(request))

    async def _show(
        self,
        request: Request,
        chosen: dict[str, str],
        account: Account,
        status: int = 200,
        refusal: TrineError | None = None,
    ) -> Response:
        code = self._site.language_of(request)
        person = await self._site.person_of(request)
        return await self._site.show(
            request,
            "challenge.html",
            status,
            account=account,
            told=words.said(CHALLENGES, code),
            may=person is not None and person.has_account,
            refusal=refusal,
            posted=refusal is not None,
            **offers(chosen),
        )

    async def open(self, request: Request) -> Response:
        form = await self._site.form_of(request)
        account = await self._account(request)
        try:
            agreement, side = read_seek(form, listed=False)
            person = await self._known(request)
            await self._site.house.challenges.open(person, account, agreement, side)
        except TrineError as error:
            return await self._show(
                request, form, account, HTTPStatus.BAD_REQUEST, refusal_of(error)
            )
        return RedirectResponse("/lobby", 303)

    async def _known(self, request: Request) -> Person:
        person = await self._site.person_of(request)
        if not person:
            raise HTTPException(HTTPStatus.FORBIDDEN)
        return person

    async def accept(self, request: Request) -> Response:
        await self._site.form_of(request)
        person = await self._known(request)
        game = await self._site.house.challenges.accept(request.path_params["id"], person)
        return RedirectResponse(f"/game/{game}", 303)

    async def refuse(self, request: Request) -> Response:
        form = await self._site.form_of(request)
        person = await self._known(request)
        try:
            await self._site.house.challenges.refuse(request.path_params["id"], person)
        except TrineError:
            pass  # it is gone, as was wished
        return RedirectResponse("/" if form.get("back") == "home" else "/lobby", 303)
