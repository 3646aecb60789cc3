"""Writes games of Quoridor as lists of actions, and checks whether a list can hold a record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import cycle

from trine.core.contract.position import Reason
from trine.core.contract.record import STOPS, Record
from trine.core.errors import FileError, MalformedError
from trine.core.text.sentence import quoted, text
from trine.games.corridor.board import SIZES, square_name
from trine.games.corridor.formats.dialects import STANDARD, Dialect
from trine.games.corridor.formats.lists import (
    NEW_GAME,
    QUORIDOR,
    played_words,
    players_of,
    read_lists,
    size_of,
)
from trine.games.corridor.position import Position
from trine.games.corridor.rules import PASS


def write_lists(records: Iterable[Record], dialect: Dialect = STANDARD) -> Iterator[str]:
    """Write records as lists, one a line; or one round a line, and an empty line between lists."""
    for index, record in enumerate(records):
        players, size = players_of(record), size_of(record)
        pawns = [square_name(size, pawn) for pawn in Position.first(QUORIDOR, size, players).pawns]
        words = []
        for at, word in enumerate(played_words(record)):
            words.append(dialect.write(word, size, pawns[at % players]))
            if word[-1].isdigit():
                pawns[at % players] = word
        if dialect.commands:
            commands = map(_command, words, cycle(("white", "black")))
            yield "".join((f"{NEW_GAME}\n", *commands))
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
        "Rules": (QUORIDOR.name,),
        "Players": tuple(map(str, QUORIDOR.players)),
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
    words = played_words(record)
    if not words:
        raise FileError("the format cannot hold a game in which nothing was played").at(
            record.file, record.line
        )
    for turn in record.turns:
        for word in turn.words:
            leaves = STOPS.get(word.text, Reason.AGREEMENT) is not Reason.AGREEMENT
            if leaves and (players_of(record) > 2 or turn is not record.turns[-1]):
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
        record, next(read_lists(written.splitlines(keepends=True), dialect=dialect))
    )


def check_reads_the_same(record: Record, read: Record) -> None:
    """Raise an error if a written record is read as another game.

    Raises:
        FileError: the actions, the number of players or the size of the board differ.
    """
    here, there = ((played_words(one), players_of(one), size_of(one)) for one in (record, read))
    if here != there:
        raise FileError(
            "this list would be read as one of {players} players on a board of size {size}",
            players=there[1],
            size=there[2],
        ).at(record.file, record.line)
