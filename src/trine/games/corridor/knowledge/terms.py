"""The evaluation of Corridor in words: its terms, with the weights of ``weights.txt``."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

import numpy as np

from trine.core.doors import Aspect, Term
from trine.core.text import ntext, text

_COUNTED: Final = {
    "steps": text("steps to the goal"),
    "near": text("nearness of the goal"),
    "lead": text("ahead in the race"),
    "sure_lead": text("ahead in the race"),  # with few walls against it
    "hand": text("walls in hand"),
    "armed": text("whether there are walls in hand"),
    "hand_in_use": text("walls in hand, for the steps that others have to go"),
    "thin": text("places where shortest ways are few"),
    "exposed": text("places where shortest ways are few"),  # with many walls against them
    "fork": text("a choice of first steps"),
    "wide_end": text("a choice of squares at the goal"),
    "centre": text("distance from the middle line"),
    "tempo": text("to move"),
    "trapped": text("no way to the goal"),
    "caught": text("one wall traps, and it is another's turn"),
    "snared": text("one wall traps, but it is the own turn"),
    "two_exits": text("two walls trap"),
    "exits": text("places where few walls trap"),
    "can_be_shut": text("others have walls enough to trap"),
}
"""A description of each term."""
_WAY: Final = Aspect(
    "way",
    text("the race to the goal"),
    ntext("the race to the goal, by {count} step", "the race to the goal, by {count} steps", 1),
)
_WALLS: Final = Aspect(
    "walls",
    text("walls in hand"),
    ntext("walls in hand, by {count}", "walls in hand, by {count}", 1),
)
_CHOICE: Final = Aspect("choice", text("the choice of short ways"))
_TRAP: Final = Aspect("trap", text("the safety from being trapped"))
_ASPECTS: Final = {
    "steps": _WAY,
    "near": _WAY,
    "lead": _WAY,
    "sure_lead": _WAY,
    "hand": _WALLS,
    "armed": _WALLS,
    "thin": _CHOICE,
    "exposed": _CHOICE,
    "fork": _CHOICE,
    "wide_end": _CHOICE,
    "trapped": _TRAP,
    "caught": _TRAP,
    "snared": _TRAP,
    "two_exits": _TRAP,
    "exits": _TRAP,
    "can_be_shut": _TRAP,
}
"""The aspect under which a term is given as a reason for a turn.

The other terms make no reason that a player would follow."""
_COUNTS: Final = frozenset({"steps", "hand"})
"""The terms whose aspects count in their units."""
_SHORT: Final = "short_"
"""The prefix of the names of the terms for walls one square long."""
_ENDLESS: Final = "endless_"
"""The same prefix where hands have no limit."""


def _term(name: str, weight: float) -> Term:
    what = name.removeprefix(_SHORT).removeprefix(_ENDLESS)
    return Term(name, weight, _COUNTED[what], _ASPECTS.get(what), what in _COUNTS)


def _names() -> list[str]:
    """Return the names of the terms, in the order of the kernel."""
    long = list(_COUNTED)[: list(_COUNTED).index("trapped")]
    return long + [begin + name for begin in (_SHORT, _ENDLESS) for name in _COUNTED]


def _read_terms() -> tuple[Term, ...]:
    """Return the terms with their weights; both sources must name the same, in the same order."""
    lines = files(__package__).joinpath("weights.txt").read_text(encoding="utf-8").splitlines()
    fields = [line.split("\t") for line in lines if line and not line.startswith("#")]
    assert [name for name, _ in fields] == _names(), "weights.txt names other terms"
    return tuple(_term(name, float(weight)) for name, weight in fields)


TERMS: Final = _read_terms()
WEIGHTS: Final = np.array([term.weight for term in TERMS], np.float32)
"""The weights, in the order of the terms, in the form that the kernel reads."""
