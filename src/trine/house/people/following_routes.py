"""The forms by which people follow each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.text.sentence import text
from trine.house.people.account_rows import Account
from trine.house.people.accounts import Accounts
from trine.house.people.following import Following
from trine.house.people.person_rows import Person
from trine.house.refusals import HouseError
from trine.house.web.frame import Frame


def routes(frame: Frame[Person], following: Following, accounts: Accounts) -> list[Route]:
    """The routes of following."""

    async def follow(request: Request) -> Response:
        """Follow an account, or follow it no more."""
        form = await frame.form_of(request)
        person = await frame.owner_of(request)
        name = form.get("name", "").strip()
        account = await accounts.named(name)
        if not account:
            raise HouseError(text("nobody here is called {name}", name=name[:100]))
        await following.follow(person, account, on=form.get("on") == "yes")
        back = "/people" if form.get("back") == "people" else f"/player/{account.name}"
        return RedirectResponse(back, 303)

    return [Route("/follow", follow, methods=["POST"])]


async def whether_followed(
    following: Following, person: Person | None, account: Account
) -> Mapping[str, Any]:
    """Return whether a person follows another, for the page of that other."""
    return {"followed": await following.follows(person, account)}
