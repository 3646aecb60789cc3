"""Open seats of the lobby, which outlive the house."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from trine.store.schema import SEEK


@dataclass(frozen=True, slots=True)
class SeekRow:
    """A game for which players are wanted."""

    id: str
    terms: Mapping[str, Any]
    players: Sequence[str]
    """The ids of people; whoever has opened it comes first."""
    side: int | None
    opened_at: float
    """Units: seconds since 1970."""


def all_seeks(connection: Connection) -> list[SeekRow]:
    """Return the open seats, the oldest first."""
    return [SeekRow(*row) for row in connection.execute(select(SEEK).order_by(SEEK.c.opened_at))]


def change_seeks(connection: Connection, gone: Iterable[str], now: Iterable[SeekRow]) -> None:
    """Remove open seats, and write others as they are now."""
    rows = list(now)
    names = [*gone, *(row.id for row in rows)]
    connection.execute(delete(SEEK).where(SEEK.c.id.in_(names)))
    for row in rows:
        connection.execute(
            insert(SEEK).values(
                id=row.id,
                terms=dict(row.terms),
                players=list(row.players),
                side=row.side,
                opened_at=row.opened_at,
            )
        )
