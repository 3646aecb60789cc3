"""The faults that a test has left in the log, whether of this process or of a house that it serves."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import structlog
from structlog.dev import ConsoleRenderer, plain_traceback

# The default shows the variables of each frame: seconds in which the houses of a test stand still.
structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        ConsoleRenderer(colors=False, exception_formatter=plain_traceback),
    ]
)

FAULTS = ("error", "critical", "exception")
"""The levels at which faults are written; what is less is only told."""
_read: dict[Path, int] = {}
"""The logs of houses in other processes, and how much of each is read. Units: bytes."""


def watch_log(log: Path) -> None:
    """Read the log of a house that is served, from here on."""
    _read.setdefault(log, log.stat().st_size if log.exists() else 0)


@contextmanager
def watched() -> Iterator[list[str]]:
    """Gather the faults that are logged in this process."""
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
    """Yield the faults that are new in the logs of served houses; each line there is JSON."""
    for log, begin in list(_read.items()):
        if not log.exists():
            del _read[log]  # it was in the folder of a test
            continue
        with log.open("rb") as file:
            file.seek(begin)
            lines = file.read().splitlines(keepends=True)
        for line in lines:
            if line.endswith(b"\n"):  # the rest is being written
                _read[log] += len(line)
                if fault := _fault_in(line.decode("utf-8", "replace")):
                    yield fault


def _fault_in(line: str) -> str:
    try:
        told = json.loads(line)
    except ValueError:
        return f"no JSON: {line}"
    return line if told["level"] in FAULTS or "Traceback" in told["event"] else ""
