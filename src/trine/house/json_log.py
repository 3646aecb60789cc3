"""The log of a served house: JSON lines on standard error."""

from __future__ import annotations

import logging
import sys
from typing import Any

import structlog
from structlog.stdlib import ProcessorFormatter
from structlog.typing import Processor

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
