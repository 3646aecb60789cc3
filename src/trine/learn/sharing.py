"""Jobs shared among workers: games of self-play and of trials."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing
from typing import TypeVar

from trine.core.errors import TrineError
from trine.core.text import text
from trine.core.workers import as_completed
from trine.core.workplace import HERE, Workplace

Result = TypeVar("Result")


def share(
    jobs: Sequence[Callable[[], Result]], workplace: Workplace = HERE
) -> Generator[Result, None, None]:
    """Do jobs, several at once, and yield each result as it comes.

    Where a single process would do them, it is this one. Closing the generator aborts the jobs that
    are being done.

    Raises:
        TrineError: a worker has died, or the workers cannot begin.
    """
    if not jobs:
        return
    try:
        with closing(workplace.alone.open(len(jobs))) as workers:
            yield from as_completed(workers, jobs)
    except BrokenExecutor:
        raise TrineError(
            text("a process that was playing games has died; run the same command again to go on")
        ) from None
