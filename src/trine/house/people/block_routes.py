"""Blocks of people on the web."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.house.people.account_rows import Account
from trine.house.people.accounts import Accounts
from trine.house.people.blocks import Blocks
from trine.house.people.person_rows import Person
from trine.house.web.frame import Frame


def routes(frame: Frame[Person], blocks: Blocks, accounts: Accounts) -> list[Route]:
    """The routes of blocks."""

    async def block(request: Request) -> Response:
        """Block a person, or unblock them."""
        form = await frame.form_of(request)
        person = await frame.owner_of(request)
        account = await accounts.named(form.get("name", ""))
        other = form.get("person", "") or (account.person if account else "")
        await blocks.block(person, other, on=form.get("on") == "yes")
        return RedirectResponse(f"/player/{account.name}" if account else "/account", 303)

    return [Route("/block", block, methods=["POST"])]


async def blocked_shown(
    blocks: Blocks, request: Request, person: Person | None, account: Account | None
) -> Mapping[str, Any]:
    """Return the people whom a person has blocked, as the page of an account shows them."""
    return {"blocked": await blocks.blocked_by(person.id) if person else {}}


async def whether_blocked(
    blocks: Blocks, person: Person | None, account: Account
) -> Mapping[str, Any]:
    """Return whether a person has blocked another, for the page of that other."""
    blocked = await blocks.blocked_by(person.id) if person else {}
    return {"blocked": account.person in blocked}
