"""The files of a game's handbook: rule book, lessons and first games, written in TOML.

Source: https://toml.io/en/v1.0.0. Its keys are the fields of `Clause`, `Lesson` and `FirstGame`. A
line break in a sentence is a space.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NoReturn, TypeVar

import msgspec

from trine.core.contract.clause import Clause
from trine.core.contract.first_game import FirstGame, Happening
from trine.core.contract.goals import GoalWord, read_goal
from trine.core.contract.lesson import Goal, Lesson
from trine.core.errors import MalformedError
from trine.core.text.sentence import Text, ctext, join, text, verbatim
from trine.core.text.typed import typed

Entry = TypeVar("Entry", Clause, Lesson, FirstGame)


class HandbookFile:
    """A file of tables; an error names the file, the key and what was expected."""

    def __init__(self, package: str, name: str) -> None:
        path = files(package) / "handbook" / name
        self.path = str(path)
        try:
            self.tables: dict[str, Any] = _fold(tomllib.loads(path.read_text(encoding="utf-8")))
        except tomllib.TOMLDecodeError as error:
            self.fail(str(error))

    def fail(self, message: str) -> NoReturn:
        raise MalformedError(verbatim(message)).at(self.path)

    def check(self, name: str, table: object) -> dict[str, Any]:
        """Return a value that is a table; ``name`` is its place in the file."""
        if not isinstance(table, dict):
            self.fail(f"{name}: Expected a table, got {table!r}")
        return table

    def convert(
        self, kind: type[Entry], name: str, table: object, read: Callable[[Any, Any], object]
    ) -> Entry:
        """Return an entry of a table; ``read`` returns values of classes that TOML lacks."""
        try:
            return msgspec.convert({"name": name, **self.check(name, table)}, kind, dec_hook=read)
        except msgspec.ValidationError as error:
            self.fail(f"{name}: {error}")

    def sentences(self, context: str, key: str) -> dict[str, Text]:
        """Return a table of sentences that other tables refer to by key."""
        table = self.check(key, self.tables.pop(key, None))
        return {name: ctext(context, str(words)) for name, words in table.items()}

    def named(self, sentences: Mapping[str, Text], place: str, name: str) -> Text:
        """Return the sentence that a place of the file refers to."""
        if name not in sentences:
            self.fail(f"{place}: Expected one of {', '.join(sentences)}, got {name!r}")
        return sentences[name]


@cache
def read_clauses(package: str) -> tuple[Clause, ...]:
    """Return all clauses of a rule book: tables within a table for each chapter."""
    book = HandbookFile(package, "rulebook.toml")
    chapters = book.sentences("chapter", "chapters")
    sources = book.sentences("source", "sources")

    def clauses() -> Iterator[Clause]:
        for chapter, tables in book.tables.items():
            title = book.named(chapters, "chapters", chapter)
            for key, table in book.check(chapter, tables).items():
                name = f"{chapter}.{key}"
                keys = book.check(name, table).pop("sources", None)
                if not isinstance(keys, list):
                    book.fail(f"{name}: Expected a list of sources, got {keys!r}")
                source = join([book.named(sources, name, one) for one in keys])
                parts = {"chapter": title, "source": source}
                yield book.convert(Clause, name, parts | table, lambda kind, one: _text(one))

    return tuple(clauses())


def read_lessons(
    package: str, goals: Mapping[str, GoalWord], players: Collection[object]
) -> tuple[Lesson, ...]:
    """Return all lessons: a table each, by name. ``players`` have names that people type."""

    def read(kind: Any, given: object) -> object:
        if kind == Goal:
            return read_goal(given, goals)
        return typed(str(given)) if given in players else _text(given)

    book = HandbookFile(package, "lessons.toml")
    return tuple(book.convert(Lesson, *item, read) for item in book.tables.items())


def read_first_games(package: str, happenings: Mapping[str, Happening]) -> tuple[FirstGame, ...]:
    """Return the first games: a table each, by name."""

    def read(kind: Any, given: object) -> object:
        if kind != Happening:
            return _text(given)
        if given not in happenings:
            raise ValueError(f"Expected one of {', '.join(happenings)}, got {given!r}")
        return happenings[str(given)]

    book = HandbookFile(package, "first_games.toml")
    return tuple(book.convert(FirstGame, *item, read) for item in book.tables.items())


def read_about(package: str) -> tuple[Text, ...]:
    """Return the paragraphs about a game, in order; none if there is no file."""
    if not (files(package) / "handbook" / "about.toml").is_file():
        return ()
    book = HandbookFile(package, "about.toml")
    return tuple(map(_text, book.tables.values()))


def _text(given: object) -> Text:
    if isinstance(given, Text):
        return given
    if not isinstance(given, str):
        raise ValueError(f"Expected a sentence, got {given!r}")
    return text(given)


def _fold(value: Any) -> Any:
    """Return a value with each line break and the spaces around it replaced by a space."""
    if isinstance(value, dict):
        return {key: _fold(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_fold(one) for one in value]
    return re.sub(r"\s*\n\s*", " ", value.strip()) if isinstance(value, str) else value
