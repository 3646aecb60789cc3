"""Other programs' formats for records of Arimaa: move lists, and the game server's archive."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from trine.core.contract import Format
from trine.core.text.sentence import text
from trine.games.arimaa.formats.archive import read_archive, write_archive
from trine.games.arimaa.formats.movelists import (
    check_has_setups,
    check_is_movelist,
    read_movelists,
    write_movelists,
)

FORMATS: Final[Mapping[str, Format]] = {
    form.name: form
    for form in (
        Format(
            "movelist",
            text("the official notation, a turn a line"),
            read_movelists,
            write_movelists,
            check_is_movelist,
            lambda line: re.match(r"[ \t]*1[gw][ \t]", line) is not None,
            game="arimaa",
        ),
        Format(
            "archive",
            text("the game archive of the Arimaa server, a table"),
            read_archive,
            write_archive,
            check_has_setups,
            lambda line: line.startswith("id\t") and "\tmovelist" in line,
            game="arimaa",
        ),
    )
}
