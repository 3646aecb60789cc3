"""The journals of games in the database: read events, and append to them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import sqlalchemy as sa

from trine.house.games.storage.tables import GAME, SEAT, Stage, no_game
from trine.house.store.postgres import is_shared
from trine.house.store.schema import columns_of, make_row, table_of, values_of
from trine.house.store.store_errors import FencedError, StaleError, StoreError, UnusableError
from trine.house.store.writer import BatchStatement

ABORT, REMATCH = "abort", "rematch"  # the kinds of events that are not entries of the played game


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a game, as plain data."""

    kind: str
    actor: int | None  # number of a seat; None for the house
    at: float  # seconds since 1970
    data: Mapping[str, Any] = field(default_factory=dict)


# A SQLite table ordered by this key itself (WITHOUT ROWID) measured 12,900 events a second in
# commits of 200 games, this table 22,900: rows that are written together are stored together.
EVENT: Final = table_of(
    "event",
    Event,
    sa.Column("game", sa.ForeignKey("game.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
)
"""The events of all games. A game's events, its journal, are numbered from 1 without gaps."""


@dataclass(frozen=True, slots=True)
class Append:
    """Events to append to a game, and further writes in their transaction."""

    game: str
    fencing_token: int
    seq: int  # number of the first event
    events: Sequence[Event]
    stage: Stage | None = None  # the game's new stage, if it changes
    result: Mapping[str, str | int | None] = field(default_factory=dict)
    """The columns of the game that describe its result."""
    also: Callable[[sa.Connection], None] | None = None


def append_all(
    connection: sa.Connection, appends: Sequence[Append]
) -> list[tuple[int, StoreError | None]]:
    """Append to several games at once; a refusal of one does not affect the others.

    Returns: for each, the number of its game's last event, and the error if it was refused.
    """
    standings = _standings(connection, {append.game for append in appends})
    answers: list[tuple[int, StoreError | None]] = []
    accepted = []
    for append in appends:
        token, home, last = standings.get(append.game, (0, "", 0))
        refusal: StoreError | None = None
        if append.game not in standings:
            refusal = no_game(append.game)
        elif append.fencing_token != token:
            refusal = FencedError(append.game, append.fencing_token, token, home)
        elif append.seq != last + 1:
            refusal = StaleError(append.game, append.seq, last)
        else:
            last += len(append.events)
            standings[append.game] = token, home, last
            accepted.append(append)
        answers.append((last, refusal))
    _write(connection, accepted)
    return answers


append_events: Final = BatchStatement(append_all)
"""Append to a game, and return the number of its last event.

Raises:
    FencedError: another process has taken the game.
    StaleError: events with these numbers exist already, or earlier ones are missing.
"""


# If several processes write, the lock keeps a game from being taken before the commit.
_GAMES: Final = GAME.c.id.in_(sa.bindparam("games", expanding=True))
_LOCK: Final = sa.select(GAME.c.id).where(_GAMES).order_by(GAME.c.id).with_for_update()
# Read after the lock: a locking statement sees data from before its wait.
_STANDING: Final = sa.select(
    GAME.c.id,
    GAME.c.fencing_token,
    GAME.c.home,
    sa.select(sa.func.max(EVENT.c.seq)).where(EVENT.c.game == GAME.c.id).scalar_subquery(),
).where(_GAMES)
_INSERT: Final = sa.insert(EVENT)


def _standings(connection: sa.Connection, games: set[str]) -> dict[str, tuple[int, str, int]]:
    """Return each game's fencing token, home, and number of the last event."""
    given = {"games": sorted(games)}
    if is_shared(connection):
        connection.execute(_LOCK, given)
    found = connection.execute(_STANDING, given)
    return {game: (token, home, last or 0) for game, token, home, last in found}


def _write(connection: sa.Connection, appends: Sequence[Append]) -> None:
    rows = [
        values_of(event) | {"game": append.game, "seq": seq}
        for append in appends
        for seq, event in enumerate(append.events, append.seq)
    ]
    if rows:
        connection.execute(_INSERT, rows)
    for append in appends:
        if append.stage:
            here = sa.update(GAME).where(GAME.c.id == append.game)
            connection.execute(here.values(stage=append.stage, **append.result))
    for append in appends:
        if append.also:
            append.also(connection)


def read_events(connection: sa.Connection, game_id: str) -> list[Event]:
    """Return the events of a game, in order.

    Raises:
        UnusableError: an event is missing.
    """
    return events_of_games(connection, [game_id]).get(game_id, [])


def events_of_games(connection: sa.Connection, games: Sequence[str]) -> dict[str, list[Event]]:
    """Return the events of games, by game, in order; raises `UnusableError` if one is missing."""
    found = connection.execute(
        sa.select(EVENT.c.game, EVENT.c.seq, *columns_of(EVENT, Event))
        .where(EVENT.c.game.in_(games))
        .order_by(EVENT.c.game, EVENT.c.seq)
    )
    journals: dict[str, list[Event]] = {}
    _, _, *names = found.keys()
    for game_id, seq, *columns in found:
        journal = journals.setdefault(game_id, [])
        if seq != (expected := len(journal) + 1):
            raise UnusableError("event {seq} of game {game} is missing", seq=expected, game=game_id)
        journal.append(make_row(Event, names, columns))
    return journals


def take_name_off(
    connection: sa.Connection, person_id: str, name: str, tags: Mapping[str, Mapping[int, str]]
) -> None:
    """Replace a person's name at seats and in records.

    By game, ``tags`` has the person's seats, each with the record tag that holds the name.
    """
    for game, seats in tags.items():
        mine = (SEAT.c.game == game) & (SEAT.c.person == person_id)
        connection.execute(sa.update(SEAT).where(mine).values(name=name))
        first = (EVENT.c.game == game) & (EVENT.c.seq == 1)
        data = connection.execute(sa.select(EVENT.c.data).where(first)).scalar()
        if data:
            named = {tag: name for tag in seats.values() if tag in data.get("tags", {})}
            data = {**data, "tags": {**data.get("tags", {}), **named}}
            connection.execute(sa.update(EVENT).where(first).values(data=data))
