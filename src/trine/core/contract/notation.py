"""Notation: actions of one word, as in TZAAR and Corridor, and the formats of other programs.

In Arimaa an action may be several words: removal marks follow its steps.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from trine.core.contract.checked import CheckedLine, Checker
from trine.core.contract.position import NO_HISTORY, Action, History, Position
from trine.core.contract.record import TAKEBACK, UNDO, Record, WrittenTurn
from trine.core.errors import FileError, IllegalError, MalformedError, TrineError
from trine.core.text.sentence import Text, Word, text

A = TypeVar("A", bound=Action)

_SEPARATORS: Final = re.compile(r"[ \t,;]+")


def read_action(
    parse: Callable[[str], A],
    position: Position,
    words: Sequence[Word],
    history: History = NO_HISTORY,
) -> tuple[A, int]:
    """Read the next action of a record strictly; return it and the number of words read: one.

    Raises:
        MalformedError: the word is no action.
        IllegalError: the action is against the rules. The error has the column of the word.
    """
    word = words[0]
    try:
        action = parse(word.text)
    except MalformedError as error:
        raise error.at(column=word.column) from None
    if reason := position.why_not(action, history):
        raise IllegalError("{given}: {reason}", given=word.text, reason=reason).at(
            column=word.column
        )
    return action, 1


def interpret(
    read_word: Callable[[Any, str], Action],
    position: Position,
    line: str,
    history: History = NO_HISTORY,
) -> CheckedLine:
    """Read a typed line; it may span several turns, and commas may separate words.

    Raises:
        MalformedError: a word cannot be read.
        IllegalError: an action is against the rules; then the whole line is refused.
    """
    checker = Checker(position, history)
    for word in list(filter(None, _SEPARATORS.split(line))) or [line]:
        checker.play(read_word(checker.position, word))
    return checker.line()


def kept_turns(record: Record) -> list[tuple[WrittenTurn, list[Word]]]:
    """Return a record's turns with their words, without those taken back or undone."""
    turns: list[tuple[WrittenTurn, list[Word]]] = []
    for turn in record.turns:
        words: list[Word] = []
        for word in turn.words:
            if word.text == UNDO:
                words = words[:-1]
            else:
                words.append(word)
        if words and words[-1].text == TAKEBACK:
            turns = turns[:-1]
        elif words:
            turns.append((turn, words))
    return turns


def position_format(
    name: str,
    title: Text,
    *,
    game: str,
    whose: str,
    example: str,
    parse: Callable[[str], Any],
    format_start: Callable[[Any], str],
    write: Callable[[Any], str],
) -> Format:
    """Return a format that holds one position.

    ``parse`` reads a position in any form; ``format_start`` writes the tag ``Start``; ``write``
    writes the format, or raises `TrineError` if it cannot hold the position.
    """

    def read(lines: Iterable[str], file: str) -> Iterator[Record]:
        try:
            position = parse("".join(lines).strip("\r\n"))
        except TrineError as error:
            raise error.at(file, 1) from None
        yield Record(
            {"Game": game, "Rules": position.rules.name, "Start": format_start(position)}, file=file
        )

    def written(record: Record) -> str:
        played = next((turn for turn in record.turns if turn.words), None)
        if played or "Start" not in record.tags:
            problem = (
                text("the format holds a position, and no turns")
                if played
                else text("the format holds a position; this record has no tag Start")
            )
            raise FileError(problem).at(record.file, played.line if played else record.line)
        try:
            return write(parse(record.tags["Start"])) + "\n"
        except TrineError as error:
            raise FileError(
                "this position has no text in the format {name}: {reason}",
                name=name,
                reason=error.message,
            ).at(record.file, record.tag_lines.get("Start", record.line)) from None

    def check(record: Record) -> None:
        written(record)

    return Format(
        name,
        title,
        read,
        lambda head: False,  # positions are recognised in every form
        lambda records: map(written, records),
        check,
        game=game,
        whose=whose,
        example=example,
        of_positions=True,
    )


def _only_read(records: Iterable[Record]) -> Iterator[str]:
    raise NotImplementedError


@dataclass(frozen=True)
class Format:
    """A foreign format for records of one game; read and written as a stream."""

    name: str
    title: Text
    read: Callable[[Iterable[str], str], Iterator[Record]]
    """Reads the lines of a file, given its name. Raises `MalformedError` with the place."""
    recognises: Callable[[str], bool]
    """Whether a file can have the format, judged by some lines from the first that is not blank."""
    write: Callable[[Iterable[Record]], Iterator[str]] = _only_read
    """Writes records as pieces of text, or raises an error if no program reads the format."""
    check: Callable[[Record], None] = lambda record: None
    """Raises `FileError` if the format cannot hold a record of the game."""
    game: str = ""
    """The game whose records the format holds; empty for all."""
    whose: str = ""
    """The programs and sites that write the format."""
    example: str = ""
    """An example: the beginning of a game, on one line."""
    begins: Text | None = None
    """A sentence that distinguishes the format from similar ones."""
    of_positions: bool = False
    """Whether the format holds a position and no turns."""
    looks_like_others: bool = False
    """Whether a record of another game can begin the same way; then legality decides."""

    @property
    def only_read(self) -> bool:
        return self.write is _only_read


def read_data(content: str) -> object:
    """Return the lists, dicts, words and numbers that a text stands for; None if it is none.

    >>> read_data("{'moves': [None, 3]}"), read_data("e2 e8")
    ({'moves': [None, 3]}, None)
    """
    for read in (json.loads, ast.literal_eval):
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            return read(content.strip())
    return None
