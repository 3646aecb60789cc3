"""Deadlines: what is due at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, Index, bindparam, delete, insert, select

from trine.house.store.schema import Key, all_of, table_of


@dataclass(frozen=True, slots=True)
class Due:
    """A deadline, such as the end of a turn of several days."""

    at: float
    """Units: seconds since 1970."""
    kind: Key[str]
    ref: Key[str]
    """The id of the object, such as a game."""


DUE: Final = table_of("due", Due, Index(None, "kind", "at"))


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


def set_due(connection: Connection, kind: str, ref: str, at: float | None) -> None:
    change(connection, {(kind, ref): at})


def due_of(connection: Connection, kind: str, now: float, limit: int = 100) -> list[Due]:
    """Return the deadlines of a kind that are due by a moment, the earliest first.

    They stay until they are changed.
    """
    due = select(DUE).where(DUE.c.kind == kind, DUE.c.at <= now)
    return all_of(connection, Due, due.order_by(DUE.c.at).limit(limit))


def moments_of(connection: Connection, kind: str, refs: Sequence[str]) -> dict[str, float]:
    """Return the moments of the deadlines of a kind, for the objects that have one."""
    found = connection.execute(
        select(DUE.c.ref, DUE.c.at).where(DUE.c.kind == kind, DUE.c.ref.in_(refs))
    )
    return {row.ref: row.at for row in found}
