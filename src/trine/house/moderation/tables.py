"""The tables of reports, and of the audit log."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Annotated, Final, TypeVar

from sqlalchemy import Column, Connection, Index, String, Text, select, update

from trine.house.people.tables import PERSON
from trine.house.people.takeout import Takeout
from trine.house.store.schema import Key, add_row, all_of, columns_of, first_of, table_of
from trine.house.store.secrets import new_id

Done = TypeVar("Done")


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A report about a person, or about a line of chat."""

    id: Key[str]
    reporter: Annotated[str, "person.id"]
    person: Annotated[str, "person.id"]
    game: str | None
    number: int | None  # number of the reported line of chat, if any
    why: str
    words: Annotated[str, Text()]
    at: float
    done_at: float | None = None


REPORT: Final = table_of(
    "report", ReportRow, Index(None, "done_at", "at"), Index(None, "reporter", "at")
)


def add_report(connection: Connection, row: ReportRow, since: float, most: int) -> bool:
    """Add a report; return False for a duplicate of an open one, or after ``most`` reports."""
    mine = select(REPORT).where(REPORT.c.reporter == row.reporter, REPORT.c.at > since)
    sent = all_of(connection, ReportRow, mine.limit(most))
    pending = {(old.person, old.game, old.number) for old in sent if old.done_at is None}
    if len(sent) >= most or (row.person, row.game, row.number) in pending:
        return False
    add_row(connection, REPORT, row)
    return True


def open_reports(connection: Connection, limit: int) -> list[ReportRow]:
    left = select(REPORT).where(REPORT.c.done_at.is_(None)).order_by(REPORT.c.at).limit(limit)
    return all_of(connection, ReportRow, left)


def read_report(connection: Connection, report: str) -> ReportRow | None:
    return first_of(connection, ReportRow, select(REPORT).where(REPORT.c.id == report))


def close_report(connection: Connection, report: str, now: float) -> bool:
    here = (REPORT.c.id == report) & REPORT.c.done_at.is_(None)
    return connection.execute(update(REPORT).where(here).values(done_at=now)).rowcount > 0


def export_person(connection: Connection, person_id: str, takeout: Takeout) -> None:
    """Export the reports by a person; reports about the person stay with their reporters."""
    mine = select(REPORT).where(REPORT.c.reporter == person_id).order_by(REPORT.c.at)
    takeout.about["reports"] = [
        {"game": row.game, "line": row.number, "why": row.why, "words": row.words, "at": row.at}
        for row in connection.execute(mine)
    ]


@dataclass(frozen=True, slots=True)
class AuditRow:
    """An action of an administrator, or, if ``actor`` is None, of the host."""

    at: float
    actor: Annotated[str, "person.id"] | None
    what: str
    person: Annotated[str, "person.id"] | None
    detail: Annotated[str, Text()]


AUDIT: Final = table_of(
    "audit", AuditRow, Column("id", String, primary_key=True), Index(None, "at")
)


VERSION: Final = "version"
"""The kind of entry for a new version of the program that serves the house; it never expires."""


def add_audit(connection: Connection, row: AuditRow) -> None:
    add_row(connection, AUDIT, row, id=new_id())


def with_audit(write: Callable[[Connection], Done], row: AuditRow) -> Callable[[Connection], Done]:
    """Return a write that also adds an entry to the audit log, in the same transaction."""

    def both(connection: Connection) -> Done:
        done = write(connection)
        add_audit(connection, row)
        return done

    return both


def last_audit(connection: Connection, limit: int, *what: str) -> list[AuditRow]:
    """Return the newest actions of the given kinds, or of all kinds except `VERSION`."""
    wanted = AUDIT.c.what.in_(what) if what else AUDIT.c.what != VERSION
    newest = select(*columns_of(AUDIT, AuditRow)).where(wanted).order_by(AUDIT.c.at.desc())
    return all_of(connection, AuditRow, newest.limit(limit))


def names_of(connection: Connection, people: Collection[str]) -> dict[str, str]:
    found = connection.execute(select(PERSON.c.id, PERSON.c.name).where(PERSON.c.id.in_(people)))
    return {row.id: row.name for row in found}
