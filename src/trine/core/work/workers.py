"""Workers that do jobs: one door, behind which stand this process, a pool of processes, or Ray.

A job is a pure function of what it holds, such as a plan, a number and weights. So its place and
its time do not matter, and a job whose worker dies can be done again by another. The place of the
workers is a `trine.core.work.backend.Backend`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Generic, Protocol, TypeVar

Result = TypeVar("Result")
Key = TypeVar("Key")


class Workers(Protocol):
    """Workers that do jobs, each one at a time."""

    @property
    def count(self) -> int:
        """The number of jobs done at once; it can change while machines come and go."""

    def submit(self, job: Callable[[], Result]) -> Future[Result]:
        """Have a worker do a job: a function of a module, or a partial of one.

        The future raises what the job has raised, or `BrokenExecutor` if no worker can do it.
        """

    def close(self) -> None:
        """Abort the jobs that are being done, and let the workers go."""


class InProcess:
    """The worker that is this process and thread, for one job after the other."""

    count = 1

    def submit(self, job: Callable[[], Result]) -> Future[Result]:
        done: Future[Result] = Future()
        try:
            done.set_result(job())
        except Exception as error:  # in the future, as from a process
            done.set_exception(error)
        return done

    def close(self) -> None:
        """Do nothing: no job is being done."""


# --- jobs that are under way ---------------------------------------------------------------------


class PendingJobs(Generic[Key, Result]):
    """Jobs that workers are doing, each with a key.

    >>> from functools import partial
    >>> pending = PendingJobs(InProcess())
    >>> pending.submit("three", partial(sum, (1, 2)))
    >>> [(key, future.result()) for key, future in pending.wait()]
    [('three', 3)]
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._done: SimpleQueue[tuple[Key, Future[Result]]] = SimpleQueue()
        self.total = 0
        """The number of jobs that have been submitted, and not been returned by `wait`."""

    @property
    def has_capacity(self) -> bool:
        return self.total < self._workers.count

    def submit(self, key: Key, job: Callable[[], Result]) -> None:
        self.total += 1
        self._workers.submit(job).add_done_callback(lambda done: self._done.put((key, done)))

    def wait(self) -> list[tuple[Key, Future[Result]]]:
        """Wait until a job is done, and return all that are; none if none is under way."""
        done = [self._done.get()] if self.total else []
        with suppress(Empty):
            while True:
                done.append(self._done.get_nowait())
        self.total -= len(done)
        return done


def as_completed(
    workers: Workers, jobs: Iterable[Callable[[], Result]]
) -> Generator[Result, None, None]:
    """Do jobs, as many at once as there are workers, and yield each result as it comes.

    A job is taken from ``jobs`` when a worker is free for it. Closing the generator takes no more.

    Raises:
        BrokenExecutor: a worker has died, and none has taken its place.

    >>> from functools import partial
    >>> list(as_completed(InProcess(), [partial(sum, (1, 2)), partial(max, (3, 4))]))
    [3, 4]
    """
    pending: PendingJobs[None, Result] = PendingJobs(workers)
    for job in jobs:
        pending.submit(None, job)
        while not pending.has_capacity:
            for _, done in pending.wait():
                yield done.result()
    while pending.total:
        for _, done in pending.wait():
            yield done.result()
