"""Tournaments, those who take part in them, and their games.

Each function that writes is one step from a state to the next, and does nothing where it was done
before: whoever directs a tournament can be stopped at any moment, and begin the step again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Connection, Row, and_, delete, func, insert, select, update

from trine.core.text import text
from trine.store import deadlines
from trine.store.account_rows import BOT_ROLE
from trine.store.game_rows import GameRow, Stage, create_game
from trine.store.people import PersonKind
from trine.store.refusals import StoreError, UnknownError
from trine.store.schema import ACCOUNT, ENTRANT, GAME, PAIRING, PERSON, TOURNAMENT
from trine.store.seat_rows import SeatRow
from trine.tournament.pairing import Pairing

TOURNAMENT_DUE: Final = "tournament"
"""The kind of deadline at which a tournament begins, or an arena pairs nobody any more."""


class TournamentStage(StrEnum):
    """The stage of a tournament."""

    OPEN = "open"
    """Open to everybody who wants to join."""
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament as a database has it."""

    id: str
    name: str
    owner: str
    """The person who has created it."""
    plan: Mapping[str, Any]
    terms: Mapping[str, Any]
    """The terms of its games, as JSON has them."""
    listed: bool
    """Whether everybody is shown it; else those who have a link."""
    most: int
    """So many can take part."""
    stage: TournamentStage
    created_at: float
    """Units: seconds since 1970, as of all moments."""
    starts_at: float | None
    """None where the owner begins it by hand."""
    began_at: float | None = None
    ended_at: float | None = None


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """A person or a bot in a tournament."""

    entry: int
    """The order of coming, from 1."""
    number: int | None
    """The number in the tournament, once it has begun."""
    person: str | None
    name: str
    """The name of the person, as it is now, or the bot."""
    account: bool
    """Whether the person is known by the name."""
    program: bool
    """Whether it is the account of a program."""
    rating: float
    withdrawn: bool

    @property
    def bot(self) -> bool:
        """Whether it is a bot."""
        return self.person is None


@dataclass(frozen=True, slots=True)
class PairingRow:
    """A pairing, and the game by which it is played."""

    pairing: Pairing
    game: str | None
    """None as long as it has not been created, and for what is not played."""
    stage: Stage | None
    """The stage of the game, if there is one."""


class NoRoomError(StoreError):
    """Nobody can join a tournament any more, or leave it."""

    def __init__(self) -> None:
        super().__init__(text("this tournament has begun, or is full"))


# --- before it begins ----------------------------------------------------------------------------


def create(
    connection: Connection, row: TournamentRow, first: Sequence[tuple[str | None, str]]
) -> None:
    """Create a tournament.

    Args: ``first`` are people and bots who take part from the beginning.
    """
    values = {name: getattr(row, name) for name in TournamentRow.__slots__}
    connection.execute(insert(TOURNAMENT).values(values))
    for person, bot in first:
        join(connection, row.id, person, bot)
    deadlines.change(connection, {(TOURNAMENT_DUE, row.id): row.starts_at})


def join(connection: Connection, tournament: str, person: str | None, bot: str = "") -> None:
    """Have a person or a bot take part; a person who does so already stays.

    Raises:
        NoRoomError: it has begun, or is full.
    """
    row = _locked(connection, tournament)
    mine = ENTRANT.c.tournament == tournament
    if (
        person
        and connection.execute(
            select(ENTRANT.c.entry).where(mine, ENTRANT.c.person == person)
        ).first()
    ):
        return
    count, last = connection.execute(
        select(func.count(), func.coalesce(func.max(ENTRANT.c.entry), 0)).where(mine)
    ).one()
    if row.stage != TournamentStage.OPEN or count >= row.most:
        raise NoRoomError
    connection.execute(
        insert(ENTRANT).values(
            tournament=tournament,
            entry=last + 1,
            person=person,
            bot=bot,
            rating=0.0,
            withdrawn=False,
        )
    )


def leave(connection: Connection, tournament: str, entry: int) -> bool:
    """Have somebody leave before it has begun; whether that was possible."""
    if _locked(connection, tournament).stage != TournamentStage.OPEN:
        return False
    mine = (ENTRANT.c.tournament == tournament) & (ENTRANT.c.entry == entry)
    return connection.execute(delete(ENTRANT).where(mine)).rowcount > 0


def begin(
    connection: Connection,
    tournament: str,
    numbers: Sequence[tuple[int, float]],
    now: float,
    until: float | None,
) -> bool:
    """Begin a tournament, unless it has begun; whether it was begun now.

    Args: ``numbers`` are the entries in the order of strength, with their ratings; ``until`` is the
    end of an arena.
    """
    if _locked(connection, tournament).stage != TournamentStage.OPEN:
        return False
    mine = ENTRANT.c.tournament == tournament
    joined = set(connection.execute(select(ENTRANT.c.entry).where(mine)).scalars())
    if joined != {entry for entry, _ in numbers}:
        return False  # somebody has come or gone meanwhile
    for number, (entry, rating) in enumerate(numbers, 1):
        one = mine & (ENTRANT.c.entry == entry)
        connection.execute(update(ENTRANT).where(one).values(number=number, rating=rating))
    connection.execute(
        update(TOURNAMENT)
        .where(TOURNAMENT.c.id == tournament)
        .values(stage=TournamentStage.RUNNING, began_at=now)
    )
    deadlines.change(connection, {(TOURNAMENT_DUE, tournament): until})
    return True


# --- while it runs -------------------------------------------------------------------------------


def withdraw(connection: Connection, tournament: str, entry: int) -> bool:
    """Have somebody withdraw from a tournament that runs; whether that is new."""
    if _locked(connection, tournament).stage != TournamentStage.RUNNING:
        return False
    mine = and_(
        ENTRANT.c.tournament == tournament,
        ENTRANT.c.entry == entry,
        ENTRANT.c.withdrawn.is_(False),
    )
    return connection.execute(update(ENTRANT).where(mine).values(withdrawn=True)).rowcount > 0


def pair(connection: Connection, tournament: str, after: int, pairings: Sequence[Pairing]) -> bool:
    """Add pairings behind so many that there are; whether they were added now.

    Where there are others already, they were added by another or before: nothing is done.
    """
    if _locked(connection, tournament).stage != TournamentStage.RUNNING:
        return False
    count = connection.execute(
        select(func.count()).select_from(PAIRING).where(PAIRING.c.tournament == tournament)
    ).scalar_one()
    if count != after:
        return False
    rows = []
    for number, one in enumerate(pairings, after + 1):
        first, second = (*one.seats, None)[:2]
        points = (*(one.points or (None, None)), None)[:2]
        rows.append(
            {
                "tournament": tournament,
                "number": number,
                "round": one.round,
                "first": first,
                "second": second,
                "first_points": points[0],
                "second_points": points[1],
                "played": one.played,
            }
        )
    if rows:
        connection.execute(insert(PAIRING), rows)
    return True


def play(
    connection: Connection,
    tournament: str,
    number: int,
    room: str,
    rules: str,
    terms: Mapping[str, Any],
    seats: Sequence[SeatRow],
    now: float,
) -> str:
    """Create the game of a pairing, unless there is one; return the id of the game.

    It is at home nowhere yet: whoever loads it first plays it.
    """
    _locked(connection, tournament)
    mine = (PAIRING.c.tournament == tournament) & (PAIRING.c.number == number)
    known: str | None = connection.execute(select(PAIRING.c.game).where(mine)).scalar_one()
    if known:
        return known
    game: GameRow = create_game(connection, room, rules, terms, seats, "", now)
    connection.execute(update(PAIRING).where(mine).values(game=game.id))
    return game.id


def result(
    connection: Connection, tournament: str, number: int, points: Sequence[float], played: bool
) -> bool:
    """Note what a game was worth, unless that is known; whether it is new."""
    mine = and_(
        PAIRING.c.tournament == tournament,
        PAIRING.c.number == number,
        PAIRING.c.first_points.is_(None),
    )
    first, second = points
    values = {"first_points": first, "second_points": second, "played": played}
    return connection.execute(update(PAIRING).where(mine).values(**values)).rowcount > 0


def end(connection: Connection, tournament: str, stage: TournamentStage, now: float) -> bool:
    """End a tournament that is over, or is not to be; whether it was ended now."""
    going = TOURNAMENT.c.stage.in_((TournamentStage.OPEN, TournamentStage.RUNNING))
    mine = (TOURNAMENT.c.id == tournament) & going
    done = connection.execute(update(TOURNAMENT).where(mine).values(stage=stage, ended_at=now))
    deadlines.change(connection, {(TOURNAMENT_DUE, tournament): None})
    return done.rowcount > 0


def _locked(connection: Connection, tournament: str) -> Row[Any, Any]:
    """The stage and the size of a tournament, which no other transaction changes meanwhile."""
    mine = TOURNAMENT.c.id == tournament
    row = connection.execute(
        select(TOURNAMENT.c.stage, TOURNAMENT.c.most).where(mine).with_for_update()
    ).first()
    if not row:
        raise UnknownError(text("there is no tournament {name}", name=tournament))
    return row


# --- reading -------------------------------------------------------------------------------------


def read(connection: Connection, tournament: str) -> TournamentRow | None:
    """Return the tournament of an id, or None."""
    row = connection.execute(select(TOURNAMENT).where(TOURNAMENT.c.id == tournament)).first()
    return _tournament(row) if row else None


def entrants(connection: Connection, tournament: str) -> list[EntrantRow]:
    """Return those who take part, in the order of coming."""
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
    """Return the pairings, in their order."""
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
    connection: Connection, stages: Sequence[TournamentStage], limit: int, *, listed: bool = False
) -> list[TournamentRow]:
    """Return the newest tournaments of some stages, the last first."""
    wanted = TOURNAMENT.c.stage.in_(stages)
    found = connection.execute(
        select(TOURNAMENT)
        .where(wanted & TOURNAMENT.c.listed.is_(True) if listed else wanted)
        .order_by(TOURNAMENT.c.created_at.desc())
        .limit(limit)
    )
    return [_tournament(row) for row in found]


def of_person(connection: Connection, person: str, limit: int) -> list[TournamentRow]:
    """Return the newest tournaments that somebody has created or takes part in, the last first."""
    joined = select(ENTRANT.c.tournament).where(ENTRANT.c.person == person)
    found = connection.execute(
        select(TOURNAMENT)
        .where((TOURNAMENT.c.owner == person) | TOURNAMENT.c.id.in_(joined))
        .order_by(TOURNAMENT.c.created_at.desc())
        .limit(limit)
    )
    return [_tournament(row) for row in found]


def counts(connection: Connection, tournaments: Sequence[str]) -> dict[str, int]:
    """Return how many take part in tournaments, for those that anybody has joined."""
    found = connection.execute(
        select(ENTRANT.c.tournament, func.count().label("total"))
        .where(ENTRANT.c.tournament.in_(tournaments))
        .group_by(ENTRANT.c.tournament)
    )
    return {row.tournament: row[1] for row in found}


def of_game(connection: Connection, game: str) -> tuple[str, int] | None:
    """Return the tournament and the round that a game belongs to, or None."""
    row = connection.execute(
        select(PAIRING.c.tournament, PAIRING.c.round).where(PAIRING.c.game == game)
    ).first()
    return (row.tournament, row.round) if row else None


def with_games_over(connection: Connection) -> list[str]:
    """Return the running tournaments with games that are over and not counted."""
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


def _tournament(row: Row[Any]) -> TournamentRow:
    values = {name: getattr(row, name) for name in TournamentRow.__slots__}
    return TournamentRow(**{**values, "stage": TournamentStage(row.stage)})
