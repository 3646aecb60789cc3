"""A clause of a rule book, as `trine rules` prints it, and positions to try it on.

Clauses are read from ``handbook/rulebook.toml`` of a game, whose keys are the names of the fields
(`trine.core.contract.handbook_file`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from trine.core.contract.outcome import Outcome, Reason
from trine.core.text.sentence import Text

Sketch = Callable[[str, str], str]
"""``sketch(words, rule set name)``: the text of a position, from what a handbook's file says."""


class Try(Struct, frozen=True, forbid_unknown_fields=True):
    """A line to try in an example's position."""

    line: str
    """Actions as a person types them; in a refused line, only the last one is illegal."""
    refused: str = ""
    """The referee's reason for refusing the last action, in English; empty if it is legal."""
    winner: int | None = None
    """The index of the winner, if the last action wins the play."""
    reason: Reason | None = None
    """The reason, if the last action ends the play; without a winner it is drawn."""
    said: Text | None = None
    """The source document's words about the line, if they add anything."""
    only: tuple[str, ...] = ()
    """The rule sets with this line; empty for all rule sets of the clause."""

    @property
    def outcome(self) -> Outcome | None:
        return Outcome(self.winner, self.reason) if self.reason else None


class Example(Struct, frozen=True, forbid_unknown_fields=True):
    """A position that shows a clause at work, and lines to try in this position."""

    position: str
    """The position as text, in the file as the `Handbook`'s ``sketch`` reads it."""
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
    """The sentences that refuse actions because of it, by name (`trine.core.contract.law`)."""
    example: Example | None = None
    """None if there is nothing to try, as for the clause that describes the board."""


def clauses_of(rules: str, book: Iterable[Clause], sketch: Sketch) -> list[Clause]:
    """The clauses of a rule set in the book's order, with the positions written for it."""
    return [
        replace(clause, example=_example(clause.example, rules, sketch))
        for clause in book
        if not clause.only or rules in clause.only
    ]


def _example(example: Example | None, rules: str, sketch: Sketch) -> Example | None:
    if example is None:
        return None
    tries = tuple(one for one in example.tries if not one.only or rules in one.only)
    return Example(sketch(example.position, rules), tries)
