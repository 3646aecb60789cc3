"""Turns of bots that a house offers to workers in other processes, which may be on other machines.

A job is a row; whoever takes one locks it, and passes over those that others are taking. A worker
reads the game itself, so a job is small, and nothing in the database is a program to be run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, update

from trine.store.moments import database_now
from trine.store.schema import JOB, WORKER
from trine.store.tokens import new_id

KNOWN: Final = 6.0
"""Units: seconds; so long after it was last heard of a worker counts as there. Guess."""
STALE: Final = 120.0
"""Units: seconds; a job that is older was left behind by a house that is gone."""


@dataclass(frozen=True, slots=True)
class Job:
    """A turn that a bot is to play."""

    id: str
    game: str
    seq: int
    """The number of the last event that the turn follows."""
    bot: str
    elapsed: float
    """Units: seconds; what the open turn has taken so far."""


@dataclass(frozen=True, slots=True)
class JobState:
    """The state of a job."""

    taken: bool
    answer: tuple[str, ...] | None
    """The ids of actions, once they are known; none at all if the worker has failed."""


def offer(
    connection: Connection, game: str, seq: int, bot: str, elapsed: float, version: str
) -> Job:
    """Offer a job to workers of the same version of the program."""
    job = Job(new_id(), game, seq, bot, elapsed)
    connection.execute(
        insert(JOB).values(
            id=job.id,
            game=game,
            seq=seq,
            bot=bot,
            elapsed=elapsed,
            version=version,
            at=database_now(),
        )
    )
    return job


def take(connection: Connection, worker: str, version: str) -> Job | None:
    """Take the oldest job that nobody has taken; None if there is none."""
    row = connection.execute(
        select(JOB.c.id, JOB.c.game, JOB.c.seq, JOB.c.bot, JOB.c.elapsed)
        .where(JOB.c.worker.is_(None), JOB.c.version == version)
        .order_by(JOB.c.at)
        .limit(1)
        .with_for_update(skip_locked=True)
    ).first()
    if not row:
        return None
    connection.execute(update(JOB).where(JOB.c.id == row.id).values(worker=worker))
    return Job(*row)


def answer(connection: Connection, job: str, ids: Sequence[str]) -> None:
    """Answer a job, if it is still wanted."""
    connection.execute(update(JOB).where(JOB.c.id == job).values(answer=list(ids)))


def withdraw(connection: Connection, job: str) -> None:
    """Want a job no more, and forget those that others have left behind."""
    connection.execute(delete(JOB).where(JOB.c.id == job))
    connection.execute(delete(JOB).where(JOB.c.at < database_now() - STALE))


def states(connection: Connection, jobs: Sequence[str]) -> dict[str, JobState]:
    """Return the states of jobs by their ids."""
    found = connection.execute(
        select(JOB.c.id, JOB.c.worker, JOB.c.answer).where(JOB.c.id.in_(jobs))
    )
    return {
        row.id: JobState(row.worker is not None, None if row.answer is None else tuple(row.answer))
        for row in found
    }


def wait_any(connection: Connection, version: str) -> bool:
    """Return whether a job of a version waits for a worker."""
    found = select(JOB.c.id).where(JOB.c.worker.is_(None), JOB.c.version == version).limit(1)
    return connection.execute(found).first() is not None


# --- workers -------------------------------------------------------------------------------------


def note_worker(connection: Connection, worker: str, count: int) -> None:
    """Note that a process with some workers is there."""
    connection.execute(delete(WORKER).where(WORKER.c.name == worker))
    connection.execute(
        insert(WORKER).values(name=worker, count=count, expires_at=database_now() + KNOWN)
    )


def forget_worker(connection: Connection, worker: str) -> None:
    """Forget a process that leaves, and others that have gone without a word."""
    gone = (WORKER.c.name == worker) | (WORKER.c.expires_at < database_now())
    connection.execute(delete(WORKER).where(gone))


def count_workers(connection: Connection) -> int:
    """Return the number of workers that are there."""
    found = select(func.sum(WORKER.c.count)).where(WORKER.c.expires_at > database_now())
    return connection.execute(found).scalar() or 0
