"""Tournaments, their participants and their games.

Each function that writes is one step from a state to the next, and does nothing if it was done
before: so a director can be stopped at any moment, and repeat the step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Connection, Row, and_, delete, func, insert, select, update

from trine.core.text.sentence import text
from trine.house.games.downtimes import closed_since
from trine.house.games.game_rows import GameRow, Stage, create_game
from trine.house.games.seat_rows import SeatRow
from trine.house.games.tables import GAME
from trine.house.people.account_rows import BOT_ROLE
from trine.house.people.person_rows import PersonKind, read_person
from trine.house.people.tables import ACCOUNT, PERSON
from trine.house.people.takeout import ALL, Takeout
from trine.house.tournaments.tables import ENTRANT, PAIRING, TOURNAMENT
from trine.store import deadlines
from trine.store.refusals import StoreError, UnknownError
from trine.tournament.pairing import Pairing

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
    """A tournament as a database has it."""

    id: str
    name: str
    owner: str
    """The id of the person who created it."""
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
        """Whether it is a bot."""
        return self.person is None


@dataclass(frozen=True, slots=True)
class PairingRow:
    """A pairing, and the game by which it is played."""

    pairing: Pairing
    game: str | None
    """The id of the game; None before it is created, and for byes and forfeits."""
    stage: Stage | None
    """The stage of the game, if there is one."""


class NoRoomError(StoreError):
    """The error of a tournament that can no longer be joined or left."""

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
    """Add a person or a bot; a person who takes part already stays.

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
    """Remove an entrant before the beginning; return whether that was possible."""
    if _locked(connection, tournament).stage != TournamentStage.OPEN:
        return False
    mine = (ENTRANT.c.tournament == tournament) & (ENTRANT.c.entry == entry)
    return connection.execute(delete(ENTRANT).where(mine)).rowcount > 0


def begin(
    connection: Connection,
    tournament: str,
    numbers: Sequence[tuple[int, float]],
    now: float,
    until: float | None = None,
) -> bool:
    """Begin a tournament, unless it has begun; return whether it was begun now.

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
    """Withdraw an entrant of a running tournament; return whether that is new."""
    if _locked(connection, tournament).stage != TournamentStage.RUNNING:
        return False
    mine = and_(
        ENTRANT.c.tournament == tournament,
        ENTRANT.c.entry == entry,
        ENTRANT.c.withdrawn.is_(False),
    )
    return connection.execute(update(ENTRANT).where(mine).values(withdrawn=True)).rowcount > 0


def substitute(connection: Connection, tournament: str, entry: int, person: str) -> None:
    """Let a person take the place of an entrant who has withdrawn from a running tournament.

    Raises:
        NoRoomError: the place is not free, or the person has taken part already.
    """
    stage = _locked(connection, tournament).stage
    mine = ENTRANT.c.tournament == tournament
    rows = connection.execute(select(ENTRANT).where(mine).order_by(ENTRANT.c.entry)).all()
    holders = {row.number: row for row in rows}  # the last of a number has its place
    gone = next((row for row in holders.values() if row.entry == entry and row.withdrawn), None)
    if stage != TournamentStage.RUNNING or not gone or any(row.person == person for row in rows):
        raise NoRoomError
    connection.execute(
        insert(ENTRANT).values(
            tournament=tournament,
            entry=rows[-1].entry + 1,
            number=gone.number,
            person=person,
            bot="",
            rating=gone.rating,
            withdrawn=False,
        )
    )


def pair(connection: Connection, tournament: str, after: int, pairings: Sequence[Pairing]) -> bool:
    """Add pairings after a number of known ones; return whether they were added now.

    If there are more already, another process was first, and nothing is done.
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
    """Create the game of a pairing, unless there is one; return its id.

    It has no home yet: the process that loads it first plays it.
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
    """Store the points of a game, unless they are known; return whether they are new."""
    mine = and_(
        PAIRING.c.tournament == tournament,
        PAIRING.c.number == number,
        PAIRING.c.first_points.is_(None),
    )
    first, second = points
    values = {"first_points": first, "second_points": second, "played": played}
    return connection.execute(update(PAIRING).where(mine).values(**values)).rowcount > 0


def end(connection: Connection, tournament: str, stage: TournamentStage, now: float) -> bool:
    """End a tournament that is over or cancelled; return whether it was ended now."""
    going = TOURNAMENT.c.stage.in_((TournamentStage.OPEN, TournamentStage.RUNNING))
    mine = (TOURNAMENT.c.id == tournament) & going
    done = connection.execute(update(TOURNAMENT).where(mine).values(stage=stage, ended_at=now))
    deadlines.change(connection, {(TOURNAMENT_DUE, tournament): None})
    return done.rowcount > 0


def _locked(connection: Connection, tournament: str) -> Row[Any, Any]:
    """Lock a tournament against other transactions, and return its stage and size."""
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
    """Return the pairings, in order."""
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
    wanted = TOURNAMENT.c.stage.in_(stages)
    found = connection.execute(
        select(TOURNAMENT)
        .where(wanted & TOURNAMENT.c.listed.is_(True) if listed else wanted)
        .order_by(TOURNAMENT.c.created_at.desc())
        .limit(limit)
    )
    return [_tournament(row) for row in found]


def of_person(connection: Connection, person: str, limit: int = 20) -> list[TournamentRow]:
    """Return the newest tournaments that a person created or takes part in, the last first."""
    joined = select(ENTRANT.c.tournament).where(ENTRANT.c.person == person)
    found = connection.execute(
        select(TOURNAMENT)
        .where((TOURNAMENT.c.owner == person) | TOURNAMENT.c.id.in_(joined))
        .order_by(TOURNAMENT.c.created_at.desc())
        .limit(limit)
    )
    return [_tournament(row) for row in found]


def counts(connection: Connection, tournaments: Sequence[str]) -> dict[str, int]:
    """Return the number of entrants of tournaments; those without any are left out."""
    found = connection.execute(
        select(ENTRANT.c.tournament, func.count().label("total"))
        .where(ENTRANT.c.tournament.in_(tournaments))
        .group_by(ENTRANT.c.tournament)
    )
    return {row.tournament: row[1] for row in found}


def to_see_to(connection: Connection, now: float) -> set[str]:
    """Return the tournaments in which something is due."""
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


def _tournament(row: Row[Any]) -> TournamentRow:
    values = {name: getattr(row, name) for name in TournamentRow.__slots__}
    return TournamentRow(**{**values, "stage": TournamentStage(row.stage)})


def hand_over(connection: Connection, guest: str, account: str) -> None:
    """Give an account the places of a guest in tournaments, but where both take part."""
    entered = select(ENTRANT.c.tournament).where(ENTRANT.c.person == account)
    mine = (ENTRANT.c.person == guest) & ENTRANT.c.tournament.not_in(entered)
    connection.execute(update(ENTRANT).where(mine).values(person=account))


def tell_person(connection: Connection, person: str, takeout: Takeout) -> None:
    """Add the tournaments of a person."""
    takeout.about["tournaments"] = [
        {"id": row.id, "name": row.name, "owner": row.owner == person}
        for row in of_person(connection, person, ALL)
    ]
