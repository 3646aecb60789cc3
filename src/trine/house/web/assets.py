"""Files that browsers keep for ever, since their URLs contain a hash: static files, and boards."""

import gzip
import hashlib
import re
from collections import OrderedDict
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any, Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from trine.core.scene.scene import Board
from trine.core.text.language import open_language
from trine.house.web.headers import IMMUTABLE, packed
from trine.house.web.visitors import asked_for

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
_SCRIPT_COMMENT: Final = re.compile(r"^\s*(/\*[\s\S]*?\*/\s*|//.*\n|)|(?<=[;{]) // .*", re.M)


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
    """Return a module without indentation and comments, which are a third of all lines."""
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


MAX_BOARDS: Final = 512


def shape(board: Board) -> dict[str, Any]:
    """Return the size of a board for pages, so that the layout does not shift while it loads."""
    across, down = board.size
    return {
        "size": f"{across:g}x{down:g}",
        "ratio": max(70, min(140, 5 * int(20 * across / down))),
        "across": round(100 * across),
        "down": round(100 * down),
        "players": len(board.players),
        "seat": board.seat,
    }


class Boards:
    """The boards that were shown recently."""

    def __init__(self) -> None:
        self._boards: OrderedDict[str, Board] = OrderedDict()

    def __contains__(self, digest: str) -> bool:
        return digest in self._boards

    def keep(self, board: Board) -> None:
        self._boards[board.digest] = board
        self._boards.move_to_end(board.digest)
        while len(self._boards) > MAX_BOARDS:
            self._boards.popitem(last=False)

    def answer(self, request: Request, digest: str) -> Response:
        """Respond with a board, in the requested language."""
        board = self._boards.get(digest)
        if not board:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        say = open_language(asked_for(request)).say
        plain = msgspec.json.encode(board, enc_hook=say)
        return packed(request, plain, "application/json", IMMUTABLE)
