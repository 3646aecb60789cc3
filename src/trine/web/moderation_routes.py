"""Reports and blocks of people, and the page of those who look after the house."""

from __future__ import annotations

import time
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.house.accounts import ADMIN
from trine.house.chat import PRESETS
from trine.house.moderation import BAN, WHYS
from trine.store.account_rows import Account
from trine.store.people import Person
from trine.web import words
from trine.web.chat_words import MODERATION
from trine.web.refusing import refusal_of

if TYPE_CHECKING:
    from trine.web.site import Site


def routes(site: Site) -> list[Route]:
    """The routes of moderation."""
    pages = _ModerationPages(site)
    return [
        Route("/player/{name}/report", pages.report_form),
        Route("/player/{name}/report", pages.report, methods=["POST"]),
        Route("/block", pages.block, methods=["POST"]),
        Route("/moderation", pages.page),
        Route("/moderation/report/{id}", pages.decide, methods=["POST"]),
        Route("/moderation/sanction/{id}/lift", pages.lift, methods=["POST"]),
    ]


class _ModerationPages:
    def __init__(self, site: Site) -> None:
        self._site = site

    async def _admin(self, request: Request) -> Person:
        """The administrator who asks.

        Raises:
            HTTPException: it is somebody else.
        """
        person = await self._site.owner_of(request)
        account = await self._site.house.accounts.of(person)
        if not account or account.role != ADMIN:
            raise HTTPException(HTTPStatus.FORBIDDEN)
        return person

    # --- everybody --------------------------------------------------------------------------------

    async def _about(self, request: Request) -> Account:
        self._site.charge(request, 5)
        account = await self._site.house.accounts.named(request.path_params["name"])
        if not account:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return account

    async def report_form(self, request: Request) -> Response:
        await self._site.owner_of(request)
        return await self._show_form(request, await self._about(request))

    async def _show_form(
        self,
        request: Request,
        account: Account,
        refusal: TrineError | None = None,
        *,
        done: bool = False,
    ) -> Response:
        return await self._site.show(
            request,
            "report.html",
            HTTPStatus.BAD_REQUEST if refusal else 200,
            account=account,
            whys=WHYS,
            refusal=refusal,
            done=done,
            told=words.said(MODERATION, self._site.language_of(request)),
        )

    async def report(self, request: Request) -> Response:
        form = await self._site.form_of(request)
        person, account = await self._site.owner_of(request), await self._about(request)
        try:
            await self._site.house.moderation.report(
                person, account.person, form.get("why", ""), form.get("words", "")
            )
        except TrineError as error:
            return await self._show_form(request, account, refusal_of(error))
        return await self._show_form(request, account, done=True)

    async def block(self, request: Request) -> Response:
        """Block somebody, or do so no more."""
        form = await self._site.form_of(request)
        person = await self._site.owner_of(request)
        account = await self._site.house.accounts.named(form.get("name", ""))
        other = form.get("person", "") or (account.person if account else "")
        await self._site.house.moderation.block(person, other, on=form.get("on") == "yes")
        back = f"/player/{account.name}" if account else "/account"
        return RedirectResponse(back, 303)

    # --- administrators ---------------------------------------------------------------------------

    async def page(self, request: Request) -> Response:
        await self._admin(request)
        return await self._show(request)

    async def _show(self, request: Request, refusal: TrineError | None = None) -> Response:
        moderation = self._site.house.moderation
        return await self._site.show(
            request,
            "moderation.html",
            HTTPStatus.BAD_REQUEST if refusal else 200,
            cases=await moderation.cases(),
            sanctions=await moderation.sanctions(),
            log=await moderation.log(),
            whys=WHYS,
            presets=PRESETS,
            date=_date,
            minute=_minute,
            refusal=refusal,
            told=words.said(MODERATION, self._site.language_of(request)),
        )

    async def decide(self, request: Request) -> Response:
        form = await self._site.form_of(request)
        admin, report = await self._admin(request), request.path_params["id"]
        moderation, what = self._site.house.moderation, form.get("what", "")
        try:
            if what == "done":
                await moderation.done(admin, report)
            elif what == "delete":
                await moderation.delete_line(admin, report)
            else:
                case = await moderation.case(report)
                sessions = await self._site.house.accounts.sessions_of(case.person)
                await moderation.sanction(admin, case.person, what, form.get("term", ""), case.why)
                if what == BAN:
                    await self._site.sockets.cut(one.hash for one in sessions)
                    self._site.streams.look_again(case.person)
        except TrineError as error:
            return await self._show(request, refusal_of(error))
        return RedirectResponse("/moderation", 303)

    async def lift(self, request: Request) -> Response:
        await self._site.form_of(request)
        admin = await self._admin(request)
        await self._site.house.moderation.lift(admin, request.path_params["id"])
        return RedirectResponse("/moderation", 303)


def _date(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(at)) if at < 7e9 else ""


def _minute(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(at))
