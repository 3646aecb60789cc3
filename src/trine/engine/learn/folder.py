"""The folder in which something is learned: a plan, what steps have come to, one process at a time.

The folder is the protocol: whoever reads it knows how far the work is, and whoever continues it
needs nothing else. Every file is whole or not there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import portalocker

from trine.core.errors import FileError
from trine.core.text.sentence import text
from trine.core.work.files import UNFINISHED
from trine.engine.learn.array_files import read_json, write_json
from trine.play.record.text_files import file_error

PLAN: Final = "plan"
LOCK: Final = "lock"
"""The file that whoever works here locks."""


class Folder:
    """A folder of files in JSON, ``NAME.json``, and of the results of jobs."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def data(self, name: str) -> Any:
        """Return what stands in a file, by its name; None while it is not there."""
        return read_json(self.path / f"{name}.json")

    def write(self, name: str, data: Any) -> None:
        write_json(self.path / f"{name}.json", data)

    @property
    def plan(self) -> Any:
        return self.data(PLAN)

    @property
    def is_begun(self) -> bool:
        return (self.path / f"{PLAN}.json").exists()

    def make(self) -> None:
        """Make the folder, if it is not there; raises `FileError`."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise file_error(self.path, error) from None

    # --- one process at a time -------------------------------------------------------------------

    @property
    def is_worked_on(self) -> bool:
        try:
            with self.locked():
                return False
        except FileError:
            return True

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep others from working here within the block; raises `FileError`."""
        flags = portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING
        with (self.path / LOCK).open("a") as stream:
            try:
                portalocker.lock(stream, flags)
            except portalocker.LockException:
                told = text("another process is learning in {folder}", folder=str(self.path))
                raise FileError(told) from None
            yield

    def clean(self) -> None:
        """Remove what processes that were killed have left."""
        for left in self.path.rglob(f"*{UNFINISHED}"):
            if f".{os.getpid()}." not in left.name:
                left.unlink(missing_ok=True)
