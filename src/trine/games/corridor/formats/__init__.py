"""Formats of other programs for records of Quoridor.

`dialects` declares their notations of actions; `lists` reads lists of actions, `writing` writes
them, and `tables` reads and writes tables of games.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from trine.core.contract import Format
from trine.core.contract.notation import position_format
from trine.core.text.sentence import text
from trine.games.corridor.diagrams import format_position, parse_position, write_code
from trine.games.corridor.formats.dialects import DIALECTS, Dialect
from trine.games.corridor.formats.lists import looks_like, read_lists
from trine.games.corridor.formats.tables import check_row, is_row, read_table, write_table
from trine.games.corridor.formats.writing import check_is_plain, write_lists

TABLE: Final = Format(
    "quoridor-table",
    text("Quoridor games in a table: name, result, actions"),
    read_table,
    lambda head: is_row(head.split("\n")[0]),
    write_table,
    check_row,
    game="corridor",
    whose="collections; the result is 1, 2, 0 for a draw or ?",
    example="a game\t1\te2 e8 e3 e7",
)


def _formats() -> Iterator[Format]:
    yield TABLE
    for dialect in DIALECTS:
        yield Format(
            dialect.name,
            dialect.title,
            partial(read_lists, dialect=dialect),
            partial(_is_in, dialect),
            partial(write_lists, dialect=dialect),
            partial(check_is_plain, dialect=dialect),
            game="corridor",
            whose=dialect.whose,
            example=dialect.example,
            begins=dialect.begins,
        )

    yield position_format(
        "quoridor-code",
        text("a position of Quoridor as a code"),
        game="corridor",
        whose="quoridorfansite.com",
        example="j7EUwGwOwCQ",
        parse=parse_position,
        format_start=format_position,
        write=write_code,
    )


def _is_in(dialect: Dialect, head: str) -> bool:
    """Return whether a text can be in a dialect.

    Some dialects differ only in whether rounds are numbered; of these, only the one that fits the
    text is accepted.
    """
    commands = re.search(r"\bplay(?:move|wall)\b", head) is not None
    numbered = re.search(r"^\s*1[.)\s]", head, re.MULTILINE) is not None
    same = [one for one in DIALECTS if one.reading == dialect.reading and one.commands == commands]
    same.sort(key=lambda one: one.numbered != numbered)
    return same[:1] == [dialect] and looks_like(head, dialect)


FORMATS: Final[Mapping[str, Format]] = {form.name: form for form in _formats()}
