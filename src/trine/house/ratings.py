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
from trine.house.anchors import anchor_of
from trine.house.export import entries_of
from trine.house.glicko import Rating, rated
from trine.house.presence import estimated_time
from trine.house.refusals import HouseError
from trine.session.changes import rebuilt
from trine.session.entries import Entry, Kind
from trine.store.game_rows import Stage
from trine.store.rating_rows import Before, RatingRow, games_between, rate
from trine.store.seat_rows import SeatKind, SeatRow
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
    game: str,
    agreement: Agreement,
    seats: Sequence[SeatRow],
    outcome: Outcome,
    entries: Sequence[Entry],
) -> Write | None:
    """A function that writes the ratings with the end of a game; None if they do not change.

    Args: ``entries`` are all of the game.
    """
    if not (result := _result_of(game, agreement, seats, outcome, entries)):
        return None
    people = result.people

    def write(connection: Connection) -> None:
        if games_between(connection, people, *_day_of(result.at)) < MOST_A_DAY:
            rate(connection, game, result.discipline, people, partial(reckoned, result))

    return write


@dataclass(frozen=True)
class Result:
    """The result of a game that counts for ratings."""

    game: str
    discipline: str
    players: Sequence[str | Rating]
    """At each seat the id of a person, or what a level stands for."""
    places: Sequence[int]
    """Of each seat; the first is 1, and several may share one."""
    drawn: bool
    at: float
    """Units: seconds since 1970; when the game ended."""

    @property
    def people(self) -> list[str]:
        """The people among the players."""
        return [one for one in self.players if isinstance(one, str)]

    def score(self, seat: int) -> float:
        """The score of a seat: 1 for the first place, a half for one of several, 0 for others."""
        first = self.places[seat] == 1
        return (0.5 if self.drawn else 1.0) if first else 0.0


def _result_of(
    game: str,
    agreement: Agreement,
    seats: Sequence[SeatRow],
    outcome: Outcome,
    entries: Sequence[Entry],
) -> Result | None:
    """The result of a game; None if it counts for nobody."""
    if not (players := rated_players(agreement, seats)):
        return None
    left = [entry.seat for entry in entries if entry.kind is Kind.LEAVE and entry.seat is not None]
    return Result(
        game,
        discipline_of(agreement),
        players,
        places_of(len(seats), outcome.winner, left),
        outcome.winner is None,
        entries[-1].at,
    )


def places_of(count: int, winner: int | None, left: Sequence[int]) -> list[int]:
    """The places of players; those who have left are behind all who stayed, the first one last.

    Args: ``left`` are the seats of players who have given up, in that order.

    >>> places_of(4, 2, [3, 0]), places_of(4, None, [1]), places_of(2, 0, [1])
    ([3, 2, 1, 4], [1, 4, 1, 1], [1, 2])
    """
    places = []
    for seat in range(count):
        if seat == winner or (winner is None and seat not in left):
            places.append(1)
        elif seat in left:
            places.append(count - left.index(seat))
        else:
            places.append(2)
    return places


def _day_of(at: float) -> tuple[float, float]:
    """The day of a moment, by universal time: its beginning, and the next one's."""
    begins = at // DAY * DAY
    return begins, begins + DAY


def rated_players(agreement: Agreement, seats: Sequence[SeatRow]) -> list[str | Rating]:
    """The players of a game that counts for ratings, levels by theirs; none if it does not.

    It is played by different people, or by one person against a level that is an anchor.
    """
    if not agreement.rated:
        return []
    players = [seat.person or anchor_of(agreement.game, agreement.rules, seat) for seat in seats]
    known = [one for one in players if one]
    people = {one for one in known if isinstance(one, str)}
    whole = len(people) == len(seats) or (len(people) == 1 and len(seats) == 2)
    return known if whole and len(known) == len(seats) == len(set(known)) else []


def together(*writes: Write | None) -> Write | None:
    """One write of several, of which some may be none."""
    given = [write for write in writes if write]
    if len(given) < 2:
        return next(iter(given), None)

    def write(connection: Connection) -> None:
        for one in given:
            one(connection)

    return write


def reckoned(result: Result, before: Before) -> list[RatingRow]:
    """The ratings after a game, from those before.

    A game of more than two is a game of each two whose places differ, or who have drawn; of those
    who stayed to the end without winning, nobody knows who was better.
    """
    since = {
        person: max(0.0, result.at - row.at) / PERIOD if row else 0.0
        for person, row in before.items()
    }
    old = {person: _rating(row) for person, row in before.items()}
    faced = [old[one].aged(since[one]) if isinstance(one, str) else one for one in result.players]
    rows = []
    for seat, person in enumerate(result.players):
        if not isinstance(person, str):
            continue
        own = result.places[seat]
        results = [
            (faced[other], 0.5 if place == own else float(own < place))
            for other, place in enumerate(result.places)
            if other != seat and (place != own or (result.drawn and own == 1))
        ]
        new = rated(old[person], results, since[person])
        rows.append(
            RatingRow(
                result.game,
                person,
                result.discipline,
                result.at,
                result.score(seat),
                new.rating,
                new.deviation,
                new.volatility,
            )
        )
    return rows


def _rating(row: RatingRow | None) -> Rating:
    return Rating(row.rating, row.deviation, row.volatility) if row else Rating()


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

    async def check_may_play(self, agreement: Agreement, seats: Sequence[SeatRow]) -> None:
        """Make sure that a game with these at its seats can be rated, if it is to be.

        Raises:
            HouseError: it cannot.
        """
        if not agreement.rated:
            return
        people = list({seat.person for seat in seats if seat.person})
        accounts = await asyncio.to_thread(self._store.accounts.of_all, people)
        if len(accounts) < len(people) or not people:
            raise HouseError(text("a rated game is played by people who have accounts"))
        if rated_players(agreement, seats):
            if len(people) == 1:  # of those among people whoever brings them together asks
                await self.check_may_meet(people)
            return
        if any(seat.kind is SeatKind.BOT for seat in seats) and len(seats) == 2:
            raise HouseError(text("this level has not been measured in this rule set"))
        raise HouseError(
            text("a rated game is played by people who have accounts, or against one level")
        )

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
        played = await asyncio.to_thread(
            self._store.read, games_between, people=people, since=since, until=until
        )
        if played >= MOST_A_DAY:
            if len(people) == 1:
                raise HouseError(
                    text(
                        "you have played {count} rated games against the computer today",
                        count=MOST_A_DAY,
                    )
                )
            raise HouseError(
                text("you have played {count} rated games with each other today", count=MOST_A_DAY)
            )

    def _standings(self, discipline: str, people: Mapping[int, str]) -> dict[int, Standing]:
        accounts = self._store.accounts.of_all(list(people.values()))
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
        if (result := _of_journal(store, game)) is None:
            continue
        met = (frozenset(result.people), _day_of(result.at))
        days[met] += 1
        if days[met] > MOST_A_DAY:
            continue
        before = {person: latest.get((person, result.discipline)) for person in result.people}
        for row in reckoned(result, before):
            latest[row.person, row.discipline] = row
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


def _of_journal(store: Store, game: str) -> Result | None:
    row = store.game(game)
    entries = entries_of(store.events(game))
    if not row or not entries:
        return None
    agreement, seats = Agreement.from_data(row.terms), store.seats(game)
    if not rated_players(agreement, seats) or not (outcome := rebuilt(entries).outcome):
        return None
    return _result_of(game, agreement, seats, outcome, entries)
