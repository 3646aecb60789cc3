"""One clause of a rule book, as `trine rules` prints it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from trine.core.text import Text


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


def clauses_of(rules: str, book: Iterable[Clause]) -> list[Clause]:
    """The clauses of a rule set, in the order of the book."""
    return [clause for clause in book if not clause.only or rules in clause.only]
