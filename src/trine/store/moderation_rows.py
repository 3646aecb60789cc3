"""Blocks, reports, sanctions, and what administrators have done."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, delete, func, insert, select, update

from trine.store.schema import AUDIT, BLOCK, PERSON, REPORT, SANCTION
from trine.store.tokens import new_id

# --- blocks --------------------------------------------------------------------------------------


def set_block(connection: Connection, person: str, blocked: str, now: float, *, on: bool) -> None:
    """Block a person, or do so no more."""
    connection.execute(delete(BLOCK).where(BLOCK.c.person == person, BLOCK.c.blocked == blocked))
    if on:
        connection.execute(insert(BLOCK).values(person=person, blocked=blocked, at=now))


def blocked_by(connection: Connection, person: str) -> dict[str, str]:
    """Return the people whom somebody has blocked: their names by their ids."""
    found = connection.execute(
        select(PERSON.c.id, PERSON.c.name)
        .join(BLOCK, BLOCK.c.blocked == PERSON.c.id)
        .where(BLOCK.c.person == person)
        .order_by(BLOCK.c.at)
    )
    return {row.id: row.name for row in found}


# --- reports -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A report."""

    id: str
    reporter: str
    person: str
    game: str | None
    number: int | None
    """The number of a line of chat, if it is about one."""
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
    """Write a report, unless the same is open, or the reporter has sent enough; whether it was."""
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
    """Return the reports that nobody has seen to, the oldest first."""
    found = connection.execute(
        _REPORT.where(REPORT.c.done_at.is_(None)).order_by(REPORT.c.at).limit(limit)
    )
    return [ReportRow(*row) for row in found]


def read_report(connection: Connection, report: str) -> ReportRow | None:
    """Return the report of an id, or None."""
    row = connection.execute(_REPORT.where(REPORT.c.id == report)).first()
    return ReportRow(*row) if row else None


def count_reports(connection: Connection) -> int:
    """Return the number of reports that nobody has seen to."""
    return connection.execute(
        select(func.count()).select_from(REPORT).where(REPORT.c.done_at.is_(None))
    ).scalar_one()


def close_report(connection: Connection, report: str, now: float) -> bool:
    """Note that somebody has seen to a report; whether nobody had."""
    here = (REPORT.c.id == report) & REPORT.c.done_at.is_(None)
    return connection.execute(update(REPORT).where(here).values(done_at=now)).rowcount > 0


# --- sanctions -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SanctionRow:
    """A sanction."""

    id: str
    person: str
    kind: str
    """``mute`` or ``ban``."""
    at: float
    until: float
    why: str


def add_sanction(connection: Connection, row: SanctionRow) -> None:
    """Write a sanction."""
    connection.execute(
        insert(SANCTION).values(
            id=row.id, person=row.person, kind=row.kind, at=row.at, until=row.until, why=row.why
        )
    )


def sanctions(connection: Connection, now: float, limit: int) -> list[SanctionRow]:
    """Return the sanctions that hold."""
    found = connection.execute(
        select(
            SANCTION.c.id,
            SANCTION.c.person,
            SANCTION.c.kind,
            SANCTION.c.at,
            SANCTION.c.until,
            SANCTION.c.why,
        )
        .where(SANCTION.c.until > now)
        .order_by(SANCTION.c.until)
        .limit(limit)
    )
    return [SanctionRow(*row) for row in found]


def end_sanction(connection: Connection, sanction: str, now: float) -> bool:
    """Let a sanction hold no longer; whether it did."""
    here = (SANCTION.c.id == sanction) & (SANCTION.c.until > now)
    return connection.execute(update(SANCTION).where(here).values(until=now)).rowcount > 0


# --- what was done -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AuditRow:
    """Something that was done."""

    at: float
    actor: str | None
    what: str
    person: str | None
    told: str


def add_audit(connection: Connection, row: AuditRow) -> None:
    """Write down what was done."""
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
    """Return what was done last, the last first."""
    found = connection.execute(
        select(AUDIT.c.at, AUDIT.c.actor, AUDIT.c.what, AUDIT.c.person, AUDIT.c.told)
        .order_by(AUDIT.c.at.desc())
        .limit(limit)
    )
    return [AuditRow(*row) for row in found]


def names_of(connection: Connection, people: Collection[str]) -> dict[str, str]:
    """Return the names of people by their ids."""
    found = connection.execute(select(PERSON.c.id, PERSON.c.name).where(PERSON.c.id.in_(people)))
    return {row.id: row.name for row in found}
