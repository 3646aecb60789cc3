"""Ratings: for each game, rule set and speed, of people who have accounts."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection

from trine.core.clock import parse_time_control
from trine.core.outcome import Outcome
from trine.core.text import text
from trine.house.agreement import Agreement
from trine.house.export import entries_of
from trine.house.glicko import Rating, rated
from trine.house.presence import estimated_time
from trine.house.refusals import HouseError
from trine.session.changes import rebuilt
from trine.store.game_rows import Stage
from trine.store.rating_rows import Before, RatingRow, games_between, rate
from trine.store.seat_rows import SeatRow
from trine.store.store import Store

PERIOD: Final = 86_400 / 3
"""Units: seconds; the rating period. After a year without games a sure rating is a newcomer's."""
SURE: Final = 110.0
"""The deviation above which a rating is provisional."""
_SPEEDS: Final = ((180, "bullet"), (480, "blitz"), (1500, "rapid"))
"""Up to which estimated time of a player, in seconds, a game has which speed."""
MOST_A_DAY: Final = 20
"""The rated games of the same people that count in a day. Guess."""
DAY: Final = 86_400
Write = Callable[[Connection], None]


@dataclass(frozen=True)
class Standing:
    """The account of a player, and the rating for the game that is played."""

    name: str
    rating: float
    provisional: bool
    bot: bool = False
    """Whether a program plays under the name."""

    def __str__(self) -> str:
        return shown(self.rating, provisional=self.provisional)


def shown(rating: float, *, provisional: bool) -> str:
    """A rating as it is shown.

    >>> shown(1512.4, provisional=True)
    '1512?'
    """
    return f"{round(rating)}{'?' if provisional else ''}"


def speed_of(clock: str) -> str:
    """The speed of a game by the time that a player is expected to need.

    >>> speed_of("1+1"), speed_of("5+3"), speed_of("10+10"), speed_of("30+20"), speed_of("3d/7d/0")
    ('bullet', 'blitz', 'rapid', 'slow', 'correspondence')
    """
    if not clock:
        return "slow"
    control = parse_time_control(clock)
    if control.by_days:
        return "correspondence"
    estimated = estimated_time(control)
    return next((speed for most, speed in _SPEEDS if estimated < most), "slow")


def discipline_of(agreement: Agreement) -> str:
    """The kind for which ratings count: game, rule set, players if more than two, and speed.

    >>> discipline_of(Agreement.make("tzaar", clock="5+3"))
    'tzaar/official blitz'
    """
    players = f"/{agreement.seats}" if agreement.seats > 2 else ""
    return f"{agreement.game}/{agreement.rules}{players} {speed_of(agreement.clock)}"


def write_of(
    game: str, agreement: Agreement, seats: Sequence[SeatRow], outcome: Outcome, at: float
) -> Write | None:
    """A function that writes the ratings with the end of a game; None if they do not change."""
    people = _rated_people(agreement, seats)
    if not people:
        return None
    discipline = discipline_of(agreement)
    reckon = partial(reckoned, game, discipline, people, outcome.winner, at)

    def write(connection: Connection) -> None:
        if games_between(connection, people, *_day_of(at)) < MOST_A_DAY:
            rate(connection, game, discipline, people, reckon)

    return write


def _day_of(at: float) -> tuple[float, float]:
    """The day of a moment, by universal time: its beginning, and the next one's."""
    begins = at // DAY * DAY
    return begins, begins + DAY


def _rated_people(agreement: Agreement, seats: Sequence[SeatRow]) -> list[str]:
    """The people at the seats of a game that counts for their ratings; none if it does not."""
    people = [seat.person for seat in seats if seat.person]
    return people if agreement.rated and len(set(people)) == len(seats) else []


def together(*writes: Write | None) -> Write | None:
    """One write of several, of which some may be none."""
    given = [write for write in writes if write]
    if len(given) < 2:
        return next(iter(given), None)

    def write(connection: Connection) -> None:
        for one in given:
            one(connection)

    return write


def reckoned(
    game: str, discipline: str, people: Sequence[str], winner: int | None, at: float, before: Before
) -> list[RatingRow]:
    """The ratings after a game, from those before.

    A game of more than two is one game of the winner against each of the others, who are not
    compared with each other.
    """
    since = {
        person: max(0.0, at - row.at) / PERIOD if row else 0.0 for person, row in before.items()
    }
    old = {person: _rating(row) for person, row in before.items()}
    rows = []
    for seat, person in enumerate(people):
        results = [
            (old[other].aged(since[other]), _score(seat, number, winner))
            for number, other in enumerate(people)
            if number != seat and (winner is None or winner in (seat, number))
        ]
        new = rated(old[person], results, since[person])
        score = 0.5 if winner is None else float(seat == winner)
        rows.append(
            RatingRow(
                game, person, discipline, at, score, new.rating, new.deviation, new.volatility
            )
        )
    return rows


def _rating(row: RatingRow | None) -> Rating:
    return Rating(row.rating, row.deviation, row.volatility) if row else Rating()


def _score(seat: int, other: int, winner: int | None) -> float:
    return 0.5 if winner is None else float(winner == seat)


def now(row: RatingRow, moment: float) -> Rating:
    """A rating at a moment after its last game."""
    return _rating(row).aged(max(0.0, moment - row.at) / PERIOD)


class Ratings:
    """The ratings of a house."""

    def __init__(self, store: Store, moment: Callable[[], float]) -> None:
        self._store, self._moment = store, moment

    async def standings(
        self, agreement: Agreement, seats: Sequence[SeatRow]
    ) -> Mapping[int, Standing]:
        """The players who have accounts, by their seats."""
        people = {number: seat.person for number, seat in enumerate(seats) if seat.person}
        if not people:
            return {}
        return await asyncio.to_thread(self._standings, discipline_of(agreement), people)

    async def standing(self, discipline: str, person: str) -> Standing | None:
        """The standing of one person; None for guests."""
        found = await asyncio.to_thread(self._standings, discipline, {0: person})
        return found.get(0)

    async def strength(self, agreement: Agreement, person: str | None) -> float:
        """The rating by which somebody is seeded; that of a newcomer for all who have none."""
        found = await self.standing(discipline_of(agreement), person) if person else None
        return found.rating if found else Rating().rating

    async def check_may_meet(self, people: Sequence[str]) -> None:
        """Make sure that one more rated game of these people would count today.

        Raises:
            HouseError: it would not.
        """
        since, until = _day_of(self._moment())
        read = partial(games_between, people=people, since=since, until=until)
        if await asyncio.to_thread(self._store.read, read) >= MOST_A_DAY:
            raise HouseError(
                text("you have played {count} rated games with each other today", count=MOST_A_DAY)
            )

    def _standings(self, discipline: str, people: Mapping[int, str]) -> dict[int, Standing]:
        accounts = self._store.accounts_of(list(people.values()))
        standings = {}
        for number, person in people.items():
            if account := accounts.get(person):
                row = self._store.rating(person, discipline)
                rating = now(row, self._moment()) if row else Rating()
                provisional = rating.deviation > SURE
                standings[number] = Standing(account.name, rating.rating, provisional, account.bot)
        return standings


# --- from the journals ---------------------------------------------------------------------------


def recomputed(store: Store) -> list[RatingRow]:
    """All ratings, reckoned anew from the journals of the games, in the order of their ends."""
    rows: list[RatingRow] = []
    latest: dict[tuple[str, str], RatingRow] = {}
    days: Counter[tuple[frozenset[str], tuple[float, float]]] = Counter()
    for game in _in_order(store):
        if (write := _of_journal(store, game)) is None:
            continue
        discipline, people, winner, at = write
        met = (frozenset(people), _day_of(at))
        days[met] += 1
        if days[met] > MOST_A_DAY:
            continue
        before = {person: latest.get((person, discipline)) for person in people}
        for row in reckoned(game, discipline, people, winner, at, before):
            latest[row.person, discipline] = row
            rows.append(row)
    return rows


def _in_order(store: Store) -> Iterator[str]:
    """Rated games as they were rated, then those that never were."""
    known = dict.fromkeys(row.game for row in store.all_ratings())
    yield from known
    missing = []
    for game in store.all_games():
        if game.id not in known and game.stage is Stage.OVER and game.terms.get("rated"):
            events = store.events(game.id)
            missing.append((events[-1].at if events else 0.0, game.id))
    for _, name in sorted(missing):
        yield name


def _of_journal(store: Store, game: str) -> tuple[str, list[str], int | None, float] | None:
    row = store.game(game)
    entries = entries_of(store.events(game))
    if not row or not entries:
        return None
    agreement, seats = Agreement.from_data(row.terms), store.seats(game)
    people, outcome = _rated_people(agreement, seats), rebuilt(entries).outcome
    if not outcome or not people:
        return None
    return discipline_of(agreement), people, outcome.winner, entries[-1].at
