"""Background tasks, started and supervised in one place; and the log of faults."""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

import structlog
from structlog.stdlib import ProcessorFormatter
from structlog.typing import Processor

Report = Callable[..., None]
"""A function that logs a fault: called with a description, the error, and details by keyword."""
Work = Callable[[], Awaitable[object]]
Now = Callable[[], float]  # the clock of the house. Units: seconds since 1970
MIN_RETRY_DELAY: Final = 1.0  # seconds; the shortest delay before work that failed is repeated


class Background:
    """The background tasks of a house; a fault is reported and does not end its task."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self._tasks: set[asyncio.Task[Any]] = set()

    def every(self, seconds: float, work: Work, name: str) -> None:
        """Repeat work until the house closes; ``seconds`` is the pause after each run."""

        async def repeat() -> None:
            while True:
                done = await self._try(work, name, {})
                await asyncio.sleep(seconds if done else max(seconds, MIN_RETRY_DELAY))

        self._start(repeat(), name)

    def run(self, work: Work, name: str, **about: Any) -> None:
        """Run work once, until the house closes; a fault is reported with the details ``about``."""
        self._start(self._try(work, name, about), name)

    async def close(self) -> None:
        """Cancel all tasks, and wait until they have ended."""
        running = set(self._tasks)
        while running:  # a task that was just resuming can miss the first cancellation
            for task in running:
                task.cancel()
            _, running = await asyncio.wait(running, timeout=0.2)

    def _start(self, work: Coroutine[Any, Any, Any], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _try(self, work: Work, name: str, about: dict[str, Any]) -> bool:
        """Run work once; return whether it succeeded."""
        try:
            await work()
        except Exception as error:
            self.report("background work failed", error, work=name, **about)
            return False
        return True


_LOG = structlog.get_logger("trine.house.web")


def report(words: str, error: BaseException | None = None, **about: Any) -> None:
    """Log a fault with its traceback, or, if there is no error, a warning."""
    if error:
        _LOG.error(words, problem=repr(error), exc_info=error, **about)
    else:
        _LOG.warning(words, **about)


def log_plainly() -> None:
    """Configure logging: one JSON object per line on standard error, without tokens and queries."""
    ours: list[Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*ours, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    # Libraries log with the standard library, and Python's warnings can be sent there.
    theirs = logging.StreamHandler(sys.stderr)
    lines: list[Processor] = [
        ProcessorFormatter.remove_processors_meta,
        structlog.processors.JSONRenderer(),
    ]
    theirs.setFormatter(ProcessorFormatter(foreign_pre_chain=ours, processors=lines))
    logging.basicConfig(level=logging.WARNING, handlers=[theirs])
    logging.captureWarnings(True)
