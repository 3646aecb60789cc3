"""The static files of pages, served at URLs that contain a hash of the files."""

from __future__ import annotations

import gzip
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

TYPES: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
    ".png": "image/png",
    ".json": "application/json",
}
_COMMENT: Final = re.compile(rb"\s*/\*.*?\*/", re.DOTALL)
STATIC: Final = Path(__file__).parent / "static"
IMPORT: Final = re.compile(r'^((?:import|export) (?:[^"\n]*from )?)"(\.\.?/[\w./-]+\.js)"', re.M)
"""An import in a module: the text before its path, and the path."""
_SCRIPT_COMMENT: Final = re.compile(r"^\s*(/\*[\s\S]*?\*/\s*|//.*\n)", re.M)


def modules_needed(entry: str) -> set[str]:
    """Return the files of a module and of all that it imports.

    >>> "board/theme.js" in modules_needed("games/game.js")
    True
    """
    found: set[str] = set()
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            words = (STATIC / name).read_text(encoding="utf-8")
            waiting += [normpath(join(dirname(name), there)) for _, there in IMPORT.findall(words)]
    return found


def without_comments(module: str) -> str:
    """Return a module without comment lines, which are a third of all lines."""
    return _SCRIPT_COMMENT.sub("", module)


@dataclass(frozen=True)
class Asset:
    """A static file, plain and compressed."""

    kind: str
    plain: bytes
    packed: bytes


class Assets:
    """All files of `STATIC`, in memory."""

    def __init__(self) -> None:
        self._assets: dict[str, Asset] = {}
        digest = hashlib.sha256()
        for path in sorted(STATIC.rglob("*")):
            if path.suffix in TYPES:
                plain, name = path.read_bytes(), path.relative_to(STATIC).as_posix()
                if path.suffix == ".js":
                    plain = without_comments(plain.decode()).encode()
                elif path.suffix == ".css":
                    plain = _COMMENT.sub(b"", plain)
                packed = gzip.compress(plain, 9, mtime=0)
                self._assets[name] = Asset(TYPES[path.suffix], plain, packed)
                digest.update(name.encode() + b"\0" + plain)
        self.stamp: Final = digest.hexdigest()[:12]
        """One hash for all files, so that modules that import each other are of one version."""

    def get(self, name: str) -> Asset | None:
        return self._assets.get(name)

    def url(self, name: str) -> str:
        return f"/static/{self.stamp}/{name}"
