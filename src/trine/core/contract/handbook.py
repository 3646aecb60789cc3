"""The handbook of a game: its rule book, laws, lessons and first games, read from TOML files.

Source: https://toml.io/en/v1.0.0. The keys in the files of a game's folder ``handbook`` are the
fields of `Clause`, `Lesson` and `FirstGame`. A line break in a sentence is a space.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from random import Random
from typing import Any, NoReturn, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from trine.core.contract.gathered import Gathered
from trine.core.contract.insight import Theme
from trine.core.contract.lesson import (
    GOALS,
    FirstGame,
    Goal,
    GoalWord,
    Happening,
    Lesson,
    Sketch,
    read_goal,
)
from trine.core.contract.position import History, ItsAction, ItsPosition, Options, Outcome, Reason
from trine.core.errors import MalformedError
from trine.core.text.sentence import Text, ctext, join, text, typed, verbatim


class Try(Struct, frozen=True, forbid_unknown_fields=True):
    """A line to try in the position of an example."""

    line: str
    """Actions as a person types them; in a refused line, only the last one is illegal."""
    refused: str = ""
    """The referee's reason for refusing the last action, in English; empty if it is legal."""
    winner: int | None = None
    """The index of the winner, if the last action wins the play."""
    reason: Reason | None = None
    """The reason, if the last action ends the play; without a winner it is drawn."""
    said: Text | None = None
    """A quotation from the source document about the line."""
    only: tuple[str, ...] = ()
    """The rule sets for the line; empty for all that have the clause."""

    @property
    def outcome(self) -> Outcome | None:
        return Outcome(self.winner, self.reason) if self.reason else None


class Example(Struct, frozen=True, forbid_unknown_fields=True):
    """A position that shows a clause at work, and lines to try in this position."""

    position: str
    """A position as text; in the file, the input of `Handbook.sketch`."""
    tries: tuple[Try, ...]


class Clause(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule as a sentence, the rule sets that have it, and its source."""

    name: str
    """The clause's chapter and own name in the file, such as ``turn.first``; unique in the book."""
    chapter: Text
    words: Text
    source: Text
    reading: Text | None = None
    """The reason for our reading, if the source is silent or ambiguous."""
    only: tuple[str, ...] = ()
    """The rule sets with this clause; empty for all."""
    laws: Mapping[str, Text] = {}
    """The sentences that refuse actions because of the clause, by the name of the `Law`."""
    example: Example | None = None
    """None if the clause leaves nothing to try, as the one that describes the board."""


Entry = TypeVar("Entry", Clause, Lesson, FirstGame)


class HandbookFile:
    """A file of tables; its errors name the file, the key and what was expected."""

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

    def entries(self, kind: type[Entry], read: Callable[[Any, Any], object]) -> tuple[Entry, ...]:
        """Return the entries of a file that has a table for each, by name."""
        return tuple(self.convert(kind, *item, read) for item in self.tables.items())

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


class Law(Text):
    """The sentence that forbids an action."""

    __slots__ = ("clause", "name")

    name: str
    clause: str
    """The name of the clause that has the law."""


class Laws:
    """The laws of a game, by name; their sentences are read when the first one is needed.

    >>> law = Laws("trine.games.arimaa")
    >>> print(law("backward"), law("backward").clause)
    a rabbit does not step backward turn.steps
    """

    def __init__(self, package: str) -> None:
        self.package = package

    @cached_property
    def _known(self) -> Mapping[str, tuple[str, Text]]:
        clauses = read_clauses(self.package)
        return {
            name: (clause.name, words) for clause in clauses for name, words in clause.laws.items()
        }

    def __call__(self, name: str, **blanks: object) -> Law:
        clause, words = self._known[name]
        sentence = Law(words.template, blanks)
        sentence.name, sentence.clause = name, clause
        return sentence


def numbered_clause(sentence: Text, rulebook: Sequence[Clause]) -> tuple[int, Clause] | None:
    """Return the number and the clause of a law; None if the sentence is no law.

    If the rule book lacks the clause, return another of its chapter: one with this law, or one
    whose name begins with that of the clause, or the first.
    """
    if not isinstance(sentence, Law):
        return None
    chapter, _, _ = sentence.clause.partition(".")
    return min(
        (one for one in enumerate(rulebook, 1) if one[1].name.startswith(f"{chapter}.")),
        key=lambda one: (
            sentence.name not in one[1].laws,
            not one[1].name.startswith(sentence.clause),
        ),
        default=None,
    )


Strategist = Callable[[ItsPosition, History, Random], tuple[ItsAction, ...]]
"""``strategist(position, history, rng)``: a legal whole turn, or the rest of one."""


@dataclass(frozen=True)
class Document:
    """A description of a game in one language, whose readers get its rule set and options."""

    language: str
    """A language code."""
    rules: str
    options: Options = field(default_factory=dict)
    piece_set: str | None = None
    """The piece set for text boards; None for the default."""


@dataclass(frozen=True, kw_only=True)
class Handbook(Gathered):
    """The texts of a game."""

    package: str
    """The game's package."""
    sketch: Sketch = lambda words, rules: words.format(rules=rules)
    """``sketch(words, rules)``: the text of a position for a rule set, from the words in a file; by
    default, the words with ``{rules}`` replaced by the name of the rule set."""
    goals: Mapping[str, GoalWord] = field(default_factory=dict)
    """The goals of lessons besides `trine.core.contract.lesson.GOALS`, by their words."""
    happenings: Mapping[str, Happening] = field(default_factory=dict)
    """The events that make a first game show a sentence; empty if there are no first games."""
    words: tuple[Text, ...] = ()
    """The words other than actions that people type: the game's name, rule sets, setups,
    strategists, pieces. Each catalogue translates them, in the context ``typed``."""
    documents: tuple[Document, ...] = ()
    """One document for each language."""
    themes: Mapping[str, Theme] = field(default_factory=dict)
    """By id, the simplest first."""
    strategists: Mapping[str, Strategist] = field(default_factory=dict)
    """The strategies described in the source documents, as players, by name."""
    advice: Mapping[str, Text] = field(default_factory=dict)
    """By strategist, the advice that it follows, with the author."""

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """All rules as sentences, in the order of the book."""
        return read_clauses(self.package)

    @cached_property
    def about(self) -> tuple[Text, ...]:
        """Paragraphs about the game besides its rules: its inventor, its name, who owns it."""
        if not (files(self.package) / "handbook" / "about.toml").is_file():
            return ()
        return tuple(map(_text, HandbookFile(self.package, "about.toml").tables.values()))

    @cached_property
    def course(self) -> tuple[Lesson, ...]:
        goals = {**GOALS, **self.goals}

        def read(kind: Any, given: object) -> object:
            if kind == Goal:
                return read_goal(given, goals)
            return typed(str(given)) if given in self.strategists else _text(given)

        return HandbookFile(self.package, "lessons.toml").entries(Lesson, read)

    @cached_property
    def first_games(self) -> tuple[FirstGame, ...]:
        """Games for a newcomer who has read nothing, in order."""

        def read(kind: Any, given: object) -> object:
            if kind != Happening:
                return _text(given)
            if given not in self.happenings:
                raise ValueError(f"Expected one of {', '.join(self.happenings)}, got {given!r}")
            return self.happenings[str(given)]

        if not self.happenings:
            return ()
        return HandbookFile(self.package, "first_games.toml").entries(FirstGame, read)

    def rulebook(self, rules: str) -> list[Clause]:
        """Return the clauses of a rule set in the book's order, with positions of that rule set."""
        return [
            replace(clause, example=self._example(clause.example, rules))
            for clause in self.clauses
            if not clause.only or rules in clause.only
        ]

    def _example(self, example: Example | None, rules: str) -> Example | None:
        if example is None:
            return None
        tries = tuple(one for one in example.tries if not one.only or rules in one.only)
        return Example(self.sketch(example.position, rules), tries)

    def lessons(self, rules: str) -> list[Lesson]:
        """Return the lessons of a rule set in their order, with positions of that rule set."""
        return [
            replace(
                lesson,
                position=self.sketch(lesson.position, rules),
                matches=tuple(match for match in lesson.matches if match.rules == rules),
            )
            for lesson in self.course
            if not lesson.only or rules in lesson.only
        ]
