"""Ratings: what each rated game has made of those of its players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sqlalchemy import Connection, delete, func, insert, select

from trine.store.postgres import alone
from trine.store.schema import RATING


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A rating after a game."""

    game: str
    person: str
    discipline: str
    """Of what it is the rating: a game, its rule set, and a speed."""
    at: float
    """Units: seconds since 1970; when the game ended."""
    score: float
    """1, the game was won; 0, lost."""
    rating: float
    deviation: float
    volatility: float


Before: TypeAlias = Mapping[str, RatingRow | None]
"""The latest ratings of people, by their ids; None for the first game."""
_COLUMNS = [RATING.c[name] for name in RatingRow.__slots__]


def rate(
    connection: Connection,
    game: str,
    discipline: str,
    people: Sequence[str],
    reckon: Callable[[Before], Sequence[RatingRow]],
) -> None:
    """Add the ratings that a game leads to; for a game that is rated already, nothing is done.

    Args: ``reckon`` makes them from the ones before.
    """
    alone(connection, "ratings")  # each begins with what the one before has made
    if connection.execute(select(RATING.c.number).where(RATING.c.game == game)).first():
        return
    before = {person: latest(connection, person, discipline) for person in people}
    add(connection, reckon(before))


def games_between(connection: Connection, people: Sequence[str], since: float, until: float) -> int:
    """Return how many rated games of exactly these people ended in a time."""
    first = select(RATING.c.game).where(
        RATING.c.person == people[0], RATING.c.at >= since, RATING.c.at < until
    )
    theirs = func.count().filter(RATING.c.person.in_(people))
    games = (
        select(RATING.c.game)
        .where(RATING.c.game.in_(first))
        .group_by(RATING.c.game)
        .having(func.count() == len(people), theirs == len(people))
    )
    return connection.execute(select(func.count()).select_from(games.subquery())).scalar_one()


def add(connection: Connection, rows: Sequence[RatingRow]) -> None:
    """Add ratings after all others."""
    last: int = connection.execute(select(func.max(RATING.c.number))).scalar() or 0
    for number, row in enumerate(rows, last + 1):
        values = {name: getattr(row, name) for name in RatingRow.__slots__}
        connection.execute(insert(RATING).values(number=number, **values))


def latest(connection: Connection, person: str, discipline: str) -> RatingRow | None:
    """Return the rating of a person in a discipline; None before the first game."""
    row = connection.execute(
        select(*_COLUMNS)
        .where(RATING.c.person == person, RATING.c.discipline == discipline)
        .order_by(RATING.c.number.desc())
        .limit(1)
    ).first()
    return RatingRow(*row) if row else None


def history(connection: Connection, person: str) -> list[RatingRow]:
    """Return all ratings that a person has had, the first first."""
    found = connection.execute(
        select(*_COLUMNS).where(RATING.c.person == person).order_by(RATING.c.number)
    )
    return [RatingRow(*row) for row in found]


def all_ratings(connection: Connection) -> list[RatingRow]:
    """Return all ratings, in the order in which the games ended."""
    found = connection.execute(select(*_COLUMNS).order_by(RATING.c.number))
    return [RatingRow(*row) for row in found]


def replace_all(connection: Connection, rows: Sequence[RatingRow]) -> None:
    """Put ratings in the place of all that there are."""
    alone(connection, "ratings")
    connection.execute(delete(RATING))
    add(connection, rows)
