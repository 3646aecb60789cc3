"""The log of a house that is served: lines of JSON on standard error."""

from __future__ import annotations

import inspect
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import structlog
from structlog.stdlib import ProcessorFormatter
from structlog.typing import Processor

_LOG = structlog.get_logger("trine.house.web")


def report(words: str, error: BaseException | None = None, **about: Any) -> None:
    """Write a fault of the house into the log, with its traceback; without an error, a warning."""
    if error:
        _LOG.error(words, problem=repr(error), exc_info=error, **about)
    else:
        _LOG.warning(words, **about)


@contextmanager
def log_plainly() -> Iterator[None]:
    """Write the log to standard error, as a JSON object a line, without tokens and queries.

    Whatever else is written there meanwhile, by workers and their helpers too, becomes such lines.
    After an error standard error is as it was before, for whoever is told of the error.
    """
    log = os.fdopen(os.dup(2), "w", buffering=1, encoding="utf-8", errors="backslashreplace")
    ours: list[Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*ours, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(log),
    )
    # Libraries have loggers of the standard library.
    theirs = logging.StreamHandler(log)
    lines: list[Processor] = [
        ProcessorFormatter.remove_processors_meta,
        structlog.processors.JSONRenderer(),
    ]
    theirs.setFormatter(ProcessorFormatter(foreign_pre_chain=ours, processors=lines))
    logging.basicConfig(level=logging.WARNING, handlers=[theirs])
    _divert(log.fileno())
    try:
        yield
    except Exception:
        os.dup2(log.fileno(), 2)
        raise


def _divert(log: int) -> None:
    """Have a process of its own write into the log what is written to standard error from here on.

    It outlives this one: the trackers of resources tell what a killed process has left behind.
    """
    program = f"{inspect.getsource(_write_lines)}\n_write_lines()"
    out, into = os.pipe()
    os.posix_spawn(
        sys.executable,
        [sys.executable, "-I", "-S", "-c", program],
        os.environ,
        file_actions=[(os.POSIX_SPAWN_DUP2, out, 0), (os.POSIX_SPAWN_DUP2, log, 1)],
    )
    sys.stderr.flush()
    os.dup2(into, 2)
    os.close(out)
    os.close(into)


def _write_lines() -> None:
    """Write what comes in as lines of the log, until nobody is left who could write.

    It stands for itself, so that its process needs nothing but a little of Python's library.
    """
    import json
    import os
    import signal
    from contextlib import suppress
    from datetime import UTC, datetime

    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, signal.SIG_IGN)  # they are for the house
    rest = b""
    while (part := os.read(0, 65536)) or rest:
        whole, line_break, rest = (rest + part).rpartition(b"\n")
        if not line_break and (not part or len(rest) > 65536):
            whole, rest = rest, b""
        if event := whole.decode("utf-8", "replace").strip():
            at = datetime.now(UTC).isoformat().replace("+00:00", "Z")
            line = json.dumps({"event": event, "level": "warning", "timestamp": at})
            with suppress(OSError):  # there may be room again for the next
                os.write(1, line.encode() + b"\n")
