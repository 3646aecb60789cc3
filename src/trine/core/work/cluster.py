"""Workers on a Ray cluster: one for each core, on any number of machines.

Jobs are Ray tasks, not actor calls: so Ray finds a free core, uses machines that join later, and
retries the jobs of dead workers elsewhere. Ray's workers are reused from task to task, with the
code that they have loaded.
"""

import logging
import os
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Future
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeVar

from trine.core.errors import TrineError
from trine.core.text.sentence import verbatim
from trine.core.work.extras import how_to_install

Result = TypeVar("Result")

RETRIES: Final = 3
"""Retries of a job whose worker has died; limited, because the job may kill its workers. Guess."""


class RayWorkers:
    """The cores of a Ray cluster."""

    def __init__(self, address: str = "") -> None:
        """Connect to the cluster at an address, else to a running one, else start one here."""
        self._ray = ray = _library()
        self._starts = not ray.is_initialized()
        if self._starts:
            try:
                ray.init(
                    address=address or None,
                    include_dashboard=False,
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                )
            except (OSError, RuntimeError, ValueError) as error:
                raise TrineError(
                    "the Ray cluster cannot be reached: {why}", why=verbatim(str(error))
                ) from None
        self._do = ray.remote(_do).options(num_cpus=1, max_retries=RETRIES)
        self._underway: set[Any] = set()

    @property
    def count(self) -> int:
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def submit(self, job: Callable[[], Result]) -> Future[Result]:
        done: Future[Result] = Future()
        task = self._do.remote(job)
        self._underway.add(task)
        task.future().add_done_callback(partial(self._settle, task, done))
        return done

    def close(self) -> None:
        """Abort the running jobs, and leave the cluster, or end it if it was started here."""
        for task in list(self._underway):
            with suppress(Exception):  # the task may have ended
                self._ray.cancel(task, force=True)
        if self._starts:
            self._ray.shutdown()

    def _settle(self, task: Any, done: Future[Result], answer: Future[Result]) -> None:
        self._underway.discard(task)
        if failed := answer.exception():
            done.set_exception(self._failure(failed))
        else:
            done.set_result(answer.result())

    def _failure(self, error: BaseException) -> Exception:
        """Return a job's own error, or the cluster's as `BrokenExecutor` or `TrineError`."""
        known = self._ray.exceptions
        cause = getattr(error, "cause", None)
        if isinstance(cause, Exception) and not isinstance(cause, known.RayError):
            cause.__cause__ = error  # whose message is the worker's traceback
            return cause
        died = (known.WorkerCrashedError, known.NodeDiedError, known.OutOfMemoryError)
        if isinstance(error, (*died, CancelledError)):
            return BrokenExecutor(str(error))
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        return TrineError(
            "the Ray cluster cannot do a job: {why}", why=verbatim((lines or [""])[-1])
        )


def _library() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # otherwise Ray collects usage statistics
    try:
        import ray
    except ImportError:
        raise TrineError(
            "a Ray cluster needs Ray; install it with: {command}", command=how_to_install("ray")
        ) from None
    return ray


def _do(job: Callable[[], Result]) -> Result:
    return job()
