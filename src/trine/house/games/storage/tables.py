"""The tables of games, seats, invitations, downtimes and conditional turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Final

import sqlalchemy as sa

from trine.core.text.sentence import text
from trine.house.games.live.agreement import Agreement
from trine.house.people.credentials import end_sessions
from trine.house.people.tables import PersonKind, check_here, read_person
from trine.house.store import schema
from trine.house.store.secrets import new_id, new_token, token_hash
from trine.house.store.store import Store
from trine.house.store.store_errors import MissingRowError, TakenError


class Stage(StrEnum):
    """The stage of a game."""

    WAITING = "waiting"  # a seat is still free
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game: its rule set, its terms, and how it ended."""

    id: schema.Key[str]
    room: str
    rules: str
    terms: Mapping[str, Any]
    created_at: float
    stage: Stage
    home: str  # the process that has the game
    fencing_token: int  # the fencing token: the number of processes that have had the game
    reason: str | None = None
    """The reason for the result; None before the end, and for an aborted game."""
    winner: int | None = None  # the seat of the winner; None for a draw
    turns: int | None = None  # number of turns played, once the game is over

    @property
    def agreement(self) -> Agreement:
        return Agreement.from_data(self.terms)


GAME: Final = schema.table_of("game", GameRow, sa.Index(None, "stage", "created_at"))


def create_game(
    connection: sa.Connection,
    agreement: Agreement,
    seats: Sequence[SeatRow],
    home: str,
    now: float,
    name: str = "",
    also: Callable[[sa.Connection], None] | None = None,
    links: Mapping[int, str] | None = None,
) -> GameRow:
    """Create a game with its seats, with this process as its home.

    Args: ``name`` is the id of the game; empty for a new one. ``also`` writes related rows, or
        raises to refuse the game. ``links`` are the tokens of the links to seats, by seat.

    Raises:
        MissingRowError: one of its people has been deleted.
    """
    if also:
        also(connection)
    game = new_game(agreement, home, now, name)
    write_game(connection, game, seats)
    for seat, token in (links or {}).items():
        invite(connection, game.id, seat, now, token)
    return game


def new_game(agreement: Agreement, home: str, now: float, name: str = "") -> GameRow:
    """Return the row of a new game; ``name`` is its id, or empty for a new id."""
    room, rules, terms = agreement.game, agreement.rules, agreement.as_data()
    return GameRow(
        id=name or new_id(),
        room=room,
        rules=rules,
        terms=terms,
        created_at=now,
        stage=Stage.WAITING,
        home=home,
        fencing_token=1,
    )


def write_game(connection: sa.Connection, game: GameRow, seats: Sequence[SeatRow]) -> None:
    """Write a new game and its seats; raises `MissingRowError` if a person has been deleted."""
    check_here(connection, (seat.person for seat in seats))
    schema.add_row(connection, GAME, game)
    for number, seat in enumerate(seats):
        schema.add_row(connection, SEAT, seat, game=game.id, seat=number)


def read_game(connection: sa.Connection, game_id: str) -> GameRow | None:
    return schema.first_of(connection, GameRow, sa.select(GAME).where(GAME.c.id == game_id))


def games_by_id(connection: sa.Connection, game_ids: Sequence[str]) -> dict[str, GameRow]:
    found = schema.all_of(connection, GameRow, sa.select(GAME).where(GAME.c.id.in_(game_ids)))
    return {game.id: game for game in found}


def games_in(connection: sa.Connection, stage: Stage, limit: int = 100) -> list[GameRow]:
    """Return the newest games of a stage, the last first."""
    found = sa.select(GAME).where(GAME.c.stage == stage)
    return schema.all_of(connection, GameRow, found.order_by(GAME.c.created_at.desc()).limit(limit))


def games_of(
    connection: sa.Connection, person_id: str, limit: int = 100, *, running: bool = False
) -> list[GameRow]:
    """Return the newest games of a person, the last first; with ``running``, no finished games."""
    mine = sa.select(SEAT.c.game).where(SEAT.c.person == person_id)
    found = sa.select(GAME).where(GAME.c.id.in_(mine))
    if running:
        found = found.where(GAME.c.stage != Stage.OVER)
    return schema.all_of(connection, GameRow, found.order_by(GAME.c.created_at.desc()).limit(limit))


def games_after(connection: sa.Connection, game_id: str, limit: int) -> list[GameRow]:
    later = sa.select(GAME).where(GAME.c.id > game_id).order_by(GAME.c.id).limit(limit)
    return schema.all_of(connection, GameRow, later)


def all_games(store: Store) -> Iterator[GameRow]:
    """Yield all games, in no particular order."""
    last, limit = "", 500
    while True:
        games = store.read(games_after, last, limit)
        yield from games
        if len(games) < limit:
            return
        last = games[-1].id


def count_games(connection: sa.Connection) -> dict[Stage, int]:
    found = connection.execute(sa.select(GAME.c.stage, sa.func.count()).group_by(GAME.c.stage))
    counts = dict.fromkeys(Stage, 0)
    return counts | {Stage(stage): count for stage, count in found}


def no_game(game_id: str) -> MissingRowError:
    return MissingRowError(text("there is no game {game}", game=game_id))


class SeatKind(StrEnum):
    """The kind of a seat's occupant."""

    FREE = "free"
    PERSON = "person"
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat of a game; the seats of a game are numbered from 0."""

    kind: SeatKind = SeatKind.FREE
    name: str = ""  # name on the board and in records
    person: Annotated[str, "person.id"] | None = None


SEAT: Final = schema.table_of(
    "seat",
    SeatRow,
    sa.Column("game", sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Index(None, "person", "game"),
)
_SEAT: Final = schema.columns_of(SEAT, SeatRow)


def seats_held(seats: Sequence[SeatRow], person_id: str | None) -> frozenset[int]:
    return frozenset(
        number for number, seat in enumerate(seats) if person_id and seat.person == person_id
    )


def read_seats(connection: sa.Connection, game_id: str) -> list[SeatRow]:
    return seats_of_games(connection, [game_id]).get(game_id, [])


def seats_of_games(connection: sa.Connection, games: Sequence[str]) -> dict[str, list[SeatRow]]:
    here = sa.select(SEAT.c.game, *_SEAT).where(SEAT.c.game.in_(games))
    return schema.group_rows(connection, SeatRow, here.order_by(SEAT.c.game, SEAT.c.seat))


def last_opponents(connection: sa.Connection, person_id: str, room: str) -> list[SeatRow]:
    """Return the bots in the newest game of a person against bots, by game."""
    mine = sa.select(SEAT.c.game).where(SEAT.c.person == person_id)
    bots = (SEAT.c.kind == SeatKind.BOT, SEAT.c.game.in_(mine), GAME.c.room == room)
    newest = (
        sa.select(GAME.c.id)
        .join(SEAT, SEAT.c.game == GAME.c.id)
        .where(*bots)
        .order_by(GAME.c.created_at.desc())
        .limit(1)
    )
    game = connection.execute(newest).scalar()
    seats = read_seats(connection, game) if game else []
    return [seat for seat in seats if seat.kind == SeatKind.BOT]


def take_seat(connection: sa.Connection, game_id: str, seat: int, taken: SeatRow) -> None:
    """Take a free seat; if the same person has it already, do nothing.

    Raises:
        MissingRowError: there is no such seat, or the person has been deleted.
        TakenError: another occupant has the seat.
    """
    check_here(connection, [taken.person])
    here = (SEAT.c.game == game_id, SEAT.c.seat == seat)
    sat_down = connection.execute(
        sa.update(SEAT).where(*here, SEAT.c.kind == SeatKind.FREE).values(schema.values_of(taken))
    )
    if sat_down.rowcount:
        return
    row = connection.execute(sa.select(SEAT.c.kind, SEAT.c.person).where(*here)).first()
    if not row:
        raise MissingRowError(text("game {game} has no seat {seat}", game=game_id, seat=seat))
    if row.person is None or row.person != taken.person:
        raise TakenError(text("another player has taken this seat"))


INVITATION: Final = sa.Table(
    "invitation",
    schema.METADATA,
    sa.Column("hash", sa.String, primary_key=True),
    sa.Column("game", sa.String, nullable=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("created_at", sa.Double, nullable=False),
    sa.ForeignKeyConstraint(["game", "seat"], ["seat.game", "seat.seat"]),
    sa.Index(None, "game", "seat"),
)
"""The hash of the token in an invitation link to a seat."""


def invite(connection: sa.Connection, game_id: str, seat: int, now: float, token: str = "") -> str:
    """Store an invitation to a seat, with a given token or a new one; return the token."""
    here = sa.select(SEAT.c.seat).where(SEAT.c.game == game_id, SEAT.c.seat == seat)
    if connection.execute(here).first() is None:
        raise MissingRowError(text("game {game} has no seat {seat}", game=game_id, seat=seat))
    token = token or new_token()
    connection.execute(
        sa.insert(INVITATION).values(
            hash=token_hash(token), game=game_id, seat=seat, created_at=now
        )
    )
    return token


def invited_to(connection: sa.Connection, token: str) -> tuple[str, int] | None:
    """Return the game and the seat of an invitation; None if the token is unknown."""
    row = connection.execute(
        sa.select(INVITATION.c.game, INVITATION.c.seat).where(
            INVITATION.c.hash == token_hash(token)
        )
    ).first()
    return (row.game, row.seat) if row else None


def transfer_seats(
    connection: sa.Connection,
    guest: str,
    account: str,
    transfer: Sequence[Callable[[sa.Connection, str, str], None]],
) -> list[str]:
    """Transfer the seats of a guest to an account; return the games of these seats.

    If the account already plays in a game, the guest keeps the seat there, so that the account does
    not play against itself. ``transfer`` transfer other rows of the guest, after the seats.
    """
    one, other = read_person(connection, guest), read_person(connection, account)
    if not (one and other and one.kind is PersonKind.GUEST and other.has_account):
        return []
    theirs = sa.select(SEAT.c.game).where(SEAT.c.person == account)
    mine = (SEAT.c.person == guest) & SEAT.c.game.not_in(theirs)
    games = list(connection.execute(sa.select(SEAT.c.game).where(mine).distinct()).scalars())
    for game in games:
        for table in (SEAT, TO_MOVE):
            here = (table.c.game == game) & (table.c.person == guest)
            connection.execute(sa.update(table).where(here).values(person=account))
    for each in transfer:
        each(connection, guest, account)
    end_sessions(connection, guest)
    return games


@dataclass(frozen=True, slots=True)
class Downtime:
    """A time when the house was not running. Units: seconds since 1970."""

    began: float
    ended: schema.Key[float]


DOWNTIME: Final = schema.table_of("downtime", Downtime)


def add_downtime(connection: sa.Connection, downtime: Downtime) -> None:
    connection.execute(sa.delete(DOWNTIME).where(DOWNTIME.c.ended == downtime.ended))
    schema.add_row(connection, DOWNTIME, downtime)


def downtimes_after(connection: sa.Connection, at: float) -> list[Downtime]:
    """Return the downtimes that ended after a time, the earliest first."""
    later = sa.select(DOWNTIME).where(DOWNTIME.c.ended > at).order_by(DOWNTIME.c.ended)
    return schema.all_of(connection, Downtime, later)


def closed_since(connection: sa.Connection, at: float) -> float:
    """Return how long the house was not running after a time. Units: seconds."""
    return sum(one.ended - max(one.began, at) for one in downtimes_after(connection, at))


TO_MOVE: Final = sa.Table(
    "to_move",
    schema.METADATA,
    sa.Column("game", sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("person", sa.ForeignKey("person.id"), nullable=False),
    sa.Column("since", sa.Double, nullable=False),
    sa.Index(None, "person", "since"),
)
"""The player to move in a game that is not in memory, and since when."""


def set_to_move(
    connection: sa.Connection, game_id: str, person_id: str | None, since: float
) -> None:
    """Store the player to move in a game; None if no person is to move."""
    connection.execute(sa.delete(TO_MOVE).where(TO_MOVE.c.game == game_id))
    if person_id:
        connection.execute(sa.insert(TO_MOVE).values(game=game_id, person=person_id, since=since))


def movers(connection: sa.Connection, games: Sequence[str]) -> dict[str, tuple[str, float]]:
    """Return the stored player to move of each game, and since when."""
    found = connection.execute(
        sa.select(TO_MOVE.c.game, TO_MOVE.c.person, TO_MOVE.c.since).where(
            TO_MOVE.c.game.in_(games)
        )
    )
    return {game: (person, since) for game, person, since in found}


@dataclass(frozen=True, slots=True)
class ConditionRow:
    """The conditional turns of a seat."""

    seat: schema.Key[int]
    turns: int  # number of turns played before the tree begins
    tree: Any


CONDITION: Final = schema.table_of(
    "condition", ConditionRow, sa.Column("game", sa.ForeignKey("game.id"), primary_key=True)
)


def set_conditions(
    connection: sa.Connection, game_id: str, seat: int, row: ConditionRow | None
) -> None:
    """Store the conditional turns of a seat; None removes them."""
    mine = (CONDITION.c.game == game_id) & (CONDITION.c.seat == seat)
    connection.execute(sa.delete(CONDITION).where(mine))
    if row:
        schema.add_row(connection, CONDITION, row, game=game_id)


def conditions_of(connection: sa.Connection, games: Sequence[str]) -> dict[str, list[ConditionRow]]:
    """Return the conditional turns in games, by game, in the order of the seats."""
    columns = (CONDITION.c.game, *schema.columns_of(CONDITION, ConditionRow))
    here = sa.select(*columns).where(CONDITION.c.game.in_(games))
    return schema.group_rows(
        connection, ConditionRow, here.order_by(CONDITION.c.game, CONDITION.c.seat)
    )
