"""Other programs' formats for records of Quoridor.

`dialects` has their notations of one action, `lists` and `tables` those of a game. This module
names the formats, and recognises them by the first line of a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from trine.core.contract import Format
from trine.core.text.sentence import text
from trine.games.corridor.formats.dialects import BARRICADE, OPENSPIEL, STANDARD, Dialect
from trine.games.corridor.formats.lists import (
    FIRST_NUMBER,
    QUORIDOR,
    check_is_plain,
    legal_length,
    read_line,
    read_lists,
    write_lists,
    write_rounds,
)
from trine.games.corridor.formats.tables import check_row, is_row, read_table, write_table


def _best_dialect(line: str) -> Dialect | None:
    """Return the dialect in which the longest beginning of a line can be read and is legal."""
    lengths = {dialect: _legal_start(line, dialect) for dialect in (STANDARD, BARRICADE, OPENSPIEL)}
    best = max(lengths, key=lengths.__getitem__)  # the first, if several are equal
    return best if lengths[best] else None


def _legal_start(line: str, dialect: Dialect) -> int:
    """Return the number of actions at the beginning of a line that are legal in a dialect."""
    words = read_line(line.rstrip("\r\n"), 1, dialect=dialect).words
    return max(legal_length(words, players) for players in QUORIDOR.players)


def _is_numbered(line: str) -> bool:
    return line.lstrip(" \t").startswith(FIRST_NUMBER)


FORMATS: Final[Mapping[str, Format]] = {
    form.name: form
    for form in (
        Format(
            "quoridor-table",
            text("Quoridor games in a table: name, result, actions"),
            read_table,
            write_table,
            check_row,
            is_row,
            game="corridor",
        ),
        Format(
            "quoridor",
            text("the standard notation of Quoridor, in numbered rounds"),
            read_lists,
            write_rounds,
            partial(check_is_plain, numbered=True),
            lambda line: _is_numbered(line) and _best_dialect(line) is STANDARD,
            game="corridor",
        ),
        Format(
            "bga",
            text("the same as a bare list, one game a line, as on Board Game Arena"),
            read_lists,
            write_lists,
            check_is_plain,
            lambda line: _best_dialect(line) is STANDARD,
            game="corridor",
        ),
        Format(
            "barricade",
            text("lists of barricade.gg, with the direction of a wall first: he2"),
            partial(read_lists, dialect=BARRICADE),
            partial(write_lists, dialect=BARRICADE),
            partial(check_is_plain, dialect=BARRICADE),
            lambda line: _best_dialect(line) is BARRICADE,
            game="corridor",
        ),
        Format(
            "openspiel",
            text("lists of OpenSpiel, with the ranks counted from the north"),
            partial(read_lists, dialect=OPENSPIEL),
            partial(write_lists, dialect=OPENSPIEL),
            partial(check_is_plain, dialect=OPENSPIEL),
            lambda line: _best_dialect(line) is OPENSPIEL,
            game="corridor",
        ),
    )
}
