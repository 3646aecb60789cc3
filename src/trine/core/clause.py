"""One clause of a rule book, as `trine rules` prints it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from trine.core.text import Text


@dataclass(frozen=True)
class Clause:
    """What a rule says, in which rule sets, and where it stands."""

    chapter: Text
    words: Text
    source: Text
    reading: Text | None = None
    """Where the source is silent or can be read in two ways: why we read it so."""
    only: tuple[str, ...] = ()
    """The rule sets that have it; none stands for all."""


def clauses_of(rules: str, book: Iterable[Clause]) -> list[Clause]:
    """The clauses of a rule set, in the order of the book."""
    return [clause for clause in book if not clause.only or rules in clause.only]
