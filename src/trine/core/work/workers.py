"""One interface to workers: this process, a process pool, or Ray; a `Backend` chooses one.

A job is a pure function of its arguments, such as a plan, a number and weights. So it can run
anywhere, at any time, and be retried if its worker dies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from trine.core.errors import MalformedError
from trine.core.text.sentence import quoted

if TYPE_CHECKING:  # most commands need no workers
    from trine.core.work.pool import Call

Result = TypeVar("Result")
Key = TypeVar("Key")


class Workers(Protocol):
    """Workers that each do one job at a time."""

    @property
    def count(self) -> int:
        """The number of concurrent jobs; it changes when machines join and leave."""

    def submit(self, job: Callable[[], Result]) -> Future[Result]:
        """Submit a function of a module, or a partial; the future may raise `BrokenExecutor`."""

    def close(self) -> None:
        """Abort the running jobs, and release the workers."""


class InProcess:
    """Does jobs in this process and thread, one after the other."""

    count = 1

    def submit(self, job: Callable[[], Result]) -> Future[Result]:
        done: Future[Result] = Future()
        try:
            done.set_result(job())
        except Exception as error:  # in the future, as from a process
            done.set_exception(error)
        return done

    def close(self) -> None: ...


class PendingJobs(Generic[Key, Result]):
    """Jobs in progress, each with a key.

    >>> from functools import partial
    >>> pending = PendingJobs(InProcess())
    >>> pending.submit("three", partial(sum, (1, 2)))
    >>> [(key, future.result()) for key, future in pending.wait()]
    [('three', 3)]
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._done: SimpleQueue[tuple[Key, Future[Result]]] = SimpleQueue()
        self.total = 0  # number of jobs submitted and not yet returned by `wait`

    @property
    def has_capacity(self) -> bool:
        return self.total < self._workers.count

    def submit(self, key: Key, job: Callable[[], Result]) -> None:
        self.total += 1
        self._workers.submit(job).add_done_callback(lambda done: self._done.put((key, done)))

    def wait(self) -> list[tuple[Key, Future[Result]]]:
        """Wait until a job has finished; return all finished jobs, none if none is running."""
        done = [self._done.get()] if self.total else []
        with suppress(Empty):
            while True:
                done.append(self._done.get_nowait())
        self.total -= len(done)
        return done


def as_completed(
    workers: Workers, jobs: Iterable[Callable[[], Result]]
) -> Generator[Result, None, None]:
    """Run jobs, one on each worker, and yield results as they finish.

    A job is taken from ``jobs`` when a worker is free. Closing the generator stops that.

    Raises:
        BrokenExecutor: a worker has died and could not be replaced.

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


MAX_PROCESSES: Final = 256


@dataclass(frozen=True)
class Backend:
    """The place of workers that run jobs."""

    processes: int = 0  # number of processes; 0: jobs run in this process
    ray: str | None = None
    """The address of a Ray cluster; empty: `ray.init` finds or starts one. None: processes."""

    def open(self, most: int | None = None, on_exit: Call | None = None) -> Workers:
        """Start workers; ``most`` is the number of jobs, so that no more processes start.

        A process that has to exit, possibly during a job, calls ``on_exit`` first.

        Raises:
            TrineError: Ray is not installed, or the cluster cannot be reached.
        """
        if self.ray is not None:
            from trine.core.work.cluster import RayWorkers

            return RayWorkers(self.ray)
        from trine.core.work.pool import WorkerPool

        processes = self.processes if most is None else min(self.processes, most)
        return WorkerPool(processes, on_exit=on_exit) if processes else InProcess()

    @property
    def alone(self) -> Backend:
        """The backend itself; `IN_PROCESS` if it would start a single process."""
        return IN_PROCESS if self == Backend(1) else self


IN_PROCESS: Final = Backend()  # jobs run in this process, one after the other


def parse_backend(words: str) -> Backend:
    """Read a number of processes, ``ray``, or ``ray:`` with the address of a cluster.

    Raises:
        MalformedError: the text is neither.

    >>> parse_backend("4"), parse_backend("ray:10.0.0.7:6379").ray
    (Backend(processes=4, ray=None), '10.0.0.7:6379')
    """
    name, _, address = words.strip().partition(":")
    if name == "ray":
        return Backend(ray=address)
    if re.fullmatch("[0-9]{1,3}", name) and not address and 1 <= int(name) <= MAX_PROCESSES:
        return Backend(int(name))
    raise MalformedError(
        "{given} names no workers; expected a number from 1 to {most}, ray, or ray:ADDRESS",
        given=quoted(words),
        most=MAX_PROCESSES,
    )
