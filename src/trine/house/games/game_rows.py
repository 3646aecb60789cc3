"""Stored games: their terms, their stages, and their homes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, func, insert, select

from trine.core.text.sentence import text
from trine.house.games.seat_rows import SeatRow
from trine.house.games.tables import GAME, SEAT
from trine.house.people.person_rows import check_here
from trine.house.store.refusals import UnknownError
from trine.house.store.secrets import new_id

if TYPE_CHECKING:
    from trine.house.store.store import Store


class Stage(StrEnum):
    """The stage of a game."""

    WAITING = "waiting"
    """A seat is still free."""
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game as a database has it."""

    id: str
    room: str
    rules: str
    terms: Mapping[str, Any]
    """The agreed terms, as JSON."""
    created_at: float
    """Units: seconds since 1970."""
    stage: Stage
    home: str
    """The process that plays the game."""
    epoch: int
    """The number of homes that it has had."""


def create_game(
    connection: Connection,
    room: str,
    rules: str,
    terms: Mapping[str, Any],
    seats: Sequence[SeatRow],
    home: str,
    now: float,
    name: str = "",
    also: Callable[[Connection], None] | None = None,
) -> GameRow:
    """Create a game with its seats, at home in a process.

    Args: ``name`` is its id; empty for a new one. ``also`` writes what belongs to it, or
    refuses it.

    Raises:
        UnknownError: one of its people has been deleted.
    """
    if also:
        also(connection)
    check_here(connection, (seat.person for seat in seats))
    game = GameRow(name or new_id(), room, rules, terms, now, Stage.WAITING, home, 1)
    connection.execute(
        insert(GAME).values(
            id=game.id,
            room=room,
            rules=rules,
            terms=terms,
            created_at=now,
            stage=game.stage,
            home=home,
            epoch=game.epoch,
        )
    )
    rows = [
        {
            "game": game.id,
            "seat": number,
            "person": seat.person,
            "kind": seat.kind,
            "name": seat.name,
        }
        for number, seat in enumerate(seats)
    ]
    if rows:
        connection.execute(insert(SEAT), rows)
    return game


def read_game(connection: Connection, game: str) -> GameRow | None:
    """Return the game of an id, or None."""
    row = connection.execute(select(GAME).where(GAME.c.id == game)).first()
    return _game(row) if row else None


def games_in(connection: Connection, stage: Stage, limit: int = 100) -> list[GameRow]:
    """Return the newest games of a stage, the last first."""
    found = connection.execute(
        select(GAME).where(GAME.c.stage == stage).order_by(GAME.c.created_at.desc()).limit(limit)
    )
    return [_game(row) for row in found]


def games_of(connection: Connection, person: str, limit: int = 100) -> list[GameRow]:
    """Return the newest games in which a person has a seat, the last first."""
    mine = select(SEAT.c.game).where(SEAT.c.person == person)
    found = connection.execute(
        select(GAME).where(GAME.c.id.in_(mine)).order_by(GAME.c.created_at.desc()).limit(limit)
    )
    return [_game(row) for row in found]


def running_games_of(connection: Connection, person: str, limit: int = 100) -> list[GameRow]:
    """Return the newest games of a person that are not over, the last first."""
    mine = select(SEAT.c.game).where(SEAT.c.person == person)
    found = connection.execute(
        select(GAME)
        .where(GAME.c.id.in_(mine), GAME.c.stage != Stage.OVER)
        .order_by(GAME.c.created_at.desc())
        .limit(limit)
    )
    return [_game(row) for row in found]


def games_after(connection: Connection, game: str, limit: int) -> list[GameRow]:
    """Return games in the order of their ids, after a given one."""
    found = connection.execute(
        select(GAME).where(GAME.c.id > game).order_by(GAME.c.id).limit(limit)
    )
    return [_game(row) for row in found]


def all_games(store: Store) -> Iterator[GameRow]:
    """Yield all games, in no particular order."""
    last, limit = "", 500
    while True:
        games = store.read(games_after, last, limit)
        yield from games
        if len(games) < limit:
            return
        last = games[-1].id


def count_games(connection: Connection) -> dict[Stage, int]:
    found = connection.execute(select(GAME.c.stage, func.count()).group_by(GAME.c.stage))
    counts = dict.fromkeys(Stage, 0)
    return counts | {Stage(stage): count for stage, count in found}


def no_game(game: str) -> UnknownError:
    """Return the error of a game that does not exist."""
    return UnknownError(text("there is no game {game}", game=game))


def _game(row: Row[Any]) -> GameRow:
    return GameRow(
        row.id,
        row.room,
        row.rules,
        row.terms,
        row.created_at,
        Stage(row.stage),
        row.home,
        row.epoch,
    )
