"""The page of a person: ratings, and the last rated games."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trine.house.people.account_page import day
from trine.house.people.account_rows import Account
from trine.house.people.accounts import Accounts
from trine.house.people.person_rows import Person
from trine.house.ratings.profile import profile_of
from trine.store.store import Store
from trine.web.frame import Frame

Part = Callable[[Person | None, Account], Awaitable[Mapping[str, Any]]]
"""A part of the page: a function that returns values of an account for the template."""


def routes(
    frame: Frame[Person], accounts: Accounts, store: Store, parts: Sequence[Part]
) -> list[Route]:
    """The routes of profiles.

    Args: ``parts`` are what other subjects show there.
    """

    async def profile(request: Request) -> Response:
        frame.charge(request, 5)
        account = await accounts.named(request.path_params["name"])
        if not account:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        person = await frame.person_of(request)
        about = await profile_of(store, frame.now(), account)
        for part in parts:
            about |= await part(person, account)
        return await frame.show(
            request,
            "player.html",
            account=account,
            since=day(account.since),
            date=day,
            may=person is not None and person.has_account and person.id != account.person,
            **about,
        )

    return [Route("/player/{name}", profile)]
