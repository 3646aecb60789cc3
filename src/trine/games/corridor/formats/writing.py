"""Writes games of Quoridor as lists of actions; reads and writes tables of games.

A table has one game a line: name, result and actions, separated by tabs. Before a record is written
it is checked whether the format can hold it.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import cycle

from trine.core.contract.position import Reason
from trine.core.contract.record import DRAW, STOPS, Record
from trine.core.errors import FileError, MalformedError
from trine.core.text.sentence import quoted, text
from trine.games.corridor.board import SEATS_OF, SIZES, square_name
from trine.games.corridor.formats import lists
from trine.games.corridor.formats.dialects import STANDARD, Dialect
from trine.games.corridor.position import Position
from trine.games.corridor.rules import PASS


def write_lists(records: Iterable[Record], dialect: Dialect = STANDARD) -> Iterator[str]:
    """Write records as lists, one a line; or one round a line, and an empty line between lists."""
    for index, record in enumerate(records):
        players, size = lists.players_of(record), lists.size_of(record)
        pawns = [
            square_name(size, pawn) for pawn in Position.first(lists.QUORIDOR, size, players).pawns
        ]
        words = []
        for at, word in enumerate(lists.played_words(record)):
            words.append(dialect.write(word, size, pawns[at % players]))
            if word[-1].isdigit():
                pawns[at % players] = word
        if dialect.commands:
            commands = map(_command, words, cycle(("white", "black")))
            yield "".join((f"{lists.NEW_GAME}\n", *commands))
            continue
        if not dialect.numbered:
            yield " ".join(words) + "\n"
            continue
        yield "\n" if index else ""
        for number, start in enumerate(range(0, len(words), players), start=1):
            yield f"{number}. {' '.join(words[start : start + players])}\n"


def _command(word: str, colour: str) -> str:
    if word[-1] in "hv":
        return f"playwall {colour} {word[:-1]} {word[-1]}\n"
    return f"playmove {colour} {word}\n"


def check_is_plain(record: Record, dialect: Dialect = STANDARD) -> None:
    """Raise an error unless a list can hold a record, and would be read as the same record again.

    Raises:
        FileError: the record is not Quoridor from the usual start, has no actions, has a player of
            more than two who leaves, has a word that the dialect lacks, or would be read as another
            game.
    """
    can_be: dict[str, tuple[str, ...]] = {
        "Rules": (lists.QUORIDOR.name,),
        "Players": tuple(map(str, lists.QUORIDOR.players)),
        "Size": tuple(map(str, SIZES)),
        "Start": (),
    }
    for tag, allowed in can_be.items():
        if (given := record.tags.get(tag)) is not None and given not in allowed:
            raise FileError(
                "the format holds games of Quoridor, from the start; this record has {tag} {given}",
                tag=tag,
                given=quoted(given),
            ).at(record.file, record.tag_lines.get(tag, record.line))
    words = lists.played_words(record)
    if not words:
        raise FileError("the format cannot hold a game in which nothing was played").at(
            record.file, record.line
        )
    for turn in record.turns:
        for word in turn.words:
            leaves = STOPS.get(word.text, Reason.AGREEMENT) is not Reason.AGREEMENT
            if leaves and (lists.players_of(record) > 2 or turn is not record.turns[-1]):
                what = text("a player who leaves the play")
            elif word.text == str(PASS) and not dialect.has_pass:
                what = text("a pass")
            else:
                continue
            raise FileError("the format has no word for {what}", what=what).at(
                record.file, turn.line or record.line, word.column
            )
    try:
        written = "".join(write_lists([record], dialect))
    except MalformedError as error:
        raise FileError(error.message).at(record.file, record.line) from None
    check_reads_the_same(
        record, next(lists.read_lists(written.splitlines(keepends=True), dialect=dialect))
    )


def check_reads_the_same(record: Record, read: Record) -> None:
    """Raise an error if a written record is read as another game.

    Raises:
        FileError: the actions, the number of players or the size of the board differ.
    """
    here, there = (
        (lists.played_words(one), lists.players_of(one), lists.size_of(one))
        for one in (record, read)
    )
    if here != there:
        raise FileError(
            "this list would be read as one of {players} players on a board of size {size}",
            players=there[1],
            size=there[2],
        ).at(record.file, record.line)


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
