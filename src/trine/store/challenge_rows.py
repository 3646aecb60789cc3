"""Challenges: games to which a person has invited another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from trine.store.schema import CHALLENGE


@dataclass(frozen=True, slots=True)
class ChallengeRow:
    """A challenge as a database has it."""

    id: str
    challenger: str
    challenged: str
    terms: Mapping[str, Any]
    """The terms that are proposed, as JSON has them."""
    side: int | None
    """The seat of the challenger; None is left to chance."""
    created_at: float
    expires_at: float
    """Units: seconds since 1970."""


def create_challenge(connection: Connection, row: ChallengeRow) -> None:
    """Write a challenge; those that have expired go."""
    connection.execute(delete(CHALLENGE).where(CHALLENGE.c.expires_at <= row.created_at))
    connection.execute(
        insert(CHALLENGE).values(
            id=row.id,
            challenger=row.challenger,
            challenged=row.challenged,
            terms=row.terms,
            side=row.side,
            created_at=row.created_at,
            expires_at=row.expires_at,
        )
    )


def drop_challenge(connection: Connection, challenge: str) -> bool:
    """Remove a challenge; of many who do so at once one is told that it was there."""
    return connection.execute(delete(CHALLENGE).where(CHALLENGE.c.id == challenge)).rowcount > 0


def open_challenges(connection: Connection, now: float, limit: int) -> list[ChallengeRow]:
    """Return the challenges that have not expired."""
    found = connection.execute(
        select(CHALLENGE)
        .where(CHALLENGE.c.expires_at > now)
        .order_by(CHALLENGE.c.expires_at)
        .limit(limit)
    )
    return [ChallengeRow(*row) for row in found]


def read_challenge(connection: Connection, challenge: str) -> ChallengeRow | None:
    """Return the challenge of an id, or None."""
    row = connection.execute(select(CHALLENGE).where(CHALLENGE.c.id == challenge)).first()
    return ChallengeRow(*row) if row else None
