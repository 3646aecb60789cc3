"""News for people, gathered until a letter is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from trine.store.addresses import address_of
from trine.store.deadlines import change, moments_of
from trine.store.schema import ADDRESS, NOTICE

LETTER: Final = "letter"
"""The kind of deadline at which a letter is written to a person."""
GATHERED: Final = 300.0
"""Units: seconds; so long a notice waits for others, and for a turn that makes it needless."""
APART: Final = 1800.0
"""Units: seconds; nobody is written to more often."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that a person is to be told."""

    game: str
    kind: str
    at: float


def note(connection: Connection, person: str, game: str, kind: str, at: float) -> None:
    """Have a person told something in the next letter, if letters are wanted."""
    address = address_of(connection, person)
    if not address or not address.wanted:
        return
    mine = (NOTICE.c.person == person) & (NOTICE.c.game == game) & (NOTICE.c.kind == kind)
    connection.execute(delete(NOTICE).where(mine))
    connection.execute(insert(NOTICE).values(person=person, game=game, kind=kind, at=at))
    if not moments_of(connection, LETTER, [person]):
        due = max(at + GATHERED, address.written_at + APART)
        change(connection, {(LETTER, person): due})


def notices_of(connection: Connection, person: str) -> list[Notice]:
    """Return what a person is to be told, the oldest first."""
    found = connection.execute(
        select(NOTICE.c.game, NOTICE.c.kind, NOTICE.c.at)
        .where(NOTICE.c.person == person)
        .order_by(NOTICE.c.at)
    )
    return [Notice(*row) for row in found]


def told(connection: Connection, person: str, before: float, written_at: float | None) -> None:
    """Forget what was told, or is needless; a letter follows if something has come up since.

    Args: ``before`` is the moment at which the notices were read; ``written_at`` that of a letter.
    """
    mine = NOTICE.c.person == person
    connection.execute(delete(NOTICE).where(mine, NOTICE.c.at <= before))
    if written_at is not None:
        connection.execute(
            update(ADDRESS).where(ADDRESS.c.person == person).values(written_at=written_at)
        )
    rest = connection.execute(select(NOTICE.c.at).where(mine).limit(1)).scalar()
    due = None if rest is None else (written_at or rest) + APART
    change(connection, {(LETTER, person): due})


def forget(connection: Connection, person: str) -> None:
    """Have a person told nothing."""
    connection.execute(delete(NOTICE).where(NOTICE.c.person == person))
    change(connection, {(LETTER, person): None})
