"""The export of all data about a person."""

import json
import zipfile
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Final

from sqlalchemy import Connection

ALL: Final = 1_000_000  # a row limit above the number of rows of any person


def fields_of(row: object, names: Iterable[str]) -> dict[str, Any]:
    """Return some fields of a row for an export.

    Exported fields are listed by name, so that a new column, which may be secret, is left out.
    """
    return {name: getattr(row, name) for name in names}


class Takeout:
    """The export of one person's data; each package adds what it stores."""

    def __init__(self, about: dict[str, Any]) -> None:
        self.about = about  # the contents of the JSON file, by subject
        self.files: dict[str, str] = {}  # further text files by name, such as records of games
        self.steps: deque[Callable[[Connection, Takeout], None]] = deque()
        """The remaining steps; each adds a part of the data, such as a game."""
        self.packed = False  # whether the whole file has been returned
        self._pieces = _Pieces()
        self._zip = zipfile.ZipFile(self._pieces, "w", zipfile.ZIP_DEFLATED)

    def pack_more(self, connection: Connection) -> bytes:
        """Return the next piece of the ZIP file."""
        if self.steps:
            self.steps.popleft()(connection, self)
        for name, contents in self.files.items():
            self._zip.writestr(name, contents)
        self.files.clear()
        if not self.steps:
            about = json.dumps(self.about, ensure_ascii=False, indent=1)
            self._zip.writestr("about-you.json", about)
            self._zip.close()
            self.packed = True
        piece = b"".join(self._pieces)
        self._pieces.clear()
        return piece


class _Pieces(list[bytes]):
    """The pieces of a ZIP file, as a stream."""

    def write(self, piece: bytes) -> int:
        self.append(bytes(piece))
        return len(piece)

    def flush(self) -> None: ...

    def close(self) -> None: ...


Tell = Callable[[Connection, str, Takeout], None]
"""A function that exports what a package stores about a person."""
