"""The page of a person's results."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Protocol

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trine.core.text.sentence import Text, verbatim
from trine.core.work.payer import in_thread
from trine.games import open_room
from trine.house.games.agreement import Agreement
from trine.house.people.account_rows import Account, accounts_of
from trine.house.people.accounts import Accounts
from trine.house.people.person_rows import Person
from trine.house.statistics.results import (
    OpponentTally,
    SeatTally,
    Tally,
    results_by_opponent,
    results_by_seat,
)
from trine.house.store.store import Store
from trine.house.web.frame import Frame
from trine.play.session.seats import bot_called


class Part(Protocol):
    """A part of the page: a function that returns values of an account for the template."""

    def __call__(self, account: Account, *, own: bool) -> Awaitable[Mapping[str, Any]]:
        """Return the values; ``own`` is whether the person of the account asks."""


@dataclass(frozen=True)
class SeatSeen:
    """The results in a seat, as the page shows them."""

    title: str
    rules: str
    seat: Text
    tally: Tally


@dataclass(frozen=True)
class OpponentSeen:
    """The results against another player, as the page shows them."""

    name: Text
    page: str
    """The name of the player's page; empty for players without one."""
    tally: Tally


def routes(
    frame: Frame[Person], accounts: Accounts, store: Store, parts: Sequence[Part]
) -> list[Route]:
    """The route of the page.

    Args: ``parts`` are what other subjects show there.
    """

    async def show(request: Request) -> Response:
        frame.charge(request, 20)
        account = await accounts.named(request.path_params["name"])
        if not account:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        seats = await store.fetch(results_by_seat, account.person)
        opponents = await store.fetch(results_by_opponent, account.person)
        people = [one.person for one in opponents if one.person]
        known = await store.fetch(accounts_of, people)
        person = await frame.person_of(request)
        own, about = person is not None and person.id == account.person, dict[str, Any]()
        for part in parts:
            about |= await part(account, own=own)
        return await frame.show(
            request,
            "results.html",
            account=account,
            seats=await in_thread(lambda: [seat_seen(one) for one in seats]),
            opponents=[_opponent(one, known) for one in opponents],
            **about,
        )

    return [Route("/player/{name}/results", show)]


def seat_seen(one: SeatTally) -> SeatSeen:
    """Return the results in a seat as the page shows them."""
    return SeatSeen(
        open_room(one.room).title,
        one.rules,
        seat_name(one.room, one.rules, one.seats, one.seat),
        one.tally,
    )


def seat_name(room: str, rules: str, seats: int, seat: int) -> Text:
    """Return the name of a seat at a board of so many players.

    >>> str(seat_name("corridor", "quoridor", 4, 1)), str(seat_name("arimaa", "official", 2, 1))
    ('West', 'Silver')
    """
    players = {"Players": str(seats)} if seats > 2 else {}
    return Agreement.make(room, rules, players).terms().start.seats[seat].name


def _opponent(one: OpponentTally, known: Mapping[str, Account]) -> OpponentSeen:
    if one.person is None:
        return OpponentSeen(bot_called(one.name), "", one.tally)
    account = known.get(one.person)
    name = account.name if account else one.name
    return OpponentSeen(verbatim(name), account.name if account else "", one.tally)
