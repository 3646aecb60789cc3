"""The downtimes of the house."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from trine.house.games.tables import DOWNTIME


@dataclass(frozen=True, slots=True)
class Downtime:
    """A time in which the house was not running.

    Units: seconds since 1970.
    """

    began: float
    ended: float


def add_downtime(connection: Connection, downtime: Downtime) -> None:
    """Store a downtime."""
    connection.execute(delete(DOWNTIME).where(DOWNTIME.c.ended == downtime.ended))
    connection.execute(insert(DOWNTIME).values(began=downtime.began, ended=downtime.ended))


def downtimes_after(connection: Connection, at: float) -> list[Downtime]:
    """Return the downtimes that ended after a moment, the earliest first."""
    found = connection.execute(
        select(DOWNTIME.c.began, DOWNTIME.c.ended)
        .where(DOWNTIME.c.ended > at)
        .order_by(DOWNTIME.c.ended)
    )
    return [Downtime(*row) for row in found]


def closed_since(connection: Connection, at: float) -> float:
    """Return for how long the house was not running after a moment.

    Units: seconds.
    """
    return sum(one.ended - max(one.began, at) for one in downtimes_after(connection, at))
