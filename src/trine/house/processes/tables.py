"""Homes: the processes that play games, and the leases on these games.

A process has one row, with the time when its leases expire by the database's clock. So one
statement renews the leases of all its games. A game is held by its home until that row has expired.
Taking a game raises its fencing token, and later writes of the former home are refused
(`trine.house.games.storage.events`): leases decide which process plays, tokens ensure that no other
process can write.

One process is the leader of each role that exists once in the house, such as the lobby. It leads by
an equal lease.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from trine.house.games.live.change_hooks import LIVE
from trine.house.games.storage.tables import GAME, Downtime, Stage, add_downtime, no_game
from trine.house.store.postgres import advisory_lock, is_shared
from trine.house.store.scheduled_tasks import SCHEDULED_TASK
from trine.house.store.schema import METADATA, all_of, database_now, first_of
from trine.house.store.store_errors import HeldError

HOME: Final = sa.Table(
    "home",
    METADATA,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("address", sa.String, nullable=False),
    sa.Column("alive_at", sa.Double, nullable=False),
    sa.Column("expires_at", sa.Double, nullable=False),
    sa.Column("swept", sa.Integer, nullable=False),
    sa.Column("figures", sa.JSON),
)
"""A process that plays or played games: its address, and when its leases expire by the database's
clock. Once they have expired and its games were taken, the row is deleted. Its metrics, for the
host, carry their own time."""

LEADER: Final = sa.Table(
    "leader",
    METADATA,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("home", sa.String, nullable=False),
)
"""The processes that lead roles such as the lobby."""


LEASE: Final = 6.0  # seconds from a heartbeat until a process loses its games and roles; guess
MIN_DOWNTIME: Final = 5.0  # seconds; a shorter time without a process does not count
HOME_TTL: Final = 86_400.0  # seconds; the minimum age at which rows of ended homes are deleted


@dataclass(frozen=True, slots=True)
class Home:
    """A process that plays or played games."""

    name: str
    address: str  # the process's address for a proxy, as ``host:port``; empty without a proxy
    alive_at: float  # seconds since 1970; the process's last heartbeat, by its own clock
    holds: bool  # whether the leases of the process have not expired


_HOLDS: Final = HOME.c.expires_at > database_now()
_HOME: Final = sa.select(HOME.c.name, HOME.c.address, HOME.c.alive_at, _HOLDS.label("holds"))


def renew_leases(
    connection: Connection,
    home: str,
    address: str,
    alive_at: float,
    lease: float = LEASE,
    *,
    late: bool = False,
) -> bool:
    """Renew the leases of a process; return whether they had not expired.

    ``late``: the process is new, or was suspended; a downtime of all processes until now is stored.
    """
    mine = HOME.c.name == home
    row = connection.execute(sa.select(_HOLDS.label("holds")).where(mine).with_for_update()).first()
    values: dict[str, Any] = {
        "address": address,
        "alive_at": alive_at,
        "expires_at": database_now() + lease,
        "swept": 0,
    }
    if late:
        _note_downtime(connection, alive_at)
    if row:
        connection.execute(sa.update(HOME).where(mine).values(**values))
        return bool(row.holds)
    unfinished = sa.select(GAME.c.home).where(GAME.c.stage.in_((Stage.WAITING, Stage.PLAYING)))
    connection.execute(
        sa.delete(HOME).where(
            HOME.c.expires_at < database_now() - HOME_TTL, HOME.c.name.not_in(unfinished)
        )
    )
    connection.execute(sa.insert(HOME).values(name=home, **values))
    return True


def last_sign(connection: Connection) -> float | None:
    """Return the last heartbeat of any process; None in a new house."""
    last: float | None = connection.scalar(sa.select(sa.func.max(HOME.c.alive_at)))
    return last


def _note_downtime(connection: Connection, now: float) -> None:
    """Store the downtime until now, while no process of the house was running."""
    advisory_lock(connection, "downtime")
    last = last_sign(connection)
    if last is not None and now - last > MIN_DOWNTIME:
        add_downtime(connection, Downtime(last, now))


def end_leases(connection: Connection, home: str, alive_at: float) -> None:
    connection.execute(
        sa.update(HOME)
        .where(HOME.c.name == home)
        .values(alive_at=alive_at, expires_at=0.0, swept=0)
    )


def read_home(connection: Connection, name: str) -> Home | None:
    return first_of(connection, Home, _HOME.where(HOME.c.name == name))


def home_of(connection: Connection, game_id: str) -> Home | None:
    """Return the home of a game, even if its lease has expired; None if it is unknown."""
    joined = _HOME.join(GAME, GAME.c.home == HOME.c.name)
    return first_of(connection, Home, joined.where(GAME.c.id == game_id))


def homes_at_work(connection: Connection) -> list[Home]:
    return all_of(connection, Home, _HOME.where(_HOLDS).order_by(HOME.c.name))


def keep_figures(connection: Connection, home: str, figures: Mapping[str, Any]) -> None:
    connection.execute(sa.update(HOME).where(HOME.c.name == home).values(figures=dict(figures)))


def all_figures(connection: Connection) -> dict[str, Mapping[str, Any]]:
    """Return the metrics of processes, by name; those of closed ones include ``ended``."""
    stored = sa.select(HOME.c.name, HOME.c.figures, HOME.c.expires_at == 0.0)
    rows = connection.execute(stored.where(HOME.c.figures.is_not(None)))
    return {name: {**figures, "ended": ended} for name, figures, ended in rows if figures}


def end_leases_of(connection: Connection, homes: Collection[str]) -> None:
    """End the leases of processes that have died, so that others can take their games at once."""
    connection.execute(
        sa.update(HOME).where(HOME.c.name.in_(homes), _HOLDS).values(expires_at=0.0, swept=0)
    )


def take_game(
    connection: Connection, game_id: str, home: str, *, held: bool = False
) -> float | None:
    """Give a game a new home; return the last heartbeat of the former one, which is fenced now.

    With ``held``, take it even from a home that still holds it; always, if only one process can
    open the database. Raises `MissingRowError`, or a `HeldError` if another process holds the game
    or is about to.
    """
    # NOWAIT: a process that hangs while it writes to the game must not block this one.
    free = sa.select(GAME.c.home).where(GAME.c.id == game_id).with_for_update(skip_locked=True)
    row = connection.execute(free).first()
    if not row:
        if connection.execute(sa.select(GAME.c.id).where(GAME.c.id == game_id)).first():
            raise HeldError
        raise no_game(game_id)
    before = read_home(connection, row.home)
    if before and before.holds and before.name != home and not held and is_shared(connection):
        raise HeldError(before.address)
    _move(connection, [game_id], home)
    return before.alive_at if before else None


def take_games(
    connection: Connection, game_ids: Sequence[str], home: str
) -> dict[str, float | None]:
    """Give games of other homes a new one, where only one process can open the database.

    Returns: by game, the last heartbeat of its former home; None if unknown.
    """
    joined = sa.select(GAME.c.id, HOME.c.alive_at).outerjoin(HOME, HOME.c.name == GAME.c.home)
    rows = connection.execute(joined.where(GAME.c.id.in_(game_ids), GAME.c.home != home))
    taken = {row.id: row.alive_at for row in rows}
    _move(connection, list(taken), home)
    return taken


def _move(connection: Connection, games: Sequence[str], home: str) -> None:
    mine = sa.update(GAME).where(GAME.c.id.in_(games))
    connection.execute(mine.values(home=home, fencing_token=GAME.c.fencing_token + 1))


def has_orphans(connection: Connection) -> bool:
    """Return whether an ended home still has games that were not taken."""
    gone = sa.select(HOME.c.name).where(~_HOLDS, HOME.c.swept == 0).limit(1)
    return connection.execute(gone).first() is not None


def adopt_games(connection: Connection, home: str, limit: int) -> dict[str, float | None]:
    """Give some games with running clocks a new home, if the former one has ended.

    Returns: by game, the last heartbeat of its former home; None if unknown.
    """
    orphan: sa.ColumnElement[bool] = sa.and_(
        SCHEDULED_TASK.c.kind == LIVE, sa.or_(HOME.c.name.is_(None), ~_HOLDS)
    )
    joined = SCHEDULED_TASK.join(GAME, GAME.c.id == SCHEDULED_TASK.c.ref).outerjoin(
        HOME, HOME.c.name == GAME.c.home
    )
    orphans = sa.select(GAME.c.id, HOME.c.alive_at).select_from(joined).where(orphan)
    first = orphans.order_by(GAME.c.id).limit(limit)
    mine = connection.scalars(first.with_for_update(of=GAME, skip_locked=True)).all()
    # A game that another process took just before it was locked here is found as well, because
    # PostgreSQL checks its new row against the home of its old one. A second query does not find
    # it.
    found = connection.execute(orphans.where(GAME.c.id.in_(mine)).order_by(GAME.c.id)).all()
    taken = {row.id: row.alive_at for row in found}
    _move(connection, list(taken), home)
    if not taken:
        left = sa.select(SCHEDULED_TASK.c.ref).select_from(joined).where(orphan).limit(1)
        if not connection.execute(left).first():  # skip games that another process is taking
            connection.execute(sa.update(HOME).where(~_HOLDS, HOME.c.swept == 0).values(swept=1))
    return taken


def fencing_tokens_of(connection: Connection, games: Sequence[str], home: str) -> dict[str, int]:
    """Return the fencing tokens of the given games that are at home in a process."""
    found = connection.execute(
        sa.select(GAME.c.id, GAME.c.fencing_token).where(GAME.c.id.in_(games), GAME.c.home == home)
    )
    return {row.id: row.fencing_token for row in found}


def take_lead(connection: Connection, name: str, home: str) -> None:
    """Make a process the leader of a role; raises `HeldError`."""
    advisory_lock(connection, f"leader {name}")
    row = connection.execute(sa.select(LEADER.c.home).where(LEADER.c.name == name)).first()
    if not row:
        connection.execute(sa.insert(LEADER).values(name=name, home=home))
        return
    before = read_home(connection, row.home)
    if before and before.holds and before.name != home:
        raise HeldError(before.address)
    connection.execute(sa.update(LEADER).where(LEADER.c.name == name).values(home=home))


def leader_of(connection: Connection, name: str) -> Home | None:
    joined = _HOME.join(LEADER, LEADER.c.home == HOME.c.name)
    return first_of(connection, Home, joined.where(LEADER.c.name == name))
