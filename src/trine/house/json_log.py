"""The log of a house that is served: lines of JSON on standard error."""

from __future__ import annotations

import logging
import sys
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


def log_plainly() -> None:
    """Write the log to standard error, as a JSON object a line, without tokens and queries."""
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
    # Libraries have loggers of the standard library, and warnings can have one.
    theirs = logging.StreamHandler(sys.stderr)
    lines: list[Processor] = [
        ProcessorFormatter.remove_processors_meta,
        structlog.processors.JSONRenderer(),
    ]
    theirs.setFormatter(ProcessorFormatter(foreign_pre_chain=ours, processors=lines))
    logging.basicConfig(level=logging.WARNING, handlers=[theirs])
    logging.captureWarnings(True)
