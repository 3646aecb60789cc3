"""The evaluation of TZAAR in words: its terms, with the weights of ``weights.txt``."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

import numpy as np

from trine.core.doors import Term
from trine.core.text import text

_COUNTED: Final = {
    "stacks": text("stacks"),
    "buried": text("pieces within stacks"),
    "tallest": text("height of the tallest stack"),
    "towers": text("stacks that no enemy is tall enough for"),
    "captures": text("captures now, in doublings"),
    "stackings": text("pairs of own stacks that face each other, in doublings"),
    "attacked_buried": text("pieces within stacks that can be captured now"),
    "sole": text("kinds in sight on one stack only"),
    "reserve_tott": text("how safe the Totts are from dying out, in doublings"),
    "reserve_tzarra": text("how safe the Tzarras are from dying out, in doublings"),
    "reserve_tzaar": text("how safe the Tzaars are from dying out, in doublings"),
    "late_tallest": text("height of the tallest stack, as the board becomes empty"),
    "late_captures": text("captures now, as the board becomes empty"),
    "late_reserve": text("how safe all kinds are, as the board becomes empty"),
    "first_action": text("at the beginning of the turn"),
    "second_action": text("within the turn"),
}
"""What each term counts; in the order of the terms of the kernel."""


def _read_terms() -> tuple[Term, ...]:
    """The terms with their weights; both sources must name the same, in the same order."""
    lines = files(__package__).joinpath("weights.txt").read_text(encoding="utf-8").splitlines()
    fields = [line.split("\t") for line in lines if line and not line.startswith("#")]
    assert [name for name, _ in fields] == list(_COUNTED), "weights.txt names other terms"
    return tuple(Term(name, float(weight), _COUNTED[name]) for name, weight in fields)


TERMS: Final = _read_terms()
MEMORY: Final = np.array([term.weight for term in TERMS], np.float32)
"""All that the compiled evaluation looks up: the weights, in the order of the terms."""
