"""The steps of a tournament: joining, pairing, games, results.

Each function is one step from a state to the next, and does nothing if it was done
before: so a director can be stopped at any moment, and repeat the step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, func, insert, select, update

from trine.core.text.sentence import text
from trine.house.games.game_rows import GameRow, create_game
from trine.house.games.seat_rows import SeatRow
from trine.house.tournaments.tables import ENTRANT, PAIRING, TOURNAMENT
from trine.house.tournaments.tournament_rows import TOURNAMENT_DUE, TournamentRow, TournamentStage
from trine.store import deadlines
from trine.store.refusals import StoreError, UnknownError
from trine.tournament.pairing import Pairing


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
