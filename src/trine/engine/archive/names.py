"""The names of the players whom an archive knows by ids, in a file beside its games.

A house writes it anew each night. So games that were added long ago have the names of today, and
who has left is named nowhere.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from trine.core.work.files import write_whole

NAMES: Final = "names.json"


def write_names(folder: Path, names: Mapping[str, str]) -> None:
    told = json.dumps(names, ensure_ascii=False, indent=0, sort_keys=True).encode()
    write_whole(folder / NAMES, lambda stream: stream.write(told))


def read_names(folder: Path) -> Mapping[str, str]:
    """Return the names of players, by their ids; none where the games have them."""
    file = folder / NAMES
    names: dict[str, str] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return names
