"""The tables of tournaments.

Units: times are seconds since 1970.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Final

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Double,
    ForeignKey,
    Index,
    Integer,
    Row,
    String,
    Table,
    func,
    select,
    update,
)

from trine.house.games.tables import GAME, Stage, closed_since
from trine.house.people.tables import ACCOUNT, BOT_ROLE, PERSON, PersonKind, read_person
from trine.house.people.takeout import ALL, Takeout
from trine.house.store import deadlines
from trine.house.store.schema import METADATA, Key, all_of, first_of, table_of
from trine.play.tournament.pairing import Pairing

ENTRANT: Final = Table(
    "entrant",
    METADATA,
    Column("tournament", ForeignKey("tournament.id"), primary_key=True),
    Column("entry", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer),
    Column("person", ForeignKey("person.id")),
    Column("bot", String, nullable=False),
    Column("rating", Double, nullable=False),
    Column("withdrawn", Boolean, nullable=False),
    Index(None, "person", "tournament", unique=True),
)
"""A person or a bot in a tournament, in the order of coming; numbers are given when it begins."""

PAIRING: Final = Table(
    "pairing",
    METADATA,
    Column("tournament", ForeignKey("tournament.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("round", Integer, nullable=False),
    Column("first", Integer, nullable=False),
    Column("second", Integer),
    Column("game", ForeignKey("game.id")),
    Column("first_points", Double),
    Column("second_points", Double),
    Column("played", Boolean, nullable=False),
    Index(None, "game", unique=True),
)
"""A game of a tournament between two numbers, or a round without an opponent. They count from 1."""
TOURNAMENT_DUE: Final = "tournament"
"""The kind of deadline at which a tournament begins, or the pairing of an arena ends."""
MOST_DUE: Final = 1000


class TournamentStage(StrEnum):
    """The stage of a tournament."""

    OPEN = "open"
    """Open to join."""
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament: its plan, and the terms of its games."""

    id: Key[str]
    name: str
    owner: Annotated[str, "person.id"]
    """The person who created it."""
    plan: Mapping[str, Any]
    terms: Mapping[str, Any]
    """The terms of its games, as JSON."""
    listed: bool
    """Whether it is listed for everybody, or only reached by its link."""
    most: int
    """The largest number of participants."""
    stage: TournamentStage
    created_at: float
    """Units: seconds since 1970, as for all times here."""
    starts_at: float | None
    """The time of the beginning; None if the owner begins it by hand."""
    began_at: float | None = None
    ended_at: float | None = None


TOURNAMENT: Final = table_of(
    "tournament", TournamentRow, Index(None, "stage", "created_at"), Index(None, "owner")
)


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """A person or a bot in a tournament."""

    entry: int
    """The number in the order of joining, from 1."""
    number: int | None
    """The number as a participant, once the tournament has begun."""
    person: str | None
    name: str
    """The present name of the person, or the bot."""
    account: bool
    """Whether the person has an account."""
    program: bool
    """Whether it is the account of a program."""
    rating: float
    withdrawn: bool

    @property
    def bot(self) -> bool:
        return self.person is None

    @property
    def who(self) -> str:
        """The id of the person, or the name of the bot."""
        return self.person or self.name


@dataclass(frozen=True, slots=True)
class PairingRow:
    """A pairing, and the game by which it is played."""

    pairing: Pairing
    game: str | None
    """The id of the game; None before it is created, and for byes and forfeits."""
    stage: Stage | None
    """The stage of the game, if there is one."""


def read(connection: Connection, tournament: str) -> TournamentRow | None:
    """Return the tournament of an id, or None."""
    wanted = select(TOURNAMENT).where(TOURNAMENT.c.id == tournament)
    return first_of(connection, TournamentRow, wanted)


def read_whole(
    connection: Connection, tournament: str
) -> tuple[TournamentRow, list[EntrantRow], list[PairingRow], str, float] | None:
    """Return a tournament, its entrants, its pairings, and the name of its owner.

    The last value is the number of seconds for which the house was closed since it began.
    """
    row = read(connection, tournament)
    if not row:
        return None
    owner = read_person(connection, row.owner)
    closed = closed_since(connection, row.began_at) if row.began_at else 0.0
    return (
        row,
        entrants(connection, tournament),
        pairings(connection, tournament),
        owner.name if owner else "",
        closed,
    )


def entrants(connection: Connection, tournament: str) -> list[EntrantRow]:
    """Return the entrants, in the order of joining."""
    found = connection.execute(
        select(ENTRANT, PERSON.c.name, PERSON.c.kind, ACCOUNT.c.role)
        .select_from(
            ENTRANT.outerjoin(PERSON, PERSON.c.id == ENTRANT.c.person).outerjoin(
                ACCOUNT, ACCOUNT.c.person == ENTRANT.c.person
            )
        )
        .where(ENTRANT.c.tournament == tournament)
        .order_by(ENTRANT.c.entry)
    )
    return [
        EntrantRow(
            row.entry,
            row.number,
            row.person,
            row.name or row.bot,
            row.kind == PersonKind.ACCOUNT,
            row.role == BOT_ROLE,
            row.rating,
            row.withdrawn,
        )
        for row in found
    ]


def pairings(connection: Connection, tournament: str) -> list[PairingRow]:
    found = connection.execute(
        select(PAIRING, GAME.c.stage)
        .select_from(PAIRING.outerjoin(GAME, GAME.c.id == PAIRING.c.game))
        .where(PAIRING.c.tournament == tournament)
        .order_by(PAIRING.c.number)
    )
    return [
        PairingRow(_pairing(row), row.game, Stage(row.stage) if row.stage else None)
        for row in found
    ]


def in_stages(
    connection: Connection,
    stages: Sequence[TournamentStage],
    limit: int = 1000,
    *,
    listed: bool = False,
) -> list[TournamentRow]:
    """Return the newest tournaments of some stages, the last first."""
    wanted = select(TOURNAMENT).where(TOURNAMENT.c.stage.in_(stages))
    if listed:
        wanted = wanted.where(TOURNAMENT.c.listed.is_(True))
    newest = wanted.order_by(TOURNAMENT.c.created_at.desc()).limit(limit)
    return all_of(connection, TournamentRow, newest)


def of_person(connection: Connection, person: str, limit: int = 20) -> list[TournamentRow]:
    """Return the newest tournaments that a person created or takes part in, the last first."""
    joined = select(ENTRANT.c.tournament).where(ENTRANT.c.person == person)
    mine = select(TOURNAMENT).where((TOURNAMENT.c.owner == person) | TOURNAMENT.c.id.in_(joined))
    newest = mine.order_by(TOURNAMENT.c.created_at.desc()).limit(limit)
    return all_of(connection, TournamentRow, newest)


def counts(connection: Connection, tournaments: Sequence[str]) -> dict[str, int]:
    found = connection.execute(
        select(ENTRANT.c.tournament, func.count().label("total"))
        .where(ENTRANT.c.tournament.in_(tournaments))
        .group_by(ENTRANT.c.tournament)
    )
    return {row.tournament: row[1] for row in found}


def to_see_to(connection: Connection, now: float) -> set[str]:
    due = deadlines.due_of(connection, TOURNAMENT_DUE, now, MOST_DUE)
    return {*(one.ref for one in due), *with_games_over(connection)}


def with_games_over(connection: Connection) -> list[str]:
    """Return the running tournaments with finished games that are not counted."""
    running = select(TOURNAMENT.c.id).where(TOURNAMENT.c.stage == TournamentStage.RUNNING)
    found = connection.execute(
        select(PAIRING.c.tournament)
        .distinct()
        .join(GAME, GAME.c.id == PAIRING.c.game)
        .where(
            PAIRING.c.tournament.in_(running),
            PAIRING.c.first_points.is_(None),
            GAME.c.stage == Stage.OVER,
        )
    )
    return list(found.scalars())


def _pairing(row: Row[Any]) -> Pairing:
    seats = (row.first,) if row.second is None else (row.first, row.second)
    points = None
    if row.first_points is not None:
        points = (row.first_points, row.second_points)[: len(seats)]
    return Pairing(row.round, seats, points, row.played)


def hand_over(connection: Connection, guest: str, account: str) -> None:
    """Give an account the places of a guest in tournaments, but where both take part."""
    entered = select(ENTRANT.c.tournament).where(ENTRANT.c.person == account)
    mine = (ENTRANT.c.person == guest) & ENTRANT.c.tournament.not_in(entered)
    connection.execute(update(ENTRANT).where(mine).values(person=account))


def tell_person(connection: Connection, person: str, takeout: Takeout) -> None:
    takeout.about["tournaments"] = [
        {"id": row.id, "name": row.name, "owner": row.owner == person}
        for row in of_person(connection, person, ALL)
    ]
