"""The pages of ratings: that of a person with the last rated games, and the leaders."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.games import ROOMS, known_rules, open_room
from trine.house.games.snapshot import Snapshot
from trine.house.people.account_page import day
from trine.house.people.account_rows import Account
from trine.house.people.accounts import Accounts
from trine.house.people.names import fold
from trine.house.people.person_rows import Person
from trine.house.ratings.leaders import SPEEDS, Leaders
from trine.house.ratings.profile import profile_of
from trine.house.ratings.tables import annulled
from trine.house.store.store import Store
from trine.house.web.frame import Frame

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
        if fold(request.path_params["name"]) != account.folded:  # a former name leads on
            return RedirectResponse(f"/player/{quote(account.name)}", HTTPStatus.FOUND)
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


async def annulment_shown(
    store: Store, request: Request, snapshot: Snapshot, person: Person | None
) -> Mapping[str, Any]:
    """Return for the page of a game whether it counts for nobody."""
    rated = snapshot.over and snapshot.agreement.rated
    return {"annulled": rated and bool(await store.fetch(annulled, [snapshot.game]))}


def leader_routes(frame: Frame[Person], leaders: Leaders) -> list[Route]:
    """The routes of the leaders."""

    async def show(request: Request) -> Response:
        frame.charge(request, 3)
        given = request.query_params
        try:
            room = open_room(given.get("game", ROOMS[0]))
            rules = known_rules(room, given.get("rules", "") or room.default_rules)
        except TrineError as error:
            raise HTTPException(HTTPStatus.NOT_FOUND) from error
        speed = given.get("speed", "rapid")
        if speed not in SPEEDS:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return await frame.show(
            request,
            "leaders.html",
            room=room,
            rules=rules,
            speed=speed,
            speeds=SPEEDS,
            leaders=await leaders.of(f"{room.name}/{rules} {speed}"),
        )

    return [Route("/leaders", show)]
