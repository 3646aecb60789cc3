"""The modules of ``static/`` inside one page, which then needs no other file."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from rjsmin import jsmin

STATIC: Final = Path(__file__).parent / "static"
_IMPORT: Final = re.compile(r'^((?:import|export) (?:[^"\n]*from )?)"\./([\w-]+\.js)"', re.M)
PREFIX: Final = "trine/"
"""Modules in a page have no place, so they are imported by a name of their own."""


def modules_needed(entry: str) -> Mapping[str, str]:
    """A module and all that it imports, by file: their text, with imports by name.

    >>> "theme.js" in modules_needed("board.js")
    True
    """
    found: dict[str, str] = {}
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        if name not in found:
            words = (STATIC / name).read_text(encoding="utf-8")
            waiting += [needed for _, needed in _IMPORT.findall(words)]
            found[name] = jsmin(_IMPORT.sub(rf'\1"{PREFIX}\2"', words))
    return found


def inline_modules(entry: str) -> str:
    """The elements of a page that run a module, with all it needs."""
    places = {
        PREFIX + name: f"data:text/javascript;base64,{base64.b64encode(words.encode()).decode()}"
        for name, words in sorted(modules_needed(entry).items())
    }
    return (
        f'<script type="importmap">{json.dumps({"imports": places})}</script>\n'
        f'<script type="module">import "{PREFIX}{entry}";</script>'
    )
