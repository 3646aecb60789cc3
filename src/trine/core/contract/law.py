"""Laws: the sentences that refuse actions, each with its clause of the rule book."""

from __future__ import annotations

from collections.abc import Iterable

from trine.core.contract.clause import Clause
from trine.core.text.sentence import Text


class Law(Text):
    """The sentence of a law that forbids an action."""

    __slots__ = ("clause",)

    clause: str
    """The names of clauses, or their beginnings; the first that a rule set has is cited."""


def law(clause: str, template: str, **values: object) -> Law:
    """Make the sentence of a law; its template is extracted for translators.

    >>> law("turn.steps", "a rabbit does not step backward").clause
    'turn.steps'
    """
    sentence = Law(template, values)
    sentence.clause = clause
    return sentence


def numbered_clause(sentence: Text, rulebook: Iterable[Clause]) -> tuple[int, Clause] | None:
    """Return the clause that a law cites, and its number in the rule book; None without one."""
    if not isinstance(sentence, Law):
        return None
    cited = tuple(sentence.clause.split())
    numbered = enumerate(rulebook, start=1)
    return next(((one, clause) for one, clause in numbered if clause.name.startswith(cited)), None)
