"""Seats of games, and the links that invite to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Connection, insert, select, update

from trine.core.text.sentence import text
from trine.house.games.tables import GAME, INVITATION, SEAT, TO_MOVE
from trine.house.people.person_rows import PersonKind, check_here, end_sessions, read_person
from trine.house.store.refusals import TakenError, UnknownError
from trine.house.store.secrets import new_token, token_hash


class SeatKind(StrEnum):
    """The kind of a seat's occupant."""

    FREE = "free"
    PERSON = "person"
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A stored seat; those of a game are numbered from 0."""

    kind: SeatKind = SeatKind.FREE
    name: str = ""
    """The name on the board and in records."""
    person: str | None = None
    """The id of the person in the seat, if any."""


def read_seats(connection: Connection, game: str) -> list[SeatRow]:
    """Return the seats of a game, in turn order."""
    found = connection.execute(
        select(SEAT.c.kind, SEAT.c.name, SEAT.c.person)
        .where(SEAT.c.game == game)
        .order_by(SEAT.c.seat)
    )
    return [SeatRow(SeatKind(kind), name, person) for kind, name, person in found]


def seats_of_games(connection: Connection, games: Sequence[str]) -> dict[str, list[SeatRow]]:
    """Return the seats of several games, in turn order."""
    found = connection.execute(
        select(SEAT.c.game, SEAT.c.kind, SEAT.c.name, SEAT.c.person)
        .where(SEAT.c.game.in_(games))
        .order_by(SEAT.c.game, SEAT.c.seat)
    )
    seats: dict[str, list[SeatRow]] = {}
    for game, kind, name, person in found:
        seats.setdefault(game, []).append(SeatRow(SeatKind(kind), name, person))
    return seats


def last_opponents(connection: Connection, person: str, room: str) -> list[SeatRow]:
    """Return the bots of the newest game of a person against any, in a room."""
    mine = select(SEAT.c.game).where(SEAT.c.person == person)
    bots = (SEAT.c.kind == SeatKind.BOT, SEAT.c.game.in_(mine), GAME.c.room == room)
    newest = (
        select(GAME.c.id)
        .join(SEAT, SEAT.c.game == GAME.c.id)
        .where(*bots)
        .order_by(GAME.c.created_at.desc())
        .limit(1)
    )
    game = connection.execute(newest).scalar()
    seats = read_seats(connection, game) if game else []
    return [seat for seat in seats if seat.kind == SeatKind.BOT]


def take_seat(connection: Connection, game: str, seat: int, taken: SeatRow) -> None:
    """Take a free seat; repeating it does nothing.

    Raises:
        UnknownError: there is no such seat, or the person has been deleted.
        TakenError: another occupant has the seat.
    """
    check_here(connection, [taken.person])
    here = (SEAT.c.game == game, SEAT.c.seat == seat)
    sat_down = connection.execute(
        update(SEAT)
        .where(*here, SEAT.c.kind == SeatKind.FREE)
        .values(kind=taken.kind, name=taken.name, person=taken.person)
    )
    if sat_down.rowcount:
        return
    row = connection.execute(select(SEAT.c.kind, SEAT.c.person).where(*here)).first()
    if not row:
        raise UnknownError(text("game {game} has no seat {seat}", game=game, seat=seat))
    if row.person is None or row.person != taken.person:
        raise TakenError(text("somebody else has taken this seat"))


def invite(connection: Connection, game: str, seat: int, now: float) -> str:
    """Make the token of a link to a seat.

    Raises:
        UnknownError: there is no such seat.
    """
    here = select(SEAT.c.seat).where(SEAT.c.game == game, SEAT.c.seat == seat)
    if connection.execute(here).first() is None:
        raise UnknownError(text("game {game} has no seat {seat}", game=game, seat=seat))
    token = new_token()
    connection.execute(
        insert(INVITATION).values(hash=token_hash(token), game=game, seat=seat, created_at=now)
    )
    return token


def invited_to(connection: Connection, token: str) -> tuple[str, int] | None:
    """Return the game and the seat of a link; None for an unknown token."""
    row = connection.execute(
        select(INVITATION.c.game, INVITATION.c.seat).where(INVITATION.c.hash == token_hash(token))
    ).first()
    return (row.game, row.seat) if row else None


def bring_along(
    connection: Connection,
    guest: str,
    account: str,
    hand_over: Sequence[Callable[[Connection, str, str], None]],
) -> list[str]:
    """Give an account the seats of a guest.

    A seat in a game in which the account plays already stays the guest's, so that nobody comes to
    play against themselves.

    Args: ``hand_over`` do the same for what is kept elsewhere, once the seats are the account's.

    Returns: the games that have a seat of the account now, and had one of the guest.
    """
    one, other = read_person(connection, guest), read_person(connection, account)
    if not (one and other and one.kind is PersonKind.GUEST and other.has_account):
        return []
    theirs = select(SEAT.c.game).where(SEAT.c.person == account)
    mine = (SEAT.c.person == guest) & SEAT.c.game.not_in(theirs)
    games = list(connection.execute(select(SEAT.c.game).where(mine).distinct()).scalars())
    for game in games:
        for table in (SEAT, TO_MOVE):
            here = (table.c.game == game) & (table.c.person == guest)
            connection.execute(update(table).where(here).values(person=account))
    for each in hand_over:
        each(connection, guest, account)
    end_sessions(connection, guest)
    return games
