"""Ratings: those of the players of each rated game, after the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final, TypeAlias

from sqlalchemy import (
    Column,
    Connection,
    Double,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    delete,
    func,
    insert,
    select,
)

from trine.house.people.takeout import Takeout
from trine.store.postgres import alone
from trine.store.schema import METADATA

RATING: Final = Table(
    "rating",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("game", ForeignKey("game.id"), nullable=False),
    Column("person", ForeignKey("person.id"), nullable=False),
    Column("discipline", String, nullable=False),
    Column("at", Double, nullable=False),
    Column("score", Double, nullable=False),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Index(None, "game", "person", unique=True),
    Index(None, "person", "discipline", "number"),
)
"""The ratings of players after each of their rated games, in the order of the ends."""


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A rating after a game."""

    game: str
    person: str
    discipline: str
    """The discipline of the rating: a game, its rule set, and a speed."""
    at: float
    """Units: seconds since 1970; when the game ended."""
    score: float
    """The score: 1 for a win, 0 for a loss."""
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
    """Add the ratings after a game; a game that is already rated adds nothing.

    Args: ``reckon`` computes them from the former ones.
    """
    alone(connection, "ratings")  # each begins with what the one before has made
    if connection.execute(select(RATING.c.number).where(RATING.c.game == game)).first():
        return
    before = {person: latest_rating(connection, person, discipline) for person in people}
    add_ratings(connection, reckon(before))


def games_between(connection: Connection, people: Sequence[str], since: float, until: float) -> int:
    """Return the number of rated games between exactly these people that ended in a period."""
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


def add_ratings(connection: Connection, rows: Sequence[RatingRow]) -> None:
    """Add ratings behind all others."""
    last: int = connection.execute(select(func.max(RATING.c.number))).scalar() or 0
    for number, row in enumerate(rows, last + 1):
        values = {name: getattr(row, name) for name in RatingRow.__slots__}
        connection.execute(insert(RATING).values(number=number, **values))


def latest_rating(connection: Connection, person: str, discipline: str) -> RatingRow | None:
    """Return the rating of a person in a discipline; None before the first game."""
    row = connection.execute(
        select(*_COLUMNS)
        .where(RATING.c.person == person, RATING.c.discipline == discipline)
        .order_by(RATING.c.number.desc())
        .limit(1)
    ).first()
    return RatingRow(*row) if row else None


def ratings_of(connection: Connection, person: str) -> list[RatingRow]:
    """Return all ratings of a person, the oldest first."""
    found = connection.execute(
        select(*_COLUMNS).where(RATING.c.person == person).order_by(RATING.c.number)
    )
    return [RatingRow(*row) for row in found]


def all_ratings(connection: Connection) -> list[RatingRow]:
    """Return all ratings, in the order in which the games ended."""
    found = connection.execute(select(*_COLUMNS).order_by(RATING.c.number))
    return [RatingRow(*row) for row in found]


def replace_ratings(connection: Connection, rows: Sequence[RatingRow]) -> None:
    """Replace all ratings."""
    alone(connection, "ratings")
    connection.execute(delete(RATING))
    add_ratings(connection, rows)


def tell_person(connection: Connection, person: str, takeout: Takeout) -> None:
    """Add all ratings that a person has had."""
    takeout.about["ratings"] = [asdict(row) for row in ratings_of(connection, person)]
