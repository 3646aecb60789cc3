"""Faults that a test logs, in this process or in a house that it serves."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import structlog
from structlog.dev import ConsoleRenderer, plain_traceback

# The default formats the variables of each frame, which blocks the houses of a test for seconds.
structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        ConsoleRenderer(colors=False, exception_formatter=plain_traceback),
    ]
)

FAULTS = ("error", "critical", "exception")
"""The log levels of faults; lower levels are no faults."""
_read: dict[Path, int] = {}
"""The logs of houses in other processes, with the number of bytes read so far."""


def watch_log(log: Path) -> None:
    """Watch the log of a served house for new faults."""
    _read.setdefault(log, log.stat().st_size if log.exists() else 0)


@contextmanager
def watched() -> Iterator[list[str]]:
    """Collect the faults that are logged in this process."""
    found: list[str] = []

    def note(logger: Any, level: str, about: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        if level in FAULTS:
            found.append(str(dict(about)))
        return about

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(self.format(record))

    processors, handler = structlog.get_config()["processors"], Handler(logging.ERROR)
    processors.insert(0, note)
    logging.getLogger().addHandler(handler)
    try:
        yield found
    finally:
        logging.getLogger().removeHandler(handler)
        if note in processors:
            processors.remove(note)


def faults_of_houses() -> Iterator[str]:
    """Yield new faults from the logs of served houses, in which each line is JSON."""
    for log, begin in list(_read.items()):
        if not log.exists():
            del _read[log]  # the test's folder is deleted
            continue
        with log.open("rb") as file:
            file.seek(begin)
            lines = file.read().splitlines(keepends=True)
        for line in lines:
            if line.endswith(b"\n"):  # an incomplete line is still written
                _read[log] += len(line)
                if fault := _fault_in(line.decode("utf-8", "replace")):
                    yield fault


def _fault_in(line: str) -> str:
    try:
        entry = json.loads(line)
    except ValueError:
        return f"no JSON: {line}"
    return line if entry["level"] in FAULTS or "Traceback" in entry["event"] else ""
