"""The steps of a tournament: joining, pairing, games, results.

Each function is one step from a state to the next, and repeating it does nothing, so that a
director can be stopped at any time and repeat the step. A step re-reads its preconditions with the
tournament locked, and does nothing if they have changed.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, select, update

from trine.core.text.sentence import text
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.change_hooks import Write
from trine.house.games.storage.tables import SeatRow, create_game
from trine.house.notify.notices import NoticeKind, note
from trine.house.people.tables import check_here
from trine.house.store import scheduled_tasks
from trine.house.store.schema import add_row, all_of, columns_of, count_of
from trine.house.store.store_errors import MissingRowError, StoreError
from trine.house.tournaments import tables
from trine.house.tournaments.tables import (
    StoredEntrant,
    StoredPairing,
    TournamentRow,
    TournamentStage,
)
from trine.play.tournament.tournament import Pairing

NAMELESS: Final = "–"  # name of a tournament whose own name an administrator has removed


class NoRoomError(StoreError):
    """The tournament has begun or is full, or the place is taken."""

    default_text = text("this tournament has begun, or is full")


def create(
    connection: Connection,
    row: TournamentRow,
    first: Sequence[tuple[str | None, str]],
    also: Write | None = None,
) -> None:
    """Create a tournament and its ``first`` entrants; ``also`` runs in the same transaction."""
    if also:
        also(connection)
    check_here(connection, [row.owner])
    add_row(connection, tables.TOURNAMENT, row)
    for person, bot in first:
        join(connection, row.id, person, bot)
    scheduled_tasks.reschedule(connection, {(tables.TOURNAMENT_DUE, row.id): row.starts_at})


def join(connection: Connection, tournament: str, person_id: str | None, bot: str = "") -> None:
    """Add a person or a bot; nothing changes if the person already takes part.

    Raises:
        NoRoomError: the tournament has begun, or is full.
        MissingRowError: the person has been deleted.
    """
    check_here(connection, [person_id])
    row = _locked(connection, tournament)
    rows, _ = _holders(connection, tournament)
    if person_id and any(one.person == person_id for one in rows):
        return
    if row.stage != TournamentStage.OPEN or len(rows) >= row.most:
        raise NoRoomError
    entry = rows[-1].entry + 1 if rows else 1
    new = StoredEntrant(
        entry=entry, number=None, person=person_id, bot=bot, rating=0.0, withdrawn=False
    )
    add_row(connection, tables.ENTRANT, new, tournament=tournament)


def leave(connection: Connection, tournament: str, entry: int, who: str) -> bool:
    """Remove an entrant before the beginning; return whether that was possible.

    ``who`` must still hold this entry: the last entry number is reused.
    """
    if _locked(connection, tournament).stage != TournamentStage.OPEN:
        return False
    done = connection.execute(delete(tables.ENTRANT).where(_place(tournament, entry, who)))
    return done.rowcount > 0


def cancel(
    connection: Connection, tournament: str, now: float, entries: Collection[int] | None = None
) -> bool:
    """Cancel a tournament that has not begun; return whether this call cancelled it.

    ``entries`` must be its present entries, which were found too few; None skips that check.
    """
    if _locked(connection, tournament).stage != TournamentStage.OPEN:
        return False
    rows, _ = _holders(connection, tournament)
    if entries is not None and {one.entry for one in rows} != set(entries):
        return False
    _close(connection, tournament, TournamentStage.CANCELLED, now)
    return True


def cancel_by_admin(
    connection: Connection, tournament: str, now: float, also: Write | None = None
) -> bool:
    """Remove the name of a tournament, and cancel the tournament unless it is over.

    ``also`` is written in the same transaction. Returns whether this call removed the name.
    """
    stage = _locked(connection, tournament).stage
    mine = (tables.TOURNAMENT.c.id == tournament) & (tables.TOURNAMENT.c.name != NAMELESS)
    if not connection.execute(update(tables.TOURNAMENT).where(mine).values(name=NAMELESS)).rowcount:
        return False
    if stage in (TournamentStage.OPEN, TournamentStage.RUNNING):
        _close(connection, tournament, TournamentStage.CANCELLED, now)
    if also:
        also(connection)
    return True


def begin(
    connection: Connection,
    tournament: str,
    seeding: Sequence[tuple[int, str, float]],
    now: float,
    until: float | None = None,
) -> bool:
    """Begin a tournament that has not begun; return whether this call began it.

    ``seeding`` has the entry, holder and rating of each present entrant, in the order of the new
    numbers; ``until`` is the end of an arena.
    """
    if _locked(connection, tournament).stage != TournamentStage.OPEN:
        return False
    rows, _ = _holders(connection, tournament)
    if {(row.entry, row.person or row.bot) for row in rows} != {one[:2] for one in seeding}:
        return False  # an entrant has joined or left meanwhile
    for number, (entry, who, rating) in enumerate(seeding, 1):
        one = update(tables.ENTRANT).where(_place(tournament, entry, who))
        connection.execute(one.values(number=number, rating=rating))
    running = {"stage": TournamentStage.RUNNING, "began_at": now}
    connection.execute(
        update(tables.TOURNAMENT).where(tables.TOURNAMENT.c.id == tournament).values(running)
    )
    scheduled_tasks.reschedule(connection, {(tables.TOURNAMENT_DUE, tournament): until})
    return True


def withdraw(connection: Connection, tournament: str, entry: int, who: str) -> bool:
    """Withdraw an entrant of a running tournament; return False if nothing changed."""
    if _locked(connection, tournament).stage != TournamentStage.RUNNING:
        return False
    mine = _place(tournament, entry, who) & tables.ENTRANT.c.withdrawn.is_(False)
    return (
        connection.execute(update(tables.ENTRANT).where(mine).values(withdrawn=True)).rowcount > 0
    )


def substitute(connection: Connection, tournament: str, entry: int, person_id: str) -> None:
    """Add a person in place of an entrant who has withdrawn from a running tournament.

    Raises:
        NoRoomError: the place is not free, or the person has taken part already.
        MissingRowError: the person has been deleted.
    """
    check_here(connection, [person_id])
    stage = _locked(connection, tournament).stage
    rows, holders = _holders(connection, tournament)
    gone = next((row for row in holders.values() if row.entry == entry and row.withdrawn), None)
    if stage != TournamentStage.RUNNING or not gone or any(row.person == person_id for row in rows):
        raise NoRoomError
    new = replace(gone, entry=rows[-1].entry + 1, person=person_id, bot="", withdrawn=False)
    add_row(connection, tables.ENTRANT, new, tournament=tournament)


def pair(connection: Connection, tournament: str, after: int, pairings: Sequence[Pairing]) -> bool:
    """Add pairings if there are ``after`` already; return whether this call added them.

    If there are more, another process was faster, and nothing is added.
    """
    if _locked(connection, tournament).stage != TournamentStage.RUNNING:
        return False
    if count_of(connection, tables.PAIRING.c.tournament == tournament) != after:
        return False
    for number, one in enumerate(pairings, after + 1):
        second = one.seats[1] if len(one.seats) > 1 else None
        own, theirs, *_ = (*(one.points or ()), None, None)
        new = StoredPairing(
            number=number,
            round=one.round,
            first=one.seats[0],
            second=second,
            game=None,
            first_points=own,
            second_points=theirs,
            played=one.played,
        )
        add_row(connection, tables.PAIRING, new, tournament=tournament)
    return True


def play(
    connection: Connection,
    tournament: str,
    number: int,
    agreement: Agreement,
    seats: Sequence[SeatRow],
    now: float,
    absent: Collection[str] = (),
) -> str | None:
    """Create the game of a pairing, unless there is one; return its id.

    The game has no home yet: the process that loads it first becomes its home. ``absent`` are
    players to be notified that their game on a clock begins.

    Returns: None if there is nothing to play: an entrant has withdrawn, or there is a result.
    """
    stage = _locked(connection, tournament).stage
    mine = (tables.PAIRING.c.tournament == tournament) & (tables.PAIRING.c.number == number)
    row = connection.execute(select(tables.PAIRING).where(mine)).one()
    if row.game:
        return str(row.game)
    _, holders = _holders(connection, tournament)
    meet = [holders[one] for one in (row.first, row.second)]
    there = all(
        one.person == seat.person and not one.withdrawn
        for one, seat in zip(meet, seats, strict=True)
    )
    if stage != TournamentStage.RUNNING or row.first_points is not None or not there:
        return None
    game = create_game(connection, agreement, seats, "", now)
    connection.execute(update(tables.PAIRING).where(mine).values(game=game.id))
    for person in absent:
        note(connection, person, game.id, NoticeKind.BEGAN, now, live=True)
    return game.id


def result(
    connection: Connection,
    tournament: str,
    number: int,
    game_id: str | None,
    points: Sequence[float],
    played: bool,
) -> bool:
    """Store the points of a pairing that has none; return whether this call stored them.

    ``game_id`` must be the pairing's game; None if none was created.
    """
    _locked(connection, tournament)
    mine = and_(
        tables.PAIRING.c.tournament == tournament,
        tables.PAIRING.c.number == number,
        tables.PAIRING.c.game == game_id,
        tables.PAIRING.c.first_points.is_(None),
    )
    first, second = points
    values = {"first_points": first, "second_points": second, "played": played}
    return connection.execute(update(tables.PAIRING).where(mine).values(**values)).rowcount > 0


def end(connection: Connection, tournament: str, after: int, now: float) -> bool:
    """End a running tournament of ``after`` pairings; return whether this call ended it."""
    if _locked(connection, tournament).stage != TournamentStage.RUNNING:
        return False
    if count_of(connection, tables.PAIRING.c.tournament == tournament) != after:
        return False
    _close(connection, tournament, TournamentStage.OVER, now)
    return True


def erase_person(connection: Connection, person_id: str, now: float) -> list[str]:
    """Withdraw a person everywhere; cancel own unbegun tournaments; return changed ids."""
    going = tables.TOURNAMENT.c.stage.in_((TournamentStage.OPEN, TournamentStage.RUNNING))
    joined = select(tables.ENTRANT.c.tournament).where(tables.ENTRANT.c.person == person_id)
    mine = going & ((tables.TOURNAMENT.c.owner == person_id) | tables.TOURNAMENT.c.id.in_(joined))
    found = select(tables.TOURNAMENT).where(mine).order_by(tables.TOURNAMENT.c.id).with_for_update()
    rows = connection.execute(found).all()
    for row in rows:
        here = (tables.ENTRANT.c.tournament == row.id) & (tables.ENTRANT.c.person == person_id)
        if row.stage == TournamentStage.RUNNING:
            connection.execute(update(tables.ENTRANT).where(here).values(withdrawn=True))
        elif row.owner == person_id:
            _close(connection, row.id, TournamentStage.CANCELLED, now)
        else:
            connection.execute(delete(tables.ENTRANT).where(here))
    return [row.id for row in rows]


def _close(connection: Connection, tournament: str, stage: TournamentStage, now: float) -> None:
    mine = tables.TOURNAMENT.c.id == tournament
    connection.execute(update(tables.TOURNAMENT).where(mine).values(stage=stage, ended_at=now))
    scheduled_tasks.reschedule(connection, {(tables.TOURNAMENT_DUE, tournament): None})


def _place(tournament: str, entry: int, who: str) -> ColumnElement[bool]:
    mine = (tables.ENTRANT.c.tournament == tournament) & (tables.ENTRANT.c.entry == entry)
    return mine & ((tables.ENTRANT.c.person == who) | (tables.ENTRANT.c.bot == who))


def _holders(
    connection: Connection, tournament: str
) -> tuple[list[StoredEntrant], dict[int | None, StoredEntrant]]:
    """Return all entrants, and the holder of each number: the one who joined last."""
    columns = select(*columns_of(tables.ENTRANT, StoredEntrant))
    mine = columns.where(tables.ENTRANT.c.tournament == tournament).order_by(tables.ENTRANT.c.entry)
    rows = all_of(connection, StoredEntrant, mine)
    return rows, {row.number: row for row in rows}


def _locked(connection: Connection, tournament: str) -> Row[Any, Any]:
    """Lock a tournament against other transactions, and return its stage and size."""
    mine = tables.TOURNAMENT.c.id == tournament
    row = connection.execute(
        select(tables.TOURNAMENT.c.stage, tables.TOURNAMENT.c.most).where(mine).with_for_update()
    ).first()
    if not row:
        raise MissingRowError(text("there is no tournament {name}", name=tournament))
    return row
