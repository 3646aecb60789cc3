"""One clause of a rule book, as `trine rules` prints it, and positions to try it on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from trine.core.contract.outcome import Outcome
from trine.core.text.sentence import Text, text


@dataclass(frozen=True)
class Try:
    """Something to try in the position of an example."""

    line: str
    """Actions as a person types them; of a line that is refused, only the last one is illegal."""
    refused: str = ""
    """Why the referee refuses the last action, as it says so in English; empty if it is legal."""
    outcome: Outcome | None = None
    """The outcome of the play if it ends with the last action."""
    said: Text | None = None
    """The words of a document on it; None where the clause says it all."""


@dataclass(frozen=True)
class Example:
    """A position that shows a clause at work, and what to try there."""

    position: str
    """As text; ``{rules}`` in it stands for the name of the rule set."""
    tries: tuple[Try, ...]


@dataclass(frozen=True)
class Clause:
    """A clause: its words, the rule sets that have it, and its source."""

    chapter: Text
    words: Text
    source: Text
    reading: Text | None = None
    """The reason for our reading, where the source is silent or can be read in two ways."""
    only: tuple[str, ...] = ()
    """The rule sets that have it; empty for all."""
    example: Example | None = None
    """None where there is nothing to try, as with the clause that describes the board."""


def said(words: str, line: str, refused: str = "", outcome: Outcome | None = None) -> Try:
    """Return something to try, and what a document says of it, for translators to see."""
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
    """Return a clause whose sentences may be given as they are written, for translators to see.

    Args: ``tries`` can be tried ``at`` a position, as text; without one there is no example.

    >>> str(clause(text("Turns"), "Nobody may pass.", text("rule book")).words)
    'Nobody may pass.'
    """
    told = text(words) if isinstance(words, str) else words
    why = text(reading) if isinstance(reading, str) else reading
    return Clause(chapter, told, source, why, only, Example(at, tries) if at else None)


def clauses_of(rules: str, book: Iterable[Clause], **blanks: str) -> list[Clause]:
    """The clauses of a rule set, in the order of the book, the blanks in their positions filled."""
    return [
        _filled(clause, {"rules": rules, **blanks})
        for clause in book
        if not clause.only or rules in clause.only
    ]


def _filled(clause: Clause, blanks: dict[str, str]) -> Clause:
    if (example := clause.example) is None:
        return clause
    return replace(clause, example=replace(example, position=example.position.format(**blanks)))
