"""Sanctions: people who may not speak, or are kept out, for some time."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from trine.house.people.tables import SANCTION
from trine.house.people.takeout import Takeout


@dataclass(frozen=True, slots=True)
class SanctionRow:
    """A sanction."""

    id: str
    person: str
    kind: str
    """``mute`` or ``ban``."""
    at: float
    until: float
    why: str


def add_sanction(connection: Connection, row: SanctionRow) -> None:
    """Write a sanction."""
    connection.execute(
        insert(SANCTION).values(
            id=row.id, person=row.person, kind=row.kind, at=row.at, until=row.until, why=row.why
        )
    )


def sanctions_at(connection: Connection, now: float, limit: int) -> list[SanctionRow]:
    """Return the sanctions that hold."""
    found = connection.execute(
        select(
            SANCTION.c.id,
            SANCTION.c.person,
            SANCTION.c.kind,
            SANCTION.c.at,
            SANCTION.c.until,
            SANCTION.c.why,
        )
        .where(SANCTION.c.until > now)
        .order_by(SANCTION.c.until)
        .limit(limit)
    )
    return [SanctionRow(*row) for row in found]


def tell_person(connection: Connection, person: str, takeout: Takeout) -> None:
    """Add what a person was kept from."""
    mine = select(SANCTION).where(SANCTION.c.person == person).order_by(SANCTION.c.at)
    takeout.about["sanctions"] = [
        {"kind": row.kind, "at": row.at, "until": row.until, "why": row.why}
        for row in connection.execute(mine)
    ]


def end_sanction(connection: Connection, sanction: str, now: float) -> bool:
    """End a sanction; return whether it held."""
    here = (SANCTION.c.id == sanction) & (SANCTION.c.until > now)
    return connection.execute(update(SANCTION).where(here).values(until=now)).rowcount > 0
