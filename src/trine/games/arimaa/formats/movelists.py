r"""Move lists: the official notation of Arimaa, a turn a line.

Lines are separated by real line breaks, or by the two characters ``\n`` as inside a column of the
archive.

Source: arimaa.com/arimaa/learn/notation.html.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from trine.core.contract.record import TAKEBACK, UNDO, Record, WrittenTurn, parse_written_turn
from trine.core.errors import FileError, MalformedError
from trine.core.text.sentence import text
from trine.core.text.words import Word, quoted

LINE_BREAK: Final = r"\n"
"""The two characters that the archive writes for a line break inside a column."""


def read_movelists(lines: Iterable[str], file: str = "") -> Iterator[Record]:
    """Read the move lists of a file; each begins with Gold's setup, ``1g`` or ``1w``.

    A list does not say when it was played. A list with the letters ``w`` and ``b`` may be from
    before 2008; if it is not legal today, the rules of that time are tried.
    """
    record = Record({"Game": "arimaa"}, file=file)
    for number, line in enumerate(lines, start=1):
        for turn in read_turns(line.rstrip("\r\n"), file, number, column=1):
            if isinstance(turn, MalformedError):
                record.error = record.error or turn
            elif turn.tag in ("1g", "1w") and not _may_go_on(record):
                yield without_empty_end(record)
                record = Record({"Game": "arimaa"}, [turn], line=number, file=file)
            elif not record.error:
                record.turns.append(turn)
            if record.turns and record.turns[-1].letter in "wb":
                record.older_rules = "classic"  # letters from before 2008, when it was played
    yield without_empty_end(record)


def _may_go_on(record: Record) -> bool:
    """Return whether Gold's setup can follow: first of all, or after the first was taken back."""
    turns = record.turns
    return not turns or any(word.text == TAKEBACK for word in turns[-1].words)


def read_turns(
    lines: str, file: str, number: int, column: int
) -> Iterator[WrittenTurn | MalformedError]:
    """Read the turns of a move list that is on one line of a file, from a column on.

    For a line of the list that is no turn, its error is yielded in place of a turn.
    """
    for line in lines.split(LINE_BREAK):
        if line.strip(" \t"):
            try:
                turn = parse_written_turn(line, file, number)
                turn.words = [Word(word.text, word.column + column - 1) for word in turn.words]
                yield turn
            except MalformedError as error:
                at = column + max(error.place.column - 1, 0)
                yield MalformedError(error.message).at(file, number, at)
        column += len(line) + len(LINE_BREAK)


def without_empty_end(record: Record) -> Record:
    """Drop the tag of the next turn, with no steps, that ends the archive's move lists."""
    if record.turns and not record.turns[-1].words:
        record.turns.pop()
    return record


def write_movelists(records: Iterable[Record]) -> Iterator[str]:
    """Write records as move lists, a turn a line, an empty line between two."""
    for index, record in enumerate(records):
        yield "\n" if index else ""
        for turn in official_turns(record):
            yield f"{turn}\n"


def official_turns(record: Record, letters: Mapping[str, str] | None = None) -> Iterator[str]:
    """The lines of a move list, without comments, undone actions and the open turn."""
    for turn in record.turns:
        if turn.closed:
            letter = (letters or _OFFICIAL_LETTERS).get(turn.letter, turn.letter)
            yield " ".join([f"{turn.number}{letter}", *_kept_words(turn)])


def check_has_setups(record: Record) -> None:
    """Raise an error unless a move list can hold a record."""
    for tag in ("Start", "Handicap"):
        if start := record.tags.get(tag):
            raise FileError(
                text(
                    "a move list begins with full setups; this record has {tag} {start}",
                    tag=tag,
                    start=quoted(start),
                )
            ).at(record.file, record.tag_lines.get(tag, record.line))


def check_is_movelist(record: Record) -> None:
    """Raise an error unless a move list, which has room for turns alone, can hold a record.

    Raises:
        FileError: no turn was played, or `check_has_setups` says so.
    """
    check_has_setups(record)
    if not any(turn.closed and turn.words for turn in record.turns):
        raise FileError(text("the format cannot hold a game in which nothing was played")).at(
            record.file, record.line
        )


_OFFICIAL_LETTERS: Final = {"w": "g", "b": "s"}


def _kept_words(turn: WrittenTurn) -> list[str]:
    """The words of a turn without the actions that were undone and their removal marks."""
    kept: list[str] = []
    for word in turn.words:
        if word.text != UNDO:
            kept.append(word.text)
            continue
        while kept and kept[-1].endswith("x"):
            kept.pop()
        if kept:
            kept.pop()
    return kept
