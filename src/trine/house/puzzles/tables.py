"""The tables of puzzles: each person's first attempts, and the ratings of people and puzzles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Final

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Double,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    func,
    insert,
    select,
    update,
)

from trine.house.people.takeout import Takeout
from trine.house.ratings.glicko import Rating
from trine.house.store.postgres import advisory_lock
from trine.house.store.schema import METADATA, first_of

TRY: Final = Table(
    "puzzle_try",
    METADATA,
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("puzzle", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("at", Double, nullable=False),
    Column("solved", Boolean, nullable=False),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Index(None, "person", "game", "at"),
)
"""A person's first attempt at a puzzle, with the person's rating after it."""

PUZZLE_RATING: Final = Table(
    "puzzle_rating",
    METADATA,
    Column("name", String, primary_key=True),
    Column("tries", Integer, nullable=False),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
)
"""The rating of a puzzle that has been tried."""

Rate = Callable[[Rating | None, Rating | None], tuple[Rating, Rating]]
"""A function that returns the new ratings of a person and a puzzle from their ratings, None before
the first."""


@dataclass(frozen=True)
class Tried:
    """The ratings of a person before and after an attempt."""

    before: Rating | None
    after: Rating


@dataclass(frozen=True)
class PuzzleStanding:
    """A person's results and rating in the puzzles of a game."""

    tried: int
    solved: int
    rating: Rating


def note_try(
    connection: Connection,
    person_id: str,
    game_name: str,
    puzzle: str,
    solved: bool,
    now: float,
    rate: Rate,
) -> Tried | None:
    advisory_lock(connection, "puzzles")  # each rating starts from the one before: no two at a time
    known = select(TRY.c.puzzle).where(TRY.c.person == person_id, TRY.c.puzzle == puzzle)
    if connection.execute(known).first():
        return None
    own, other = latest_rating(connection, person_id, game_name), rating_of(connection, puzzle)
    after, puzzle_after = rate(own, other)
    connection.execute(
        insert(TRY).values(
            person=person_id, puzzle=puzzle, game=game_name, at=now, solved=solved, **asdict(after)
        )
    )
    if other is None:
        row = {"name": puzzle, "tries": 1, **asdict(puzzle_after)}
        connection.execute(insert(PUZZLE_RATING).values(row))
    else:
        connection.execute(
            update(PUZZLE_RATING)
            .where(PUZZLE_RATING.c.name == puzzle)
            .values(tries=PUZZLE_RATING.c.tries + 1, **asdict(puzzle_after))
        )
    return Tried(own, after)


def latest_rating(connection: Connection, person_id: str, game_name: str) -> Rating | None:
    mine = select(TRY.c.rating, TRY.c.deviation, TRY.c.volatility).where(
        TRY.c.person == person_id, TRY.c.game == game_name
    )
    return first_of(connection, Rating, mine.order_by(TRY.c.at.desc()).limit(1))


def rating_of(connection: Connection, puzzle: str) -> Rating | None:
    c = PUZZLE_RATING.c
    here = select(c.rating, c.deviation, c.volatility).where(c.name == puzzle)
    return first_of(connection, Rating, here)


def ratings_of(connection: Connection) -> Mapping[str, float]:
    rows = connection.execute(select(PUZZLE_RATING.c.name, PUZZLE_RATING.c.rating))
    return {row.name: row.rating for row in rows}


def tried_by(connection: Connection, person_id: str, game_name: str) -> set[str]:
    found = select(TRY.c.puzzle).where(TRY.c.person == person_id, TRY.c.game == game_name)
    return set(connection.execute(found).scalars())


def standings(connection: Connection, person_id: str) -> Mapping[str, PuzzleStanding]:
    counted = connection.execute(
        select(TRY.c.game, func.count(), func.count().filter(TRY.c.solved))
        .where(TRY.c.person == person_id)
        .group_by(TRY.c.game)
    ).all()
    found = {}
    for game, tried, solved in counted:
        rating = latest_rating(connection, person_id, game)
        assert rating is not None
        found[game] = PuzzleStanding(tried, solved, rating)
    return found


def export_person(connection: Connection, person_id: str, takeout: Takeout) -> None:
    rows = connection.execute(select(TRY).where(TRY.c.person == person_id).order_by(TRY.c.at))
    takeout.about["puzzles"] = [
        {"game": row.game, "puzzle": row.puzzle, "at": row.at, "solved": row.solved} for row in rows
    ]
