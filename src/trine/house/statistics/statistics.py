"""The figures of finished games, of a house by rule set and of a person, and of past Challenges."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any, Final, Protocol

from sqlalchemy import ColumnElement, Connection, Row, case, func, select
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from trine.core.contract.position import Outcome, Reason
from trine.core.text.sentence import Text, join, number, typed, verbatim
from trine.core.work.cpu_account import in_thread
from trine.games import open_room
from trine.house.games.live.agreement import Agreement
from trine.house.games.storage.tables import GAME, SEAT, SeatKind
from trine.house.people.accounts import Accounts
from trine.house.people.tables import Account, Person, accounts_of
from trine.house.search.tables import GAME_SEARCH
from trine.house.store.store import Store
from trine.house.web.frame import Frame
from trine.play.record.statistics import PUBLISHED_ENDINGS, GroupFigures, Summary
from trine.play.session.seats import bot_display_name
from trine.play.tournament.challenge import pieces_text
from trine.play.tournament.past_challenges import HISTORY, PLEDGES, prize, story

CACHE_TTL: Final = 60.0  # seconds


@dataclass(frozen=True)
class Ended:
    """The number of games that ended for one reason."""

    reason: Text
    games: int
    share: float  # per cent of the finished games
    published: int | None
    """The number in the French document; None if the document does not cover this rule set."""


@dataclass(frozen=True)
class Figures:
    """The figures of the finished games of a rule set."""

    title: Text
    summary: Summary | None  # the summary; None if only the French document counts games
    ends: Sequence[Ended]
    published: int  # number of games in the French document; 0 if it does not cover this rule set


class Statistics:
    """The statistics of a house, cached for a minute."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self._store, self._now = store, now
        self._counting = asyncio.Lock()
        self._counted: tuple[float, Sequence[Figures]] | None = None

    async def figures(self) -> Sequence[Figures]:
        async with self._counting:  # concurrent requests share one query
            now = self._now()
            if not self._counted or now - self._counted[0] >= CACHE_TTL:
                found = await self._store.fetch(count_results)
                # In a thread, because opening each game takes time.
                self._counted = now, await in_thread(partial(figures_of, found))
            return self._counted[1]


def count_results(connection: Connection) -> Mapping[tuple[str, str], GroupFigures]:
    """Return the statistics of all games with a result, by game and rule set."""
    c = GAME.c
    ends = (c.room, c.rules, c.reason, c.winner, c.turns)
    counted = select(*ends, func.count().label("games")).where(c.reason.is_not(None))
    found: defaultdict[tuple[str, str], GroupFigures] = defaultdict(GroupFigures)
    for row in connection.execute(counted.group_by(*ends)):
        outcome = Outcome(row.winner, Reason(row.reason))
        found[row.room, row.rules].add(outcome, row.turns, row.games)
    return dict(sorted(found.items()))


def figures_of(found: Mapping[tuple[str, str], GroupFigures]) -> list[Figures]:
    """Return the statistics of all rule sets with a finished game, and of the French document.

    ``found`` are the statistics of the house by game and rule set.
    """
    known = {**dict.fromkeys(PUBLISHED_ENDINGS, GroupFigures()), **found}
    return [_figures(key, games, PUBLISHED_ENDINGS.get(key, {})) for key, games in known.items()]


def _figures(key: tuple[str, str], games: GroupFigures, published: Mapping[Reason, int]) -> Figures:
    game, rules = key
    reasons = dict(games.reasons.most_common()) | {one: games.reasons[one] for one in published}
    return Figures(
        join([typed(open_room(game).title), typed(rules)], " · "),
        games.summary() if games.over else None,
        [
            Ended(
                one.text,
                number,
                100 * number / games.over if games.over else 0,
                published.get(one, 0) if published else None,
            )
            for one, number in reasons.items()
        ],
        sum(published.values()),
    )


MAX_OPPONENTS: Final = 20


@dataclass(frozen=True)
class ResultCounts:
    """The results of some games for a person."""

    games: int
    won: int
    drawn: int

    @property
    def lost(self) -> int:
        return self.games - self.won - self.drawn

    @property
    def score(self) -> float:
        """The mean result. Units: per cent."""
        return 100 * (self.won + self.drawn / 2) / self.games


@dataclass(frozen=True)
class SeatTally:
    """A person's results at a seat of a rule set, in all games or with one opening."""

    room: str
    rules: str
    seat: Text
    tally: ResultCounts
    opening: str = ""  # the person's own first turn; empty for all games

    @property
    def title(self) -> str:
        return open_room(self.room).title


@dataclass(frozen=True)
class OpponentTally:
    """The results of games with another player."""

    name: Text
    page: str  # name of the player's page; empty for players without a page
    tally: ResultCounts


def results_by_seat(connection: Connection, person_id: str) -> Sequence[SeatTally]:
    c = GAME_SEARCH.c
    group = (c.room, c.rules, c.seats, c.seat)
    rows = connection.execute(
        select(*group, *_counts()).where(*_public(person_id)).group_by(*group).order_by(*group)
    )
    return [
        SeatTally(
            row.room, row.rules, seat_name(row.room, row.rules, row.seats, row.seat), _tally(row)
        )
        for row in rows
    ]


def results_by_opponent(connection: Connection, person_id: str) -> Sequence[OpponentTally]:
    """Return a person's results against the opponents met most often, most games first."""
    c, other = GAME_SEARCH.c, SEAT.c
    met = (
        select(
            other.person,
            case((other.kind == SeatKind.BOT, other.name), else_="").label("bot"),
            other.name,
            c.score,
        )
        .join(SEAT, (other.game == c.game) & (other.seat != c.seat))
        .where(*_public(person_id), other.kind != SeatKind.FREE)
        .subquery()
    )
    group = (met.c.person, met.c.bot)
    counts = _counts(met.c.score)
    rows = connection.execute(
        select(*group, func.max(met.c.name).label("name"), *counts)
        .group_by(*group)
        .order_by(counts[0].desc(), func.max(met.c.name))
        .limit(MAX_OPPONENTS)
    ).all()
    known = accounts_of(connection, [row.person for row in rows if row.person])
    tallies = []
    for row in rows:
        page = known[row.person].name if row.person in known else ""
        name = verbatim(page or row.name) if row.person else bot_display_name(row.bot)
        tallies.append(OpponentTally(name, page, _tally(row)))
    return tallies


def _public(person_id: str) -> tuple[ColumnElement[bool], ...]:
    c = GAME_SEARCH.c
    return c.person == person_id, c.listed.is_(True), c.score.is_not(None)


def _counts(score: ColumnElement[Any] = GAME_SEARCH.c.score) -> Sequence[ColumnElement[Any]]:
    return (
        func.count().label("games"),
        func.sum(case((score == 1, 1), else_=0)).label("won"),
        func.sum(case((score == 0.5, 1), else_=0)).label("drawn"),
    )


def _tally(row: Row[Any]) -> ResultCounts:
    return ResultCounts(row.games, row.won, row.drawn)


def routes(frame: Frame[Person], statistics: Statistics) -> list[Route]:
    async def show(request: Request) -> Response:
        frame.charge(request, 5)
        return await frame.show(request, "statistics.html", found=await statistics.figures())

    async def computers(request: Request) -> Response:
        frame.charge(request, 2)
        return await frame.show(
            request,
            "computers.html",
            history=HISTORY,
            left_out=pieces_text,
            number=number,
            pledges=PLEDGES,
            prize=prize,
            story=story(),
        )

    return [Route("/statistics", show), Route("/computers", computers)]


class PagePart(Protocol):
    """A function that returns values for the template, for one part of an account's page."""

    def __call__(self, account: Account, *, own: bool) -> Awaitable[Mapping[str, Any]]:
        """Return the values; ``own`` is whether the viewer is the owner of the account."""


def results_routes(
    frame: Frame[Person], accounts: Accounts, store: Store, parts: Sequence[PagePart]
) -> list[Route]:
    async def show(request: Request) -> Response:
        frame.charge(request, 20)
        account = await accounts.named(request.path_params["name"])
        if not account:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        person = await frame.person_of(request)
        own, about = person is not None and person.id == account.person, dict[str, Any]()
        for part in parts:
            about |= await part(account, own=own)
        return await frame.show(
            request,
            "results.html",
            account=account,
            seats=await store.fetch(results_by_seat, account.person),
            opponents=await store.fetch(results_by_opponent, account.person),
            **about,
        )

    return [Route("/player/{name}/results", show)]


def seat_name(room: str, rules: str, seats: int, seat: int) -> Text:
    """Return the name of a seat at a board for ``seats`` players.

    >>> str(seat_name("corridor", "quoridor", 4, 1)), str(seat_name("arimaa", "official", 2, 1))
    ('West', 'Silver')
    """
    players = {"Players": str(seats)} if seats > 2 else {}
    return Agreement.make(room, rules, players).terms().start.seats[seat].name
