"""Jobs shared among processes: games of self-play and of trials."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from typing import TypeVar

from trine.core.errors import TrineError
from trine.core.pool import WorkerPool
from trine.core.text import text

Result = TypeVar("Result")


def share(jobs: Sequence[Callable[[], Result]], processes: int) -> Generator[Result, None, None]:
    """Do jobs, several at once, and yield each result as it comes.

    With one process, it is this one. Closing the generator aborts the jobs that are being done.
    """
    if processes <= 1 or len(jobs) <= 1:
        for job in jobs:
            yield job()
        return
    try:
        with closing(WorkerPool(min(processes, len(jobs)))) as pool:
            for future in as_completed([pool.submit(job) for job in jobs]):
                yield future.result()
    except BrokenProcessPool:
        raise TrineError(
            text("a process that was playing games has died; run the same command again to go on")
        ) from None
