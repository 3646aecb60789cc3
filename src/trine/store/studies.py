"""Studies: records with variations that a person analyses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, update

from trine.core.text import text
from trine.store.refusals import TooManyError, UnknownError
from trine.store.schema import STUDY
from trine.store.tokens import new_id

MOST: Final = 200
"""The studies that a person may keep. Guess."""


@dataclass(frozen=True, slots=True)
class Study:
    """A record that a person analyses."""

    id: str
    owner: str
    """The id of the person who may change it; whoever knows its id may read it."""
    record: str
    created_at: float
    """Units: seconds since 1970."""
    changed_at: float
    """Units: seconds since 1970."""


def create_study(connection: Connection, owner: str, record: str, now: float) -> Study:
    """Create a study.

    Raises:
        TooManyError: the person keeps too many.
    """
    count = select(func.count()).select_from(STUDY).where(STUDY.c.owner == owner)
    if connection.execute(count).scalar_one() >= MOST:
        raise TooManyError(
            text("you keep {count} analyses, and no more fit; delete some first", count=MOST)
        )
    study = Study(new_id(), owner, record, now, now)
    connection.execute(
        insert(STUDY).values(
            id=study.id, owner=owner, record=record, created_at=now, changed_at=now
        )
    )
    return study


def save_study(connection: Connection, study: str, record: str, now: float) -> None:
    """Keep what has become of a study.

    Raises:
        UnknownError: there is no such study.
    """
    found = connection.execute(
        update(STUDY).where(STUDY.c.id == study).values(record=record, changed_at=now)
    )
    if not found.rowcount:
        raise UnknownError(text("there is no analysis {study}", study=study))


def drop_study(connection: Connection, study: str, owner: str) -> bool:
    """Remove a study of a person; return whether there was one."""
    mine = (STUDY.c.id == study) & (STUDY.c.owner == owner)
    return connection.execute(delete(STUDY).where(mine)).rowcount > 0


def read_study(connection: Connection, study: str) -> Study | None:
    """Return the study of an id, or None."""
    row = connection.execute(select(STUDY).where(STUDY.c.id == study)).first()
    return Study(*row) if row else None


def studies_of(connection: Connection, owner: str, limit: int) -> list[Study]:
    """Return the studies of a person, those that were changed last first."""
    found = connection.execute(
        select(STUDY).where(STUDY.c.owner == owner).order_by(STUDY.c.changed_at.desc()).limit(limit)
    )
    return [Study(*row) for row in found]
