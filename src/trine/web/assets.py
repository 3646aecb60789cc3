"""The files of the pages, under a name that changes with them: they can be kept for ever."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from rjsmin import jsmin

TYPES: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
    ".png": "image/png",
    ".json": "application/json",
}


@dataclass(frozen=True)
class Asset:
    """A file, plain and compressed."""

    kind: str
    plain: bytes
    packed: bytes


class Assets:
    """All files of a folder, in memory."""

    def __init__(self, folder: Path | None = None) -> None:
        folder = folder or Path(str(files("trine.web"))) / "static"
        self._assets: dict[str, Asset] = {}
        digest = hashlib.sha256()
        for path in sorted(folder.rglob("*")):
            if path.suffix in TYPES:
                plain, name = path.read_bytes(), path.relative_to(folder).as_posix()
                if path.suffix == ".js":
                    plain = jsmin(plain.decode()).encode()
                packed = gzip.compress(plain, 9, mtime=0)
                self._assets[name] = Asset(TYPES[path.suffix], plain, packed)
                digest.update(name.encode() + b"\0" + plain)
        self.stamp: Final = digest.hexdigest()[:12]
        """A name for all of them together; modules that import each other stay in one version."""

    def get(self, name: str) -> Asset | None:
        """A file, if there is one of the name."""
        return self._assets.get(name)

    def url(self, name: str) -> str:
        """Where a file is found."""
        return f"/static/{self.stamp}/{name}"
