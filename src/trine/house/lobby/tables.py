"""Challenges: invitations of a person to a game, addressed to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    Double,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    delete,
    insert,
    select,
)

from trine.house.people.tables import check_here
from trine.house.people.takeout import Takeout
from trine.house.store.schema import METADATA

CHALLENGE: Final = Table(
    "challenge",
    METADATA,
    Column("id", String, primary_key=True),
    Column("challenger", ForeignKey("person.id", name="fk_challenge_challenger"), nullable=False),
    Column("challenged", ForeignKey("person.id", name="fk_challenge_challenged"), nullable=False),
    Column("terms", JSON, nullable=False),
    Column("side", Integer),
    Column("created_at", Double, nullable=False),
    Column("expires_at", Double, nullable=False),
    Index(None, "challenger"),
    Index(None, "challenged"),
    Index(None, "expires_at"),
)
"""A game to which a person has invited another; ``side`` is the seat of the challenger, if that is
not left to chance."""

SEEK: Final = Table(
    "seek",
    METADATA,
    Column("id", String, primary_key=True),
    Column("terms", JSON, nullable=False),
    Column("players", JSON, nullable=False),
    Column("side", Integer),
    Column("opened_at", Double, nullable=False),
    Column("within", Integer),
)
"""An open seat of the lobby, with the ids of those who wait at it."""


@dataclass(frozen=True, slots=True)
class ChallengeRow:
    """A challenge as a database has it."""

    id: str
    challenger: str
    challenged: str
    terms: Mapping[str, Any]
    """The proposed terms, as JSON."""
    side: int | None
    """The seat of the challenger; None is left to chance."""
    created_at: float
    expires_at: float
    """Units: seconds since 1970."""


def create_challenge(connection: Connection, row: ChallengeRow) -> None:
    """Add a challenge, and remove the expired ones.

    Raises:
        UnknownError: one of the two has been deleted.
    """
    check_here(connection, (row.challenger, row.challenged))
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
    """Remove a challenge; of several who do so at once, one gets True."""
    return connection.execute(delete(CHALLENGE).where(CHALLENGE.c.id == challenge)).rowcount > 0


def open_challenges(connection: Connection, now: float, limit: int) -> list[ChallengeRow]:
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


@dataclass(frozen=True, slots=True)
class SeekRow:
    """A game for which players are wanted."""

    id: str
    terms: Mapping[str, Any]
    players: Sequence[str]
    """The ids of people; the one who opened the seek comes first."""
    side: int | None
    opened_at: float
    """Units: seconds since 1970."""
    within: int | None = None
    """Units: rating points; how far the ratings of others may be from that of the first."""


def all_seeks(connection: Connection) -> list[SeekRow]:
    """Return the open seats, the oldest first."""
    return [SeekRow(*row) for row in connection.execute(select(SEEK).order_by(SEEK.c.opened_at))]


def change_seeks(connection: Connection, gone: Iterable[str], now: Iterable[SeekRow]) -> None:
    """Remove open seats, and store others as they are now."""
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
                within=row.within,
            )
        )


def forget_person(connection: Connection, person: str) -> None:
    """Remove the challenges of a person, those to that person, and the open seats."""
    for side in (CHALLENGE.c.challenger, CHALLENGE.c.challenged):
        connection.execute(delete(CHALLENGE).where(side == person))
    for seek in all_seeks(connection):
        others = [one for one in seek.players if one != person]
        stays = [replace(seek, players=others)] if person != seek.players[0] else []
        if others != list(seek.players):
            change_seeks(connection, [seek.id], stays)


def tell_person(connection: Connection, person: str, takeout: Takeout) -> None:
    """Add the challenges of a person, and the open seats at which they wait."""
    either = (CHALLENGE.c.challenger == person) | (CHALLENGE.c.challenged == person)
    rows = connection.execute(select(CHALLENGE).where(either).order_by(CHALLENGE.c.created_at))
    takeout.about["challenges"] = [
        {"terms": row.terms, "mine": row.challenger == person, "at": row.created_at} for row in rows
    ]
    takeout.about["open seats"] = [
        {"terms": row.terms, "at": row.opened_at}
        for row in all_seeks(connection)
        if person in row.players
    ]
