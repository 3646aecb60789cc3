"""Reports, and what administrators have done."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from sqlalchemy import (
    Column,
    Connection,
    Double,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    insert,
    select,
    update,
)

from trine.house.people.tables import PERSON
from trine.house.people.takeout import Takeout
from trine.house.store.schema import METADATA
from trine.house.store.secrets import new_id

REPORT: Final = Table(
    "report",
    METADATA,
    Column("id", String, primary_key=True),
    Column("reporter", ForeignKey("person.id", name="fk_report_reporter"), nullable=False),
    Column("person", ForeignKey("person.id", name="fk_report_person"), nullable=False),
    Column("game", String),
    Column("number", Integer),
    Column("why", String, nullable=False),
    Column("words", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("done_at", Double),
    Index(None, "done_at", "at"),
    Index(None, "reporter", "at"),
)
"""A complaint about a person, or about a line of chat."""

AUDIT: Final = Table(
    "audit",
    METADATA,
    Column("id", String, primary_key=True),
    Column("at", Double, nullable=False),
    Column("actor", ForeignKey("person.id", name="fk_audit_actor")),
    Column("what", String, nullable=False),
    Column("person", ForeignKey("person.id", name="fk_audit_person")),
    Column("told", Text, nullable=False),
    Index(None, "at"),
)
"""A deed of an administrator; the actor is absent where the host has done it."""


# --- reports -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A report."""

    id: str
    reporter: str
    person: str
    game: str | None
    number: int | None
    """The number of the reported line of chat, if any."""
    why: str
    words: str
    at: float
    done_at: float | None = None


_REPORT = select(
    REPORT.c.id,
    REPORT.c.reporter,
    REPORT.c.person,
    REPORT.c.game,
    REPORT.c.number,
    REPORT.c.why,
    REPORT.c.words,
    REPORT.c.at,
    REPORT.c.done_at,
)


def add_report(connection: Connection, row: ReportRow, since: float, most: int) -> bool:
    """Add a report, unless it is open already or one of too many; return whether it was added."""
    mine = _REPORT.where(REPORT.c.reporter == row.reporter, REPORT.c.at > since).limit(most)
    sent = [ReportRow(*one) for one in connection.execute(mine)]
    known = {(one.person, one.game, one.number) for one in sent if one.done_at is None}
    if len(sent) >= most or (row.person, row.game, row.number) in known:
        return False
    connection.execute(
        insert(REPORT).values(
            id=row.id,
            reporter=row.reporter,
            person=row.person,
            game=row.game,
            number=row.number,
            why=row.why,
            words=row.words,
            at=row.at,
        )
    )
    return True


def open_reports(connection: Connection, limit: int) -> list[ReportRow]:
    """Return the open reports, the oldest first."""
    found = connection.execute(
        _REPORT.where(REPORT.c.done_at.is_(None)).order_by(REPORT.c.at).limit(limit)
    )
    return [ReportRow(*row) for row in found]


def read_report(connection: Connection, report: str) -> ReportRow | None:
    row = connection.execute(_REPORT.where(REPORT.c.id == report)).first()
    return ReportRow(*row) if row else None


def close_report(connection: Connection, report: str, now: float) -> bool:
    here = (REPORT.c.id == report) & REPORT.c.done_at.is_(None)
    return connection.execute(update(REPORT).where(here).values(done_at=now)).rowcount > 0


def tell_person(connection: Connection, person: str, takeout: Takeout) -> None:
    """Add what a person has reported; what others report of the person is theirs to know."""
    mine = _REPORT.where(REPORT.c.reporter == person).order_by(REPORT.c.at)
    takeout.about["reports"] = [
        {"game": row.game, "line": row.number, "why": row.why, "words": row.words, "at": row.at}
        for row in connection.execute(mine)
    ]


# --- what was done -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AuditRow:
    """An action of an administrator."""

    at: float
    actor: str | None
    what: str
    person: str | None
    told: str


def add_audit(connection: Connection, row: AuditRow) -> None:
    connection.execute(
        insert(AUDIT).values(
            id=new_id(),
            at=row.at,
            actor=row.actor,
            what=row.what,
            person=row.person,
            told=row.told,
        )
    )


def last_audit(connection: Connection, limit: int) -> list[AuditRow]:
    """Return the last actions, the newest first."""
    found = connection.execute(
        select(AUDIT.c.at, AUDIT.c.actor, AUDIT.c.what, AUDIT.c.person, AUDIT.c.told)
        .order_by(AUDIT.c.at.desc())
        .limit(limit)
    )
    return [AuditRow(*row) for row in found]


def names_of(connection: Connection, people: Collection[str]) -> dict[str, str]:
    found = connection.execute(select(PERSON.c.id, PERSON.c.name).where(PERSON.c.id.in_(people)))
    return {row.id: row.name for row in found}
