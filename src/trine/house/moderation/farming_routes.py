"""The page on which administrators see what looks like farmed ratings, and undo it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.house.moderation.farming import PERIODS, Farming
from trine.house.moderation.routes import administrator
from trine.house.people.accounts import Accounts
from trine.house.people.person_rows import Person
from trine.house.web.frame import Frame

PLACE: Final = "/moderation/ratings"
LISTED: Final = 50
"""The number of games against one person that are listed; a form has room for no more than 64."""


def routes(frame: Frame[Person], farming: Farming, accounts: Accounts) -> list[Route]:
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
