"""The profile of a person for others: ratings with their curves, and the last games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from trine.core.text.sentence import Text, ntext, verbatim
from trine.core.work.payer import in_thread
from trine.games import open_room
from trine.house.games import seat_rows
from trine.house.games.rated_player import shown
from trine.house.games.seat_rows import SeatKind, SeatRow
from trine.house.people import account_rows
from trine.house.people.account_rows import Account
from trine.house.ratings.ratings import SURE, now
from trine.house.ratings.tables import RatingRow, ratings_of
from trine.house.store.store import Store
from trine.play.session.seats import bot_called

WIDTH, HEIGHT = 320, 80
LEAST_SPAN: Final = 100.0
"""Units: rating points; the smallest range that a curve shows."""
MOST_POINTS: Final = 200
LAST: Final = 20
"""The number of games shown."""


@dataclass(frozen=True)
class RatingSeen:
    """A rating as the page shows it."""

    title: str
    """The game."""
    rules: str
    speed: str
    rating: str
    games: int
    best: int
    curve: str
    """The points of the curve, in a picture of `WIDTH` by `HEIGHT`."""

    @property
    def many(self) -> Text:
        """The number of games, in words."""
        return ntext("{count} game", "{count} games", self.games)


@dataclass(frozen=True)
class GameSeen:
    """A rated game as the page shows it."""

    game: str
    title: str
    at: float
    score: float
    rating: str
    others: Sequence[OtherSeen]


@dataclass(frozen=True)
class OtherSeen:
    """Another player of a game."""

    name: Text
    page: str = ""
    """The name of the player's page; empty for players without one."""
    bot: bool = False
    """Whether a program uses the account."""


async def profile_of(store: Store, moment: float, account: Account) -> dict[str, Any]:
    """Return the values for the page of a person."""
    rows = await store.fetch(ratings_of, account.person)
    return {
        "ratings": seen_ratings(rows, moment),
        "games": await in_thread(partial(_games, store, account, rows[: -LAST - 1 : -1])),
        "width": WIDTH,
        "height": HEIGHT,
    }


def seen_ratings(rows: Sequence[RatingRow], moment: float) -> list[RatingSeen]:
    """Return the ratings of a person, those with most games first."""
    by_discipline: Mapping[str, list[RatingRow]] = defaultdict(list)
    for row in rows:
        by_discipline[row.discipline].append(row)
    seen = []
    for discipline, own in by_discipline.items():
        rules, _, speed = discipline.rpartition(" ")
        game, _, rules = rules.partition("/")
        current = now(own[-1], moment)
        seen.append(
            RatingSeen(
                open_room(game).title,
                rules,
                speed,
                shown(current.rating, provisional=current.deviation > SURE),
                len(own),
                round(max(row.rating for row in own)),
                curve([1500.0, *(row.rating for row in own)]),
            )
        )
    return sorted(seen, key=lambda one: (-one.games, one.title, one.rules))


def curve(ratings: Sequence[float]) -> str:
    """Return the points of the curve of ratings, the newest at the right.

    >>> curve([1500, 1600])
    '0.0,76.0 320.0,4.0'
    """
    ratings = ratings[-MOST_POINTS:]
    low, high = min(ratings), max(ratings)
    middle, span = (low + high) / 2, max(LEAST_SPAN, high - low)
    across = WIDTH / max(1, len(ratings) - 1)
    down = (HEIGHT - 8) / span
    return " ".join(
        f"{number * across:.1f},{HEIGHT / 2 - (rating - middle) * down:.1f}"
        for number, rating in enumerate(ratings)
    )


def _games(store: Store, account: Account, rows: Sequence[RatingRow]) -> list[GameSeen]:
    """Return the last rated games of a person; other games are private."""
    seen = []
    for row in rows:
        seats = [
            seat
            for seat in store.read(seat_rows.read_seats, row.game)
            if seat.person != account.person
        ]
        accounts = store.read(
            account_rows.accounts_of, [seat.person for seat in seats if seat.person]
        )
        others = [_other(seat, accounts) for seat in seats]
        title = open_room(row.discipline.partition("/")[0]).title
        rating = shown(row.rating, provisional=row.deviation > SURE)
        seen.append(GameSeen(row.game, title, row.at, row.score, rating, others))
    return seen


def _other(seat: SeatRow, accounts: Mapping[str, Account]) -> OtherSeen:
    if seat.kind is SeatKind.BOT:
        return OtherSeen(bot_called(seat.name))
    account = accounts.get(seat.person or "")
    name = verbatim(seat.name)
    return OtherSeen(name, account.name, account.bot) if account else OtherSeen(name)
