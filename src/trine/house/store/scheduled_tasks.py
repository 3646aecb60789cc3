"""Scheduled tasks: their table, and the statements that set and read them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, Index, bindparam, delete, insert, select

from trine.house.store.schema import Key, all_of, table_of


@dataclass(frozen=True, slots=True)
class ScheduledTask:
    """A scheduled task of the house, such as ending a correspondence turn that is overdue."""

    at: float
    kind: Key[str]
    ref: Key[str]  # id of the object, such as a game


SCHEDULED_TASK: Final = table_of("scheduled_task", ScheduledTask, Index(None, "kind", "at"))


def reschedule(connection: Connection, times: Mapping[tuple[str, str], float | None]) -> None:
    """Set the times of tasks by kind and object; None deletes a task."""
    if not times:
        return
    connection.execute(
        delete(SCHEDULED_TASK).where(
            SCHEDULED_TASK.c.kind == bindparam("_kind"), SCHEDULED_TASK.c.ref == bindparam("_ref")
        ),
        [{"_kind": kind, "_ref": ref} for kind, ref in times],
    )
    rows = [
        {"kind": kind, "ref": ref, "at": at} for (kind, ref), at in times.items() if at is not None
    ]
    if rows:
        connection.execute(insert(SCHEDULED_TASK), rows)


def schedule(connection: Connection, kind: str, ref: str, at: float | None) -> None:
    reschedule(connection, {(kind, ref): at})


def tasks_due(
    connection: Connection, kind: str, now: float, limit: int = 100
) -> list[ScheduledTask]:
    """Return the due tasks of a kind, earliest first; they stay until they are rescheduled."""
    due = select(SCHEDULED_TASK).where(SCHEDULED_TASK.c.kind == kind, SCHEDULED_TASK.c.at <= now)
    return all_of(connection, ScheduledTask, due.order_by(SCHEDULED_TASK.c.at).limit(limit))


def times_of(connection: Connection, kind: str, refs: Sequence[str]) -> dict[str, float]:
    """Return the times of the tasks of a kind, by object."""
    found = connection.execute(
        select(SCHEDULED_TASK.c.ref, SCHEDULED_TASK.c.at).where(
            SCHEDULED_TASK.c.kind == kind, SCHEDULED_TASK.c.ref.in_(refs)
        )
    )
    return {row.ref: row.at for row in found}
