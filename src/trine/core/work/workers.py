"""Workers that do jobs: one door, behind which stand this process, a pool of processes, or Ray.

A job is a pure function of what it holds, such as a plan, a number and weights. So its place and
its time do not matter, and a job whose worker dies can be done again by another. The place of the
workers is a `trine.core.work.workplace.Workplace`.
"""

from __future__ import annotations

import pickle
import uuid
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Final, Generic, Protocol, TypeVar

from trine.core.work.pool import WorkerPool

Result = TypeVar("Result")
Data = TypeVar("Data")
Key = TypeVar("Key")
DataOut = TypeVar("DataOut", covariant=True)


class Shared(Protocol[DataOut]):
    """Data that many jobs hold, which each worker gets once."""

    def get(self) -> DataOut:
        """Return the data, here or in a worker."""


class Workers(Protocol):
    """Workers that do jobs, each one at a time."""

    @property
    def count(self) -> int:
        """The number of jobs done at once; it can change while machines come and go."""

    def submit(self, job: Callable[[], Result]) -> Future[Result]:
        """Have a worker do a job: a function of a module, or a partial of one.

        The future raises what the job has raised, or `BrokenExecutor` if no worker can do it.
        """

    def share(self, data: Data) -> Shared[Data]:
        """Return data in the form in which jobs hold it."""

    def close(self) -> None:
        """Abort the jobs that are being done, and let the workers go."""


class Here:
    """The worker that is this process and thread, for one job after the other."""

    count = 1

    def submit(self, job: Callable[[], Result]) -> Future[Result]:
        """Do a job now."""
        done: Future[Result] = Future()
        try:
            done.set_result(job())
        except Exception as error:  # in the future, as from a process
            done.set_exception(error)
        return done

    def share(self, data: Data) -> Shared[Data]:
        """Return data in the form in which jobs hold it."""
        return _Own(data)

    def close(self) -> None:
        """Do nothing: no job is being done."""


class Processes(WorkerPool):
    """Processes of this machine."""

    def share(self, data: Data) -> Shared[Data]:
        """Return data in the form in which jobs hold it."""
        return _Packed(data)


# --- jobs that are under way ---------------------------------------------------------------------


class Underway(Generic[Key, Result]):
    """Jobs that workers are doing, each with a key.

    >>> underway = Underway(Here())
    >>> underway.submit("three", partial(sum, (1, 2)))
    >>> [(key, future.result()) for key, future in underway.wait()]
    [('three', 3)]
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._done: SimpleQueue[tuple[Key, Future[Result]]] = SimpleQueue()
        self.total = 0
        """The number of jobs that have been submitted, and not been returned by `wait`."""

    @property
    def has_room(self) -> bool:
        """Whether another job would find a worker."""
        return self.total < self._workers.count

    def submit(self, key: Key, job: Callable[[], Result]) -> None:
        """Have a worker do a job."""
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

    >>> list(as_completed(Here(), [partial(sum, (1, 2)), partial(max, (3, 4))]))
    [3, 4]
    """
    underway: Underway[None, Result] = Underway(workers)
    for job in jobs:
        underway.submit(None, job)
        while not underway.has_room:
            for _, done in underway.wait():
                yield done.result()
    while underway.total:
        for _, done in underway.wait():
            yield done.result()


# --- shared data ---------------------------------------------------------------------------------

KEPT: Final = 8
"""The most shared data that a worker keeps at once. Guess: a net or two for each player."""
_kept: Final[dict[str, object]] = {}
"""Shared data that this process has unpacked, the newest last."""


def kept(key: str, unpack: Callable[[], Data]) -> Data:
    """Return shared data that this process has unpacked, or unpack it now."""
    data = _kept.pop(key) if key in _kept else unpack()
    _kept[key] = data
    while len(_kept) > KEPT:
        del _kept[next(iter(_kept))]
    return data  # type: ignore[return-value]


def new_key() -> str:
    """Return a key for shared data, which no other data have."""
    return uuid.uuid4().hex


class _Own(Generic[Data]):
    """Data of this process."""

    def __init__(self, data: Data) -> None:
        self._data = data

    def get(self) -> Data:
        return self._data


class _Packed(Generic[Data]):
    """Data that are pickled once, and unpickled once in each process."""

    def __init__(self, data: Data) -> None:
        self._key, self._packed = new_key(), pickle.dumps(data)

    def get(self) -> Data:
        data: Data = kept(self._key, partial(pickle.loads, self._packed))
        return data
