"""Laws: the sentences that refuse actions, each part of a clause of the rule book."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from trine.core.contract.clause import Clause
from trine.core.contract.handbook_file import read_clauses
from trine.core.text.sentence import Text


class Law(Text):
    """The sentence of a law that forbids an action."""

    __slots__ = ("clause", "name")

    name: str
    clause: str
    """The name of the clause whose law it is."""


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
        """Return the sentence of a law."""
        clause, words = self._known[name]
        sentence = Law(words.template, blanks)
        sentence.name, sentence.clause = name, clause
        return sentence


def numbered_clause(sentence: Text, rulebook: Sequence[Clause]) -> tuple[int, Clause] | None:
    """Return the clause that a law belongs to, and its number; None if the sentence is no law.

    A rule set without the clause has another one in the same chapter: one that has the law as well,
    or that begins like it, or the first.
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
