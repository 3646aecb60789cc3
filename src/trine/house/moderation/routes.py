"""Reports of people, the page of those who look after the house, and that of farmed ratings."""

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
from trine.house.moderation.farming import PERIODS, Farming
from trine.house.moderation.moderation import Moderation
from trine.house.people.accounts import ADMIN, Accounts
from trine.house.people.sanctions import BAN
from trine.house.people.tables import Account, Person
from trine.house.talk.chat import PRESETS, WHYS
from trine.house.web.frame import Frame
from trine.house.web.open_sockets import OpenSockets
from trine.house.web.refusing import refusal_of

PLACE: Final = "/moderation/ratings"
LISTED: Final = 50
"""The number of games against one person that are listed; a form has room for no more than 64."""


def routes(
    frame: Frame[Person],
    sockets: OpenSockets[Person],
    moderation: Moderation,
    accounts: Accounts,
    recheck: Callable[[str], None],
) -> list[Route]:
    """The routes of moderation."""
    pages = _ModerationPages(frame, sockets, moderation, accounts, recheck)
    return [
        Route("/player/{name}/report", pages.report_form),
        Route("/player/{name}/report", pages.report, methods=["POST"]),
        Route("/moderation", pages.page),
        Route("/moderation/report/{id}", pages.decide, methods=["POST"]),
        Route("/moderation/sanction/{id}/lift", pages.lift, methods=["POST"]),
        Route("/moderation/password", pages.reset_password, methods=["POST"]),
    ]


async def administrator(frame: Frame[Person], accounts: Accounts, request: Request) -> Person:
    """Return the administrator who asks.

    Raises:
        HTTPException: the person is no administrator.
    """
    person = await frame.owner_of(request)
    account = await accounts.of(person)
    if not account or account.role != ADMIN:
        raise HTTPException(HTTPStatus.FORBIDDEN)
    return person


class _ModerationPages:
    def __init__(
        self,
        frame: Frame[Person],
        sockets: OpenSockets[Person],
        moderation: Moderation,
        accounts: Accounts,
        recheck: Callable[[str], None],
    ) -> None:
        self._frame, self._sockets, self._moderation, self._accounts, self._recheck = (
            frame,
            sockets,
            moderation,
            accounts,
            recheck,
        )

    async def _admin(self, request: Request) -> Person:
        return await administrator(self._frame, self._accounts, request)

    # --- everybody --------------------------------------------------------------------------------

    async def _about(self, request: Request) -> Account:
        self._frame.charge(request, 5)
        account = await self._accounts.named(request.path_params["name"])
        if not account:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return account

    async def report_form(self, request: Request) -> Response:
        await self._frame.owner_of(request)
        return await self._show_form(request, await self._about(request))

    async def _show_form(
        self,
        request: Request,
        account: Account,
        refusal: TrineError | None = None,
        *,
        done: bool = False,
    ) -> Response:
        return await self._frame.show(
            request,
            "report.html",
            HTTPStatus.BAD_REQUEST if refusal else 200,
            account=account,
            whys=WHYS,
            refusal=refusal,
            done=done,
        )

    async def report(self, request: Request) -> Response:
        form = await self._frame.form_of(request)
        person, account = await self._frame.owner_of(request), await self._about(request)
        try:
            await self._moderation.report(
                person, account.person, form.get("why", ""), form.get("words", "")
            )
        except TrineError as error:
            return await self._show_form(request, account, refusal_of(error))
        return await self._show_form(request, account, done=True)

    # --- administrators ---------------------------------------------------------------------------

    async def page(self, request: Request) -> Response:
        await self._admin(request)
        return await self._show(request)

    async def _show(
        self, request: Request, refusal: TrineError | None = None, link: str = ""
    ) -> Response:
        moderation = self._moderation
        return await self._frame.show(
            request,
            "moderation.html",
            HTTPStatus.BAD_REQUEST if refusal else 200,
            cases=await moderation.cases(),
            sanctions=await moderation.sanctions(),
            log=await moderation.log(),
            whys=WHYS,
            presets=PRESETS,
            date=_date,
            refusal=refusal,
            link=link,
        )

    async def decide(self, request: Request) -> Response:
        form = await self._frame.form_of(request)
        admin, report = await self._admin(request), request.path_params["id"]
        moderation, what = self._moderation, form.get("what", "")
        try:
            if what == "done":
                await moderation.done(admin, report)
            elif what == "delete":
                await moderation.delete_line(admin, report)
            else:
                case = await moderation.case(report)
                sessions = await self._accounts.sessions_of(case.person)
                await moderation.sanction(admin, case.person, what, form.get("term", ""), case.why)
                if what == BAN:
                    await self._sockets.cut(one.hash for one in sessions)
                    self._recheck(case.person)
        except TrineError as error:
            return await self._show(request, refusal_of(error))
        return RedirectResponse("/moderation", 303)

    async def reset_password(self, request: Request) -> Response:
        form = await self._frame.form_of(request)
        admin = await self._admin(request)
        try:
            path = await self._moderation.reset_password(
                admin, form.get("name", ""), lost="lost" in form
            )
        except TrineError as error:
            return await self._show(request, refusal_of(error))
        origin = self._frame.origins.origin_of(request.headers, request.url.scheme)
        return await self._show(request, link=f"{origin}{path}")

    async def lift(self, request: Request) -> Response:
        await self._frame.form_of(request)
        admin = await self._admin(request)
        await self._moderation.lift(admin, request.path_params["id"])
        return RedirectResponse("/moderation", 303)


def _date(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(at)) if at < 7e9 else ""


def farming_routes(frame: Frame[Person], farming: Farming, accounts: Accounts) -> list[Route]:
    """The routes of the page."""

    async def page(request: Request) -> Response:
        await administrator(frame, accounts, request)
        days = _days(request.query_params.get("days", ""))
        return await frame.show(
            request,
            "farming.html",
            days=days,
            periods=PERIODS,
            climbers=await farming.climbers(days),
            uncounted=await farming.uncounted(),
            listed=LISTED,
        )

    async def annul(request: Request) -> Response:
        form = await frame.form_of(request)
        admin, days = await administrator(frame, accounts, request), _days(form.get("days", ""))
        chosen = [name.removeprefix("game-") for name in form if name.startswith("game-")]
        if form.get("what") == "all":
            chosen = await farming.between(form.get("person", ""), form.get("other", ""), days)
        await farming.annul(admin, chosen)
        return RedirectResponse(f"{PLACE}?days={days}", 303)

    async def allow(request: Request) -> Response:
        form = await frame.form_of(request)
        await farming.allow(await administrator(frame, accounts, request), [form.get("game", "")])
        return RedirectResponse(f"{PLACE}#uncounted", 303)

    return [
        Route(PLACE, page),
        Route(f"{PLACE}/annul", annul, methods=["POST"]),
        Route(f"{PLACE}/allow", allow, methods=["POST"]),
    ]


def _days(given: str) -> int:
    days = {str(one): one for one in PERIODS}.get(given or "7")
    if days is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return days
