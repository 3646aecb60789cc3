"""The files of pages, under addresses that change with them; and modules embedded in a page."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
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
_IMPORT: Final = re.compile(r'^((?:import|export) (?:[^"\n]*from )?)"(\.\.?/[\w./-]+\.js)"', re.M)
_SCRIPT_COMMENT: Final = re.compile(r"^\s*(/\*[\s\S]*?\*/\s*|//.*\n)", re.M)
PREFIX: Final = "trine/"
"""The prefix of the names by which embedded modules, which have no address, are imported."""


def modules_needed(entry: str) -> Mapping[str, str]:
    """Return a module and all that it imports, by file: their text, with imports by name.

    >>> "board/theme.js" in modules_needed("games/game.js")
    True
    """
    found: dict[str, str] = {}
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        if name not in found:
            words = (STATIC / name).read_text(encoding="utf-8")
            waiting += [_place(name, there) for _, there in _IMPORT.findall(words)]
            found[name] = without_comments(_IMPORT.sub(partial(_by_name, name), words))
    return found


def without_comments(module: str) -> str:
    """Return a module as it travels: lines that are comments, a third of all, are for readers."""
    return _SCRIPT_COMMENT.sub("", module)


def _place(importer: str, there: str) -> str:
    return normpath(join(dirname(importer), there))


def _by_name(importer: str, found: re.Match[str]) -> str:
    return f'{found[1]}"{PREFIX}{_place(importer, found[2])}"'


def inline_modules(entry: str) -> str:
    """Return the elements of a page that run a module with all its imports."""
    places = {
        PREFIX + name: f"data:text/javascript;base64,{base64.b64encode(words.encode()).decode()}"
        for name, words in sorted(modules_needed(entry).items())
    }
    return (
        f'<script type="importmap">{json.dumps({"imports": places})}</script>\n'
        f'<script type="module">import "{PREFIX}{entry}";</script>'
    )


@dataclass(frozen=True)
class Asset:
    """A file, plain and compressed."""

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
        """A name for all of them together; modules that import each other stay in one version."""

    def get(self, name: str) -> Asset | None:
        return self._assets.get(name)

    def url(self, name: str) -> str:
        return f"/static/{self.stamp}/{name}"
