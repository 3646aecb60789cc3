"""Tables of games of Quoridor, one game a line: name, result and actions, separated by tabs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from trine.core.contract.record import DRAW, Record
from trine.core.errors import FileError, MalformedError
from trine.core.text.sentence import quoted
from trine.games.corridor.board import SEATS_OF
from trine.games.corridor.formats import lists
from trine.games.corridor.formats.dialects import STANDARD
from trine.games.corridor.formats.writing import check_is_plain, check_reads_the_same

_ROW = re.compile(r"[^\t]*\t[0-4?]\t[^\t]*")


def is_row(line: str) -> bool:
    r"""Return whether a line is a row of a table.

    >>> is_row("a game\t?\te2 e8"), is_row("e2 e8")
    (True, False)
    """
    return _ROW.fullmatch(line.rstrip("\r\n")) is not None


def read_table(lines: Iterable[str], file: str = "") -> Iterator[Record]:
    """Read a table, one game a line: name, result, actions in the standard notation, with tabs.

    The result is the number of the winner, ``?`` for an unfinished game, ``0`` for a draw.
    """
    for number, line in enumerate(lines, start=1):
        row = line.rstrip("\r\n")
        if not row.strip() or row.startswith("#"):
            continue
        if not is_row(row):
            error = MalformedError(
                "{given} is no row; expected name, result (0 to 4 or ?) and actions, with a "
                "tab between",
                given=quoted(row),
            ).at(file, number, 1)
            yield Record({"Game": "corridor"}, line=number, file=file, error=error)
            continue
        name, result, words = row.split("\t")
        one = lists.ActionList(STANDARD, number, result=result)
        one.add_line(list(lists.TOKEN.finditer(words)), number, len(row) - len(words) + 1)
        record = one.record(file)
        if name:
            record.tags["Name"] = name
        yield record


def check_row(record: Record) -> None:
    """Raise an error unless a row can hold a record.

    Raises:
        FileError: no list can hold the record, its name would begin a comment, or the row would be
            read as another game.
    """
    check_is_plain(record)
    if (name := record.tags.get("Name", "")).lstrip().startswith("#"):
        raise FileError("a row that begins with {given} would be a comment", given=quoted(name)).at(
            record.file, record.tag_lines.get("Name", record.line)
        )
    check_reads_the_same(record, next(read_table(write_table([record]))))


def write_table(records: Iterable[Record]) -> Iterator[str]:
    """Write records as a table; a game without a name is named by its number."""
    for index, record in enumerate(records, start=1):
        name = " ".join(record.tags.get("Name", str(index)).split())
        yield f"{name}\t{_result_of(record)}\t{' '.join(lists.played_words(record))}\n"


def _result_of(record: Record) -> str:
    tags = [seat.tag for seat in SEATS_OF[lists.players_of(record)]]
    stated = record.tags.get("Result")
    if stated in tags:
        return str(tags.index(stated) + 1)
    if stated == DRAW:
        return lists.NOBODY
    outcome = lists.follow(
        lists.played_words(record), STANDARD, lists.players_of(record), lists.size_of(record)
    ).outcome
    if outcome is None:
        return lists.NOT_FINISHED
    return lists.NOBODY if outcome.winner is None else str(outcome.winner + 1)
