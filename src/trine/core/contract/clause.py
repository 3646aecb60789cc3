"""A clause of a rule book, as `trine rules` prints it, and positions to try it on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from trine.core.contract.outcome import Outcome
from trine.core.text.sentence import Text, text


@dataclass(frozen=True)
class Try:
    """A line to try in an example's position."""

    line: str
    """Actions as a person types them; in a refused line, only the last one is illegal."""
    refused: str = ""
    """The referee's reason for refusing the last action, in English; empty if it is legal."""
    outcome: Outcome | None = None
    """The outcome, if the last action ends the play."""
    said: Text | None = None
    """What the source document says about the line, if it adds anything."""


@dataclass(frozen=True)
class Example:
    """A position that shows a clause at work, and lines to try in this position."""

    position: str
    """The position as text; ``{rules}`` is replaced by the name of the rule set."""
    tries: tuple[Try, ...]


@dataclass(frozen=True)
class Clause:
    """A rule as a sentence, the rule sets that have it, and its source."""

    chapter: Text
    words: Text
    source: Text
    reading: Text | None = None
    """The reason for our reading, if the source is silent or ambiguous."""
    only: tuple[str, ...] = ()
    """The rule sets with this clause; empty for all."""
    example: Example | None = None
    """None if there is nothing to try, as for the clause that describes the board."""


def said(words: str, line: str, refused: str = "", outcome: Outcome | None = None) -> Try:
    """Return a line to try with the document's words on it, both literals for translators."""
    return Try(line, refused, outcome, text(words))


def clause(
    chapter: Text,
    words: Text | str,
    source: Text,
    reading: Text | str | None = None,
    *,
    only: tuple[str, ...] = (),
    at: str = "",
    tries: tuple[Try, ...] = (),
) -> Clause:
    """Return a clause; its sentences must be literals, for translators.

    ``tries`` are lines to try ``at`` a position, as text; without a position there is no example.

    >>> str(clause(text("Turns"), "Nobody may pass.", text("rule book")).words)
    'Nobody may pass.'
    """
    sentence = text(words) if isinstance(words, str) else words
    why = text(reading) if isinstance(reading, str) else reading
    return Clause(chapter, sentence, source, why, only, Example(at, tries) if at else None)


def clauses_of(rules: str, book: Iterable[Clause], **blanks: str) -> list[Clause]:
    """The clauses of a rule set in the book's order, with the blanks in their positions filled."""
    return [
        _filled(clause, {"rules": rules, **blanks})
        for clause in book
        if not clause.only or rules in clause.only
    ]


def _filled(clause: Clause, blanks: dict[str, str]) -> Clause:
    if (example := clause.example) is None:
        return clause
    return replace(clause, example=replace(example, position=example.position.format(**blanks)))
