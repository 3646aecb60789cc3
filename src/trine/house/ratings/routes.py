"""The pages of ratings: the profile of a person, and the leaders."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import Connection, func, select
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from trine.core.errors import TrineError
from trine.core.text.sentence import ntext, verbatim
from trine.core.work.cpu_account import in_thread
from trine.games import ROOMS, known_rules, open_room
from trine.house.games.live.agreement import CORRESPONDENCE, SPEEDS
from trine.house.games.live.live_game import rating_text
from trine.house.games.storage.tables import SeatKind, SeatRow, read_seats
from trine.house.games.view.snapshot import Snapshot
from trine.house.people.accounts import Accounts
from trine.house.people.names import fold
from trine.house.people.tables import ACCOUNT, BOT_ROLE, PERSON, Account, Person, accounts_of
from trine.house.ratings.ratings import PROVISIONAL_DEVIATION, now
from trine.house.ratings.tables import RATING, RatingRow, annulled, ratings_of
from trine.house.store.store import Store
from trine.house.web.frame import Frame
from trine.house.web.pages import day
from trine.play.session.seats import bot_display_name

Part = Callable[[Person | None, Account], Awaitable[Mapping[str, Any]]]
"""A function that returns values for the template, for one part of an account's page."""
SPEEDS_SHOWN: Final = (*SPEEDS, CORRESPONDENCE)
MAX_LEADERS: Final = 50
CACHE_TTL: Final = 60.0  # seconds
INACTIVE_AFTER: Final = 180 * 86_400.0  # seconds without a game; then a person is no leader
WIDTH, HEIGHT = 320, 80
MIN_SPAN: Final = 100.0  # rating points; of a curve
MAX_POINTS: Final = 200
MAX_LISTED: Final = 20


async def profile_of(store: Store, at: float, account: Account) -> dict[str, Any]:
    rows = await store.fetch(ratings_of, account.person)
    return {
        "ratings": seen_ratings(rows, at),
        "games": await in_thread(partial(_games, store, account, rows[: -MAX_LISTED - 1 : -1])),
        "width": WIDTH,
        "height": HEIGHT,
    }


def seen_ratings(rows: Sequence[RatingRow], at: float) -> list[dict[str, Any]]:
    """Return the ratings of a person for the template, those with most games first."""
    by_discipline: Mapping[str, list[RatingRow]] = defaultdict(list)
    for row in rows:
        by_discipline[row.discipline].append(row)
    seen = []
    for discipline, own in by_discipline.items():
        rules, _, speed = discipline.rpartition(" ")
        game, _, rules = rules.partition("/")
        current = now(own[-1], at)
        provisional = current.deviation > PROVISIONAL_DEVIATION
        seen.append(
            {
                "title": open_room(game).title,
                "rules": rules,
                "speed": speed,
                "rating": rating_text(current.rating, provisional=provisional),
                "many": ntext("{count} game", "{count} games", len(own)),
                "games": len(own),
                "best": round(max(row.rating for row in own)),
                "curve": curve([1500.0, *(row.rating for row in own)]),
            }
        )
    return sorted(seen, key=lambda one: (-one["games"], one["title"], one["rules"]))


def curve(ratings: Sequence[float]) -> str:
    """Return the points of the curve of ratings, the newest at the right.

    >>> curve([1500, 1600])
    '0.0,76.0 320.0,4.0'
    """
    ratings = ratings[-MAX_POINTS:]
    low, high = min(ratings), max(ratings)
    middle, span = (low + high) / 2, max(MIN_SPAN, high - low)
    across = WIDTH / max(1, len(ratings) - 1)
    down = (HEIGHT - 8) / span
    return " ".join(
        f"{number * across:.1f},{HEIGHT / 2 - (rating - middle) * down:.1f}"
        for number, rating in enumerate(ratings)
    )


def _games(store: Store, account: Account, rows: Sequence[RatingRow]) -> list[dict[str, Any]]:
    """Return the last rated games of a person; other games are private."""
    seen = []
    for row in rows:
        seats = [seat for seat in store.read(read_seats, row.game) if seat.person != account.person]
        accounts = store.read(accounts_of, [seat.person for seat in seats if seat.person])
        others = [_other(seat, accounts) for seat in seats]
        title = open_room(row.discipline.partition("/")[0]).title
        rating = rating_text(row.rating, provisional=row.deviation > PROVISIONAL_DEVIATION)
        seen.append(asdict(row) | {"title": title, "rating": rating, "others": others})
    return seen


def _other(seat: SeatRow, accounts: Mapping[str, Account]) -> dict[str, Any]:
    """Return an opponent for the template; ``page`` is empty without an account."""
    account = accounts.get(seat.person or "")
    return {
        "name": bot_display_name(seat.name) if seat.kind is SeatKind.BOT else verbatim(seat.name),
        "page": account.name if account else "",
        "bot": account is not None and account.bot,
    }


@dataclass(frozen=True, slots=True)
class Leader:
    """A person among the leaders."""

    name: str
    bot: bool
    rating: str
    games: int


def leaders_of(connection: Connection, discipline: str, since: float) -> list[Leader]:
    """Return the accounts with the best non-provisional ratings that have played since a time."""
    c = RATING.c
    last = (
        select(func.max(c.number).label("number"), func.count().label("games"))
        .where(c.discipline == discipline)
        .group_by(c.person)
        .subquery()
    )
    found = connection.execute(
        select(PERSON.c.name, ACCOUNT.c.role, c.rating, last.c.games)
        .join(last, last.c.number == c.number)
        .join(ACCOUNT, ACCOUNT.c.person == c.person)
        .join(PERSON, PERSON.c.id == c.person)
        .where(c.deviation <= PROVISIONAL_DEVIATION, c.at >= since)
        .order_by(c.rating.desc(), PERSON.c.name)
        .limit(MAX_LEADERS)
    )
    return [
        Leader(
            row.name, row.role == BOT_ROLE, rating_text(row.rating, provisional=False), row.games
        )
        for row in found
    ]


class Leaders:
    """The leaders of a house; each list is cached for a minute."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._making = asyncio.Lock()
        self._made: dict[str, tuple[float, Sequence[Leader]]] = {}

    async def of(self, discipline: str) -> Sequence[Leader]:
        """Return the leaders of a discipline, the highest first."""
        async with self._making:  # concurrent requests share one query
            now = self._store.now()
            at, made = self._made.get(discipline, (0.0, ()))
            if now - at >= CACHE_TTL:
                made = await self._store.fetch(leaders_of, discipline, now - INACTIVE_AFTER)
                self._made[discipline] = now, made
            return made


def routes(
    frame: Frame[Person], accounts: Accounts, store: Store, shown_of: Part, games_of: Part
) -> list[Route]:
    """Return the routes of profiles.

    ``shown_of`` and ``games_of`` return what other packages show; games only without rated ones.
    """

    async def profile(request: Request) -> Response:
        frame.charge(request, 5)
        account = await accounts.named(request.path_params["name"])
        if not account:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        if fold(request.path_params["name"]) != account.folded:  # a former name redirects
            return RedirectResponse(f"/player/{quote(account.name)}", HTTPStatus.FOUND)
        person = await frame.person_of(request)
        about = await profile_of(store, frame.now(), account)
        about |= await shown_of(person, account)
        if not about["ratings"]:
            about |= await games_of(person, account)
        return await frame.show(
            request,
            "player.html",
            account=account,
            since=day(account.since),
            may=person is not None and person.has_account and person.id != account.person,
            **about,
        )

    return [Route("/player/{name}", profile)]


async def annulment_page(
    store: Store, request: Request, snapshot: Snapshot, person: Person | None
) -> Mapping[str, Any]:
    """Return whether a game is annulled, for the template of its page."""
    rated = snapshot.over and snapshot.agreement.rated
    return {"annulled": rated and bool(await store.fetch(annulled, [snapshot.game]))}


def leader_routes(frame: Frame[Person], leaders: Leaders) -> list[Route]:
    async def show(request: Request) -> Response:
        frame.charge(request, 3)
        given = request.query_params
        try:
            room = open_room(given.get("game", ROOMS[0]))
            rules = known_rules(room, given.get("rules", "") or room.default_rules)
        except TrineError as error:
            raise HTTPException(HTTPStatus.NOT_FOUND) from error
        speed = given.get("speed", "rapid")
        if speed not in SPEEDS_SHOWN:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        return await frame.show(
            request,
            "leaders.html",
            room=room,
            rules=rules,
            speed=speed,
            speeds=SPEEDS_SHOWN,
            leaders=await leaders.of(f"{room.name}/{rules} {speed}"),
        )

    return [Route("/leaders", show)]
