"""Deadlines: things that are due at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, insert, select

from trine.store.schema import DUE


@dataclass(frozen=True, slots=True)
class Due:
    """A thing that is due at a time."""

    at: float
    """Units: seconds since 1970."""
    kind: str
    ref: str
    """The id of its object, such as a game."""


def change(connection: Connection, times: Mapping[tuple[str, str], float | None]) -> None:
    """Set deadlines by kind and object; None removes one."""
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


def due_of(connection: Connection, kind: str, now: float, limit: int) -> list[Due]:
    """Return the things of one kind that are due by a moment, the earliest first."""
    found = connection.execute(
        select(DUE.c.at, DUE.c.kind, DUE.c.ref)
        .where(DUE.c.kind == kind, DUE.c.at <= now)
        .order_by(DUE.c.at)
        .limit(limit)
    )
    return [Due(*row) for row in found]


def moments_of(connection: Connection, kind: str, refs: Sequence[str]) -> dict[str, float]:
    """Return the moments at which things of one kind are due, for those that have one."""
    found = connection.execute(
        select(DUE.c.ref, DUE.c.at).where(DUE.c.kind == kind, DUE.c.ref.in_(refs))
    )
    return {row.ref: row.at for row in found}
