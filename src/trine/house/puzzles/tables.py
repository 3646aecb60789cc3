"""The tables of puzzles: each person's first attempts, and the ratings of people and puzzles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Final

import sqlalchemy as sa

from trine.house.people.takeout import Takeout
from trine.house.ratings.glicko import Rating
from trine.house.store.postgres import advisory_lock
from trine.house.store.schema import METADATA, first_of

TRY: Final = sa.Table(
    "puzzle_try",
    METADATA,
    sa.Column("person", sa.ForeignKey("person.id"), primary_key=True),
    sa.Column("puzzle", sa.String, primary_key=True),
    sa.Column("game", sa.String, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("solved", sa.Boolean, nullable=False),
    sa.Column("rating", sa.Double, nullable=False),
    sa.Column("deviation", sa.Double, nullable=False),
    sa.Column("volatility", sa.Double, nullable=False),
    sa.Index(None, "person", "game", "at"),
)
"""A person's first attempt at a puzzle, with the person's rating after it."""

PUZZLE_RATING: Final = sa.Table(
    "puzzle_rating",
    METADATA,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("rating", sa.Double, nullable=False),
    sa.Column("deviation", sa.Double, nullable=False),
    sa.Column("volatility", sa.Double, nullable=False),
)

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
    connection: sa.Connection,
    person_id: str,
    game_name: str,
    puzzle: str,
    solved: bool,
    now: float,
    rate: Rate,
) -> Tried | None:
    advisory_lock(connection, "puzzles")  # each rating starts from the one before: no two at a time
    known = sa.select(TRY.c.puzzle).where(TRY.c.person == person_id, TRY.c.puzzle == puzzle)
    if connection.execute(known).first():
        return None
    own, other = latest_rating(connection, person_id, game_name), rating_of(connection, puzzle)
    after, puzzle_after = rate(own, other)
    connection.execute(
        sa.insert(TRY).values(
            person=person_id, puzzle=puzzle, game=game_name, at=now, solved=solved, **asdict(after)
        )
    )
    if other is None:
        row = {"name": puzzle, "tries": 1, **asdict(puzzle_after)}
        connection.execute(sa.insert(PUZZLE_RATING).values(row))
    else:
        connection.execute(
            sa.update(PUZZLE_RATING)
            .where(PUZZLE_RATING.c.name == puzzle)
            .values(tries=PUZZLE_RATING.c.tries + 1, **asdict(puzzle_after))
        )
    return Tried(own, after)


def latest_rating(connection: sa.Connection, person_id: str, game_name: str) -> Rating | None:
    mine = sa.select(TRY.c.rating, TRY.c.deviation, TRY.c.volatility).where(
        TRY.c.person == person_id, TRY.c.game == game_name
    )
    return first_of(connection, Rating, mine.order_by(TRY.c.at.desc()).limit(1))


def rating_of(connection: sa.Connection, puzzle: str) -> Rating | None:
    c = PUZZLE_RATING.c
    here = sa.select(c.rating, c.deviation, c.volatility).where(c.name == puzzle)
    return first_of(connection, Rating, here)


def ratings_of(connection: sa.Connection) -> Mapping[str, float]:
    rows = connection.execute(sa.select(PUZZLE_RATING.c.name, PUZZLE_RATING.c.rating))
    return {row.name: row.rating for row in rows}


def tried_by(connection: sa.Connection, person_id: str, game_name: str) -> set[str]:
    found = sa.select(TRY.c.puzzle).where(TRY.c.person == person_id, TRY.c.game == game_name)
    return set(connection.execute(found).scalars())


def standings(connection: sa.Connection, person_id: str) -> Mapping[str, PuzzleStanding]:
    counted = connection.execute(
        sa.select(TRY.c.game, sa.func.count(), sa.func.count().filter(TRY.c.solved))
        .where(TRY.c.person == person_id)
        .group_by(TRY.c.game)
    ).all()
    found = {}
    for game, tried, solved in counted:
        rating = latest_rating(connection, person_id, game)
        assert rating is not None
        found[game] = PuzzleStanding(tried, solved, rating)
    return found


def export_person(connection: sa.Connection, person_id: str, takeout: Takeout) -> None:
    rows = connection.execute(sa.select(TRY).where(TRY.c.person == person_id).order_by(TRY.c.at))
    takeout.about["puzzles"] = [
        {"game": row.game, "puzzle": row.puzzle, "at": row.at, "solved": row.solved} for row in rows
    ]
