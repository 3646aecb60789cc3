"""The part of the interface of the store that is about turns to be found by workers elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future

from trine.store import jobs
from trine.store.access import Access
from trine.store.jobs import Job, JobState


class JobStore(Access):
    """The jobs of a store, and the workers that take them."""

    def offer(self, game: str, seq: int, bot: str, elapsed: float, version: str) -> Future[Job]:
        """Offer the turn of a bot to workers of the same version of the program."""
        return self.write(jobs.offer, game, seq, bot, elapsed, version)

    def take(self, worker: str, version: str) -> Future[Job | None]:
        """Take the oldest job that nobody has taken; the result is None if there is none."""
        return self.write(jobs.take, worker, version)

    def answer(self, job: str, ids: Sequence[str]) -> Future[None]:
        """Answer a job; no ids mean that the worker has failed."""
        return self.write(jobs.answer, job, ids)

    def withdraw(self, job: str) -> Future[None]:
        """Want a job no more."""
        return self.write(jobs.withdraw, job)

    def note_worker(self, worker: str, count: int) -> Future[None]:
        """Note that a process with some workers is there."""
        return self.write(jobs.note_worker, worker, count)

    def forget_worker(self, worker: str) -> Future[None]:
        """Forget a process with workers, which leaves."""
        return self.write(jobs.forget_worker, worker)

    def states(self, given: Sequence[str]) -> dict[str, JobState]:
        """Return the states of jobs by their ids."""
        return self.read(jobs.states, given)

    def wait_any(self, version: str) -> bool:
        """Return whether a job of a version waits for a worker."""
        return self.read(jobs.wait_any, version)

    def count_workers(self) -> int:
        """Return the number of workers in other processes."""
        return self.read(jobs.count_workers)
