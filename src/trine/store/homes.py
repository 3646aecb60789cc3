"""Homes: the processes that play games, and the leases by which they hold them.

A process has one row, with the moment at which its leases end by the clock of the database; so one
statement renews the leases of all its games. A game is held by its home as long as that row has not
expired. Whoever takes a game raises its epoch, and what the former home still writes is refused by
the epoch (`trine.store.events`): leases decide who plays, and epochs that only one can.

A duty is something that one process does for all, such as the lobby; it is held in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from trine.store.downtimes import Downtime, add_downtime
from trine.store.game_rows import Stage, no_game
from trine.store.moments import database_now
from trine.store.postgres import alone
from trine.store.refusals import HeldError
from trine.store.schema import DUE, DUTY, GAME, HOME

LEASE: Final = 6.0
"""Units: seconds; so long after it was last heard of, what a process holds is its own. Guess."""
LIVE: Final = "live"
"""The kind of deadline that has a game looked at when a house opens, or its home is gone."""
SHORT: Final = 5.0
"""Units: seconds; a shorter time in which no process was at work counts as none."""
KEPT: Final = 86_400.0
"""Units: seconds; homes that are over are remembered for so long at least."""


@dataclass(frozen=True, slots=True)
class Home:
    """A process that plays games, or did."""

    name: str
    address: str
    """Where a proxy reaches it, as ``host:port``; empty where nobody asks."""
    alive_at: float
    """When it was last at work, by its own clock. Units: seconds since 1970."""
    holds: bool
    """Whether its leases have not expired."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A game that has a new home."""

    game: str
    epoch: int
    alive_at: float | None
    """When its former home was last at work; None if that is not known."""


_HOLDS: Final = HOME.c.expires_at > database_now()
_HOME: Final = select(HOME.c.name, HOME.c.address, HOME.c.alive_at, _HOLDS.label("holds"))


def renew(
    connection: Connection,
    home: str,
    address: str,
    alive_at: float,
    lease: float,
    *,
    late: bool = False,
) -> bool:
    """Renew the leases of a process; return whether it held them until now.

    Args: ``late`` is whether it is new, or was stopped; if no process was at work for a while
    until now, that is noted.
    """
    mine = HOME.c.name == home
    row = connection.execute(select(_HOLDS.label("holds")).where(mine).with_for_update()).first()
    values: dict[str, Any] = {
        "address": address,
        "alive_at": alive_at,
        "expires_at": database_now() + lease,
        "swept": 0,
    }
    if late:
        _note_downtime(connection, alive_at)
    if row:
        connection.execute(update(HOME).where(mine).values(**values))
        return bool(row.holds)
    unfinished = select(GAME.c.home).where(GAME.c.stage.in_((Stage.WAITING, Stage.PLAYING)))
    connection.execute(
        delete(HOME).where(
            HOME.c.expires_at < database_now() - KEPT, HOME.c.name.not_in(unfinished)
        )
    )
    connection.execute(insert(HOME).values(name=home, **values))
    return True


def _note_downtime(connection: Connection, now: float) -> None:
    """Note the time until now in which no process of the house was at work."""
    alone(connection, "downtime")
    last: float | None = connection.execute(select(func.max(HOME.c.alive_at))).scalar()
    if last is not None and now - last > SHORT:
        add_downtime(connection, Downtime(last, now))


def leave(connection: Connection, home: str, alive_at: float) -> None:
    """End the leases of a process, which closes."""
    connection.execute(
        update(HOME).where(HOME.c.name == home).values(alive_at=alive_at, expires_at=0.0, swept=0)
    )


def read_home(connection: Connection, name: str) -> Home | None:
    """Return the home of a name, or None."""
    row = connection.execute(_HOME.where(HOME.c.name == name)).first()
    return _home(row) if row else None


def home_of(connection: Connection, game: str) -> Home | None:
    """Return the home of a game, whether it still holds it or not; None if it is not known."""
    joined = _HOME.join(GAME, GAME.c.home == HOME.c.name)
    row = connection.execute(joined.where(GAME.c.id == game)).first()
    return _home(row) if row else None


def _home(row: Row[Any]) -> Home:
    return Home(row.name, row.address, row.alive_at, bool(row.holds))


def homes(connection: Connection) -> list[Home]:
    """Return the processes that are at work now."""
    found = connection.execute(_HOME.where(_HOLDS).order_by(HOME.c.name))
    return [_home(row) for row in found]


# --- games ---------------------------------------------------------------------------------------


def take(connection: Connection, game: str, home: str, *, held: bool = False) -> Taken:
    """Give a game a new home; the former one cannot append events any more.

    Args: ``held`` is whether it is taken from a home that still holds it, too.

    Raises:
        UnknownError: there is no such game.
        HeldError: another process holds it, or is about to.
    """
    # Nobody waits here for a process that hangs while it writes to the game.
    free = select(GAME.c.home).where(GAME.c.id == game).with_for_update(skip_locked=True)
    row = connection.execute(free).first()
    if not row:
        if connection.execute(select(GAME.c.id).where(GAME.c.id == game)).first():
            raise HeldError
        raise no_game(game)
    before = read_home(connection, row.home)
    if before and before.holds and before.name != home and not held:
        raise HeldError(before.address)
    return _taken(connection, game, home, before.alive_at if before else None)


def _taken(connection: Connection, game: str, home: str, alive_at: float | None) -> Taken:
    mine = GAME.c.id == game
    connection.execute(update(GAME).where(mine).values(home=home, epoch=GAME.c.epoch + 1))
    epoch: int = connection.execute(select(GAME.c.epoch).where(mine)).scalar_one()
    return Taken(game, epoch, alive_at)


def has_orphans(connection: Connection) -> bool:
    """Return whether a home is over whose games were not all taken since."""
    gone = select(HOME.c.name).where(~_HOLDS, HOME.c.swept == 0).limit(1)
    return connection.execute(gone).first() is not None


def adopt(connection: Connection, home: str, limit: int) -> list[Taken]:
    """Give games whose clocks run a new home, where the former one is over; some at once."""
    orphan: ColumnElement[bool] = and_(DUE.c.kind == LIVE, or_(HOME.c.name.is_(None), ~_HOLDS))
    joined = DUE.join(GAME, GAME.c.id == DUE.c.ref).outerjoin(HOME, HOME.c.name == GAME.c.home)
    orphans = select(GAME.c.id, HOME.c.alive_at).select_from(joined).where(orphan)
    first = orphans.order_by(GAME.c.id).limit(limit)
    mine = connection.execute(first.with_for_update(of=GAME, skip_locked=True)).scalars().all()
    # A game that another took a moment before it was locked here is found as well: PostgreSQL
    # checks its new row against the home of its old one. Asked again, it is not.
    found = connection.execute(orphans.where(GAME.c.id.in_(mine)).order_by(GAME.c.id)).all()
    taken = [_taken(connection, row.id, home, row.alive_at) for row in found]
    if not taken:
        left = select(DUE.c.ref).select_from(joined).where(orphan).limit(1)
        if not connection.execute(left).first():  # none that another is taking, either
            connection.execute(update(HOME).where(~_HOLDS, HOME.c.swept == 0).values(swept=1))
    return taken


def epochs_of(connection: Connection, games: Sequence[str], home: str) -> dict[str, int]:
    """Return the epochs of those among some games that are at home in a process."""
    found = connection.execute(
        select(GAME.c.id, GAME.c.epoch).where(GAME.c.id.in_(games), GAME.c.home == home)
    )
    return {row.id: row.epoch for row in found}


# --- duties --------------------------------------------------------------------------------------


def take_duty(connection: Connection, duty: str, home: str) -> None:
    """Have a process do something for all.

    Raises:
        HeldError: another process does it.
    """
    alone(connection, f"duty {duty}")
    row = connection.execute(select(DUTY.c.home).where(DUTY.c.name == duty)).first()
    if not row:
        connection.execute(insert(DUTY).values(name=duty, home=home))
        return
    before = read_home(connection, row.home)
    if before and before.holds and before.name != home:
        raise HeldError(before.address)
    connection.execute(update(DUTY).where(DUTY.c.name == duty).values(home=home))


def home_of_duty(connection: Connection, duty: str) -> Home | None:
    """Return the process that does something for all, or did; None if there was none."""
    joined = _HOME.join(DUTY, DUTY.c.home == HOME.c.name)
    row = connection.execute(joined.where(DUTY.c.name == duty)).first()
    return _home(row) if row else None
