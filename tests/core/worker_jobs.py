"""Jobs that tests give to workers of all kinds."""

import os
import time
from pathlib import Path

from trine.core.errors import MalformedError
from trine.core.text.sentence import text


def do_once(folder: Path, number: int, seconds: float = 0.0) -> int:
    """Leave a file for each time that the job is begun."""
    (folder / f"{number}-{os.getpid()}-{time.monotonic_ns()}").touch()
    time.sleep(seconds)
    return number


def die_once(folder: Path, number: int) -> int:
    if not list(folder.glob(f"{number}-*")):
        do_once(folder, number)
        os._exit(9)
    return do_once(folder, number)


def refuse() -> None:
    raise MalformedError(text("nobody of that name"))


def fail() -> None:
    raise ZeroDivisionError("by accident")
