"""What is to happen at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, insert, select

from trine.store.schema import DUE


@dataclass(frozen=True, slots=True)
class Due:
    """Something that is to happen at a time."""

    at: float
    """Units: seconds since 1970."""
    kind: str
    ref: str
    """What it is about, such as a game."""


def change(connection: Connection, times: Mapping[tuple[str, str], float | None]) -> None:
    """Set what is due, by kind and what it is about; None takes it away."""
    if not times:
        return
    connection.execute(
        delete(DUE).where(DUE.c.kind == bindparam("_kind"), DUE.c.ref == bindparam("_ref")),
        [{"_kind": kind, "_ref": ref} for kind, ref in times],
    )
    rows = [
        {"kind": kind, "ref": ref, "at": at} for (kind, ref), at in times.items() if at is not None
    ]
    if rows:
        connection.execute(insert(DUE), rows)


def due_by(connection: Connection, now: float, limit: int) -> list[Due]:
    """What is due by now, the earliest first; it stays until it is changed."""
    found = connection.execute(
        select(DUE.c.at, DUE.c.kind, DUE.c.ref)
        .where(DUE.c.at <= now)
        .order_by(DUE.c.at)
        .limit(limit)
    )
    return [Due(*row) for row in found]


def next_due(connection: Connection) -> float | None:
    """When the next thing is due, in seconds since 1970; None if nothing is."""
    return connection.scalar(select(DUE.c.at).order_by(DUE.c.at).limit(1))
