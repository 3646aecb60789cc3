"""The export of all data of a person."""

from __future__ import annotations

import json
import zipfile
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Final

from sqlalchemy import Connection

ALL: Final = 1_000_000
"""More rows than anybody has."""


def fields_of(row: object, names: Iterable[str]) -> dict[str, Any]:
    """Return some fields of a row for an export.

    An export names what it has: a new column, which may be secret, is not exported by itself.
    """
    return {name: getattr(row, name) for name in names}


class Takeout:
    """The data of one person, to which each subject adds what it keeps."""

    def __init__(self, about: dict[str, Any]) -> None:
        self.about = about
        """By subject, as JSON tells it."""
        self.files: dict[str, str] = {}
        """Texts by their names, such as records of games."""
        self.later: deque[Callable[[Connection, Takeout], None]] = deque()
        """Reads more, piece by piece, such as one game after the other."""
        self.packed = False
        """Whether the whole file has been returned."""
        self._written: list[bytes] = []
        self._zip = zipfile.ZipFile(_Pieces(self._written), "w", zipfile.ZIP_DEFLATED)

    def pack_more(self, connection: Connection) -> bytes:
        """Return the next piece of all of it as a ZIP file."""
        if self.later:
            self.later.popleft()(connection, self)
        for name, told in self.files.items():
            self._zip.writestr(name, told)
        self.files.clear()
        if not self.later:
            about = json.dumps(self.about, ensure_ascii=False, indent=1)
            self._zip.writestr("about-you.json", about)
            self._zip.close()
            self.packed = True
        piece = b"".join(self._written)
        self._written.clear()
        return piece


class _Pieces:
    """A stream for a ZIP file, into a list."""

    def __init__(self, written: list[bytes]) -> None:
        self._written = written

    def write(self, piece: bytes) -> int:
        self._written.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """The list stays."""


Tell = Callable[[Connection, str, Takeout], None]
"""Adds what a subject keeps of a person."""
