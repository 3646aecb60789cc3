"""The tables of ratings: each player's rating after each rated game; left and annulled games."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

import sqlalchemy as sa

from trine.house.games.storage.tables import GAME, SEAT, Stage
from trine.house.people.tables import PERSON
from trine.house.people.takeout import Takeout, fields_of
from trine.house.store import schema
from trine.house.store.postgres import advisory_lock

BATCH_SIZE: Final = 5000
"""The maximum number of games in one statement; databases accept some 30 000 parameters at most."""
ABANDONED_GAME: Final = sa.Table(
    "abandoned_game",
    schema.METADATA,
    sa.Column("game", sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("person", sa.ForeignKey("person.id"), nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Index(None, "person", "at"),
    sa.Index(None, "at"),
)
"""A rated game that a person has left at its beginning; deleted after a day."""
LEAVE_WINDOW: Final = 86_400.0  # seconds; how long an abandoned game is counted
FREE_LEAVES: Final = 3  # number of games that a player may leave in `LEAVE_WINDOW`. Guess
FIRST_PAUSE: Final = 900.0
"""Units: seconds; the pause after one game too many; each further game doubles it. Guess."""


def add_leave(connection: sa.Connection, game_id: str, person_id: str, at: float) -> None:
    """Store that a person has left a game; delete the rows older than `LEAVE_WINDOW`."""
    connection.execute(sa.delete(ABANDONED_GAME).where(ABANDONED_GAME.c.at < at - LEAVE_WINDOW))
    connection.execute(sa.insert(ABANDONED_GAME).values(game=game_id, person=person_id, at=at))


def pause_of(connection: sa.Connection, people: Collection[str], now: float) -> float:
    """Return the seconds that these people must wait before a rated game; 0 or less for none."""
    c = ABANDONED_GAME.c
    left = sa.select(sa.func.count(), sa.func.max(c.at)).where(
        c.person.in_(people), c.at >= now - LEAVE_WINDOW
    )
    waits = [
        last + min(LEAVE_WINDOW, FIRST_PAUSE * 2 ** (count - FREE_LEAVES - 1)) - now
        for count, last in connection.execute(left.group_by(c.person))
        if count > FREE_LEAVES
    ]
    return max(waits, default=0.0)


def tell_leaves(connection: sa.Connection, person_id: str, takeout: Takeout) -> None:
    mine = (
        sa.select(ABANDONED_GAME.c.game, ABANDONED_GAME.c.at)
        .where(ABANDONED_GAME.c.person == person_id)
        .order_by(ABANDONED_GAME.c.at)
    )
    takeout.about["left games"] = [
        {"game": row.game, "at": row.at} for row in connection.execute(mine)
    ]


def forget_leaves(connection: sa.Connection, person_id: str) -> None:
    connection.execute(sa.delete(ABANDONED_GAME).where(ABANDONED_GAME.c.person == person_id))


@dataclass(frozen=True, slots=True)
class RatingRow:
    """The rating of a player after a rated game; rows are ordered by the ends of the games."""

    game: Annotated[str, "game.id"]
    person: Annotated[str, "person.id"]
    discipline: str  # the discipline of the rating: a game, its rule set, and a speed
    at: float  # seconds since 1970; the end of the game
    score: float  # the score: 1 for a win, 0 for a loss
    rating: float
    deviation: float
    volatility: float
    early: float | None = None
    """Points won in a cheap game (early end, unsure opponent); else None."""


RATING: Final = schema.table_of(
    "rating",
    RatingRow,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Index(None, "game", "person", unique=True),
    sa.Index(None, "person", "discipline", "number"),
    sa.Index(None, "person", "at"),
    sa.Index(None, "discipline", "person", "number"),
    sa.Index(None, "at"),
)
_COLUMNS: Final = schema.columns_of(RATING, RatingRow)
EXPORTED: Final = (
    *("game", "person", "discipline", "at", "score"),
    *("rating", "deviation", "volatility", "early"),
)


Before: TypeAlias = Mapping[str, RatingRow | None]
"""The latest ratings of people, by their ids; None for the first game."""
CheapWins: TypeAlias = Mapping[str, float]
"""The points that people have won on a day by cheap games."""


def rate(
    connection: sa.Connection,
    game_id: str,
    discipline: str,
    people: Sequence[str],
    reckon: Callable[[Before], Sequence[RatingRow]],
) -> None:
    """Add the ratings after a game, computed by ``reckon``, unless the game is already rated."""
    advisory_lock(connection, "ratings")  # each rating starts from the one before: no two at a time
    if connection.execute(sa.select(RATING.c.number).where(RATING.c.game == game_id)).first():
        return
    latest = latest_ratings(connection, people, discipline)
    add_ratings(connection, reckon({person: latest.get(person) for person in people}))


def games_between(
    connection: sa.Connection, people: Sequence[str], since: float, until: float
) -> int:
    """Return the number of rated games between exactly these people that ended in a period."""
    first = sa.select(RATING.c.game).where(
        RATING.c.person == people[0], RATING.c.at >= since, RATING.c.at < until
    )
    theirs = sa.func.count().filter(RATING.c.person.in_(people))
    games = (
        sa.select(RATING.c.game)
        .where(RATING.c.game.in_(first))
        .group_by(RATING.c.game)
        .having(sa.func.count() == len(people), theirs == len(people))
    )
    return connection.execute(sa.select(sa.func.count()).select_from(games.subquery())).scalar_one()


def cheap_wins(
    connection: sa.Connection, people: Sequence[str], discipline: str, since: float, until: float
) -> dict[str, float]:
    """Return the points that people have won in a period by cheap games."""
    c = RATING.c
    found = connection.execute(
        sa.select(c.person, c.early)
        .where(c.person.in_(people), c.discipline == discipline, c.at >= since, c.at < until)
        .where(c.early.is_not(None))
        .order_by(c.number)
    )
    won = dict.fromkeys(people, 0.0)
    for person, points in found:
        won[person] += points  # a database's sum may differ in the last digits
    return won


def add_ratings(connection: sa.Connection, rows: Sequence[RatingRow]) -> None:
    last: int = connection.execute(sa.select(sa.func.max(RATING.c.number))).scalar() or 0
    for number, row in enumerate(rows, last + 1):
        schema.add_row(connection, RATING, row, number=number)


def latest_ratings(
    connection: sa.Connection, people: Collection[str], discipline: str
) -> dict[str, RatingRow]:
    """Return the ratings of people in a discipline; nothing for those without a rated game."""
    c = RATING.c
    # A subquery for each person takes one step in the index, however many games there are.
    last = sa.select(sa.func.max(c.number)).where(
        c.person == PERSON.c.id, c.discipline == discipline
    )
    numbers = sa.select(last.correlate(PERSON).scalar_subquery()).where(PERSON.c.id.in_(people))
    found = schema.all_of(connection, RatingRow, sa.select(*_COLUMNS).where(c.number.in_(numbers)))
    return {row.person: row for row in found}


def ratings_of(connection: sa.Connection, person_id: str) -> list[RatingRow]:
    mine = sa.select(*_COLUMNS).where(RATING.c.person == person_id)
    return schema.all_of(connection, RatingRow, mine.order_by(RATING.c.number))


def all_ratings(connection: sa.Connection) -> list[RatingRow]:
    return schema.all_of(connection, RatingRow, sa.select(*_COLUMNS).order_by(RATING.c.number))


def ratings_since(
    connection: sa.Connection, since: float, limit: int | None = None
) -> list[tuple[int, RatingRow]]:
    """Return the newest ratings since a time with their numbers, ordered by the games' ends."""
    found = connection.execute(
        sa.select(RATING.c.number, *_COLUMNS)
        .where(RATING.c.at >= since)
        .order_by(RATING.c.at.desc(), RATING.c.number.desc())
        .limit(limit)
    )
    _, *names = found.keys()
    return [
        (number, schema.make_row(RatingRow, names, row)) for number, *row in reversed(found.all())
    ]


def rating_before(
    connection: sa.Connection, person_id: str, discipline: str, number: int
) -> float | None:
    """Return a person's rating before the one with a number; None if that was the first."""
    c = RATING.c
    return connection.execute(
        sa.select(c.rating)
        .where(c.person == person_id, c.discipline == discipline, c.number < number)
        .order_by(c.number.desc())
        .limit(1)
    ).scalar()


def replace_ratings(connection: sa.Connection, rows: Sequence[RatingRow]) -> None:
    advisory_lock(connection, "ratings")
    connection.execute(sa.delete(RATING))
    add_ratings(connection, rows)


@dataclass(frozen=True, slots=True)
class AnnulmentRow:
    """An annulled game: it counts for no rating."""

    game: Annotated[schema.Key[str], "game.id"]
    at: float
    actor: Annotated[str, "person.id"] | None  # the administrator; None if the host annulled it


ANNULMENT: Final = schema.table_of("annulment", AnnulmentRow, sa.Index(None, "at"))


def annulled(connection: sa.Connection, games: Collection[str]) -> set[str]:
    wanted, found = list(games), set[str]()
    for at in range(0, len(wanted), BATCH_SIZE):
        here = ANNULMENT.c.game.in_(wanted[at : at + BATCH_SIZE])
        found |= set(connection.execute(sa.select(ANNULMENT.c.game).where(here)).scalars())
    return found


def last_annulments(connection: sa.Connection, limit: int) -> list[AnnulmentRow]:
    newest = sa.select(ANNULMENT).order_by(ANNULMENT.c.at.desc()).limit(limit)
    return schema.all_of(connection, AnnulmentRow, newest)


def annul(
    connection: sa.Connection, games: Collection[str], actor: str | None, now: float
) -> list[str]:
    """Annul games; return those that counted until now."""
    c = RATING.c
    found = (
        sa.select(c.game).where(c.game.in_(games)).group_by(c.game).order_by(sa.func.min(c.number))
    )
    counted = list(connection.execute(found).scalars())
    for game in counted:
        schema.add_row(connection, ANNULMENT, AnnulmentRow(game, now, actor))
    return counted


def reinstate(connection: sa.Connection, games: Collection[str]) -> list[str]:
    before = sorted(annulled(connection, games))
    connection.execute(sa.delete(ANNULMENT).where(ANNULMENT.c.game.in_(before)))
    return before


def take_ratings_since(connection: sa.Connection, games: Collection[str], at: float) -> list[str]:
    """Delete all ratings from the first one of these games, or since a time, onwards.

    Returns: the games whose ratings were deleted, in the order of rating.
    """
    c = RATING.c
    first = connection.execute(
        sa.select(sa.func.min(c.number)).where(sa.or_(c.game.in_(games), c.at >= at))
    ).scalar()
    if first is None:
        return []
    is_later = c.number >= first
    found = sa.select(c.game).where(is_later).group_by(c.game).order_by(sa.func.min(c.number))
    taken = list(connection.execute(found).scalars())
    connection.execute(sa.delete(RATING).where(is_later))
    return taken


def games_without(connection: sa.Connection, people: Collection[str]) -> list[str]:
    """Return the finished games with all of these people in seats that have not been rated."""
    one, *others = sorted(people)
    statement = (
        sa.select(GAME.c.id)
        .join(SEAT, SEAT.c.game == GAME.c.id)
        .where(SEAT.c.person == one, GAME.c.stage == Stage.OVER)
        .where(GAME.c.id.not_in(sa.select(RATING.c.game).where(RATING.c.person == one)))
        .order_by(GAME.c.id)
    )
    for other in others:
        theirs = sa.select(SEAT.c.game).where(SEAT.c.person == other)
        statement = statement.where(GAME.c.id.in_(theirs))
    return list(connection.execute(statement).scalars())


def export_person(connection: sa.Connection, person_id: str, takeout: Takeout) -> None:
    rows = ratings_of(connection, person_id)
    takeout.about["ratings"] = [fields_of(row, EXPORTED) for row in rows]
