"""The modules of ``static/`` embedded in a self-contained page."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

STATIC: Final = Path(__file__).parent / "static"
_IMPORT: Final = re.compile(r'^((?:import|export) (?:[^"\n]*from )?)"(\.\.?/[\w./-]+\.js)"', re.M)
_COMMENT: Final = re.compile(r"^\s*(/\*[\s\S]*?\*/\s*|//.*\n)", re.M)
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
    return _COMMENT.sub("", module)


def _place(importer: str, there: str) -> str:
    """Return the file that a module names from where it lies."""
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
