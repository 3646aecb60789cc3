"""The evaluation of Corridor in words: its terms, with the weights of ``weights.txt``."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

import numpy as np

from trine.core.doors import Term
from trine.core.text import Text, text

_COUNTED: Final = {
    "steps": text("steps to the goal"),
    "near": text("nearness of the goal"),
    "lead": text("ahead in the race"),
    "sure_lead": text("ahead in the race"),  # with few walls against it
    "hand": text("walls in hand"),
    "armed": text("having walls in hand at all"),
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
"""What each term counts."""
_SHORT: Final = "short_"
"""How the names of the terms for walls one square long begin."""
_ENDLESS: Final = "endless_"
"""The same, where hands have no limit."""


def _text_of(name: str) -> Text:
    return _COUNTED[name.removeprefix(_SHORT).removeprefix(_ENDLESS)]


def _names() -> list[str]:
    """The names of the terms, in the order of the kernel."""
    long = list(_COUNTED)[: list(_COUNTED).index("trapped")]
    return long + [begin + name for begin in (_SHORT, _ENDLESS) for name in _COUNTED]


def _read_terms() -> tuple[Term, ...]:
    """The terms with their weights; both sources must name the same, in the same order."""
    lines = files(__package__).joinpath("weights.txt").read_text(encoding="utf-8").splitlines()
    fields = [line.split("\t") for line in lines if line and not line.startswith("#")]
    assert [name for name, _ in fields] == _names(), "weights.txt names other terms"
    return tuple(Term(name, float(weight), _text_of(name)) for name, weight in fields)


TERMS: Final = _read_terms()
MEMORY: Final = np.array([term.weight for term in TERMS], np.float32)
"""All that the compiled evaluation looks up: the weights, in the order of the terms."""
