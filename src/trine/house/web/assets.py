"""The files of pages, under addresses that change with them: browsers can keep them."""

from __future__ import annotations

import gzip
import hashlib
import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from trine.house.web.modules import without_comments

TYPES: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
    ".png": "image/png",
    ".json": "application/json",
}
_COMMENT: Final = re.compile(rb"\s*/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True)
class Asset:
    """A file, plain and compressed."""

    kind: str
    plain: bytes
    packed: bytes


class Assets:
    """All files of a folder, in memory."""

    def __init__(self, folder: Path | None = None) -> None:
        folder = folder or Path(str(files("trine.house.web"))) / "static"
        self._assets: dict[str, Asset] = {}
        digest = hashlib.sha256()
        for path in sorted(folder.rglob("*")):
            if path.suffix in TYPES:
                plain, name = path.read_bytes(), path.relative_to(folder).as_posix()
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
        """Return the file of a name, if there is one."""
        return self._assets.get(name)

    def url(self, name: str) -> str:
        """Return the address of a file."""
        return f"/static/{self.stamp}/{name}"
