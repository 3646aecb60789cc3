"""Jobs shared among workers, and the files of their results."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from trine.core.errors import TrineError
from trine.core.work.workers import IN_PROCESS, Backend, as_completed
from trine.engine.learn.dataset import Dataset

Result = TypeVar("Result")


def numbers_of(job: int, size: int, total: int) -> range:
    return range(job * size, min((job + 1) * size, total))


class GameJobs:
    """Jobs that play games; their positions are files ``games-NUMBER.npz`` in a folder.

    An interruption loses the running jobs; a resumed run does the missing ones.
    """

    def __init__(self, folder: Path, *, digits: int = 5, size: int = 1) -> None:
        """Open a folder; a file is named by the number of its job's first game, out of ``size``."""
        self.folder, self.size, self._digits = folder, size, digits

    def file(self, job: int) -> Path:
        return self.folder / f"games-{job * self.size:0{self._digits}}.npz"

    def missing(self, count: int) -> list[int]:
        """Return the numbers of the jobs below a count without a complete result."""
        return [job for job in range(count) if Dataset.read(self.file(job)) is None]

    def begun(self) -> int:
        return len(list(self.folder.glob("games-*.npz")))

    def do(
        self,
        missing: Iterable[int],
        job_of: Callable[[int], Callable[[], tuple[int, Dataset]]],
        backend: Backend = IN_PROCESS,
    ) -> Generator[int, None, None]:
        """Run jobs, and yield the number of each when its result is written.

        ``job_of`` returns the job with a number, for a worker.

        Raises:
            FileError: a result cannot be written.
            TrineError: a worker has died.
        """
        with closing(share([job_of(number) for number in missing], backend)) as done:
            for number, made in done:
                made.write(self.file(number))
                yield number

    def results(self, count: int | None = None) -> Iterator[Dataset]:
        """Yield the existing results, of all jobs or of those below a count."""
        files = (
            sorted(self.folder.glob("games-*.npz"))
            if count is None
            else [self.file(job) for job in range(count)]
        )
        for file in files:
            made = Dataset.read(file)
            if made is not None:
                yield made

    def bytes(self, count: int) -> int:
        return sum(self.file(job).stat().st_size for job in range(count))


def share(
    jobs: Sequence[Callable[[], Result]], backend: Backend = IN_PROCESS
) -> Generator[Result, None, None]:
    """Run jobs in parallel, and yield each result as it comes.

    A backend of one process is replaced by this process. Closing the generator aborts its jobs.

    Raises:
        TrineError: a worker has died, or the workers cannot start.
    """
    if not jobs:
        return
    try:
        with closing(backend.alone.open(len(jobs))) as workers:
            yield from as_completed(workers, jobs)
    except BrokenExecutor:
        raise TrineError(
            "a process that was playing games has died; run the same command again to go on"
        ) from None
