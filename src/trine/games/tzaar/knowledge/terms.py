"""The evaluation of TZAAR in words: its terms, with the weights of ``weights.txt``."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

import numpy as np

from trine.core.doors import Aspect, Term
from trine.core.text import text

_COUNTED: Final = {
    "stacks": text("stacks"),
    "buried": text("pieces within stacks"),
    "tallest": text("height of the tallest stack"),
    "towers": text("stacks that no enemy is tall enough for"),
    "captures": text("possible captures, in doublings"),
    "stackings": text("pairs of own stacks that face each other, in doublings"),
    "attacked_buried": text("pieces within stacks that can be captured now"),
    "sole": text("kinds in sight on one stack only"),
    "reserve_tott": text("how far the Totts are from being wiped out, in doublings"),
    "reserve_tzarra": text("how far the Tzarras are from being wiped out, in doublings"),
    "reserve_tzaar": text("how far the Tzaars are from being wiped out, in doublings"),
    "late_tallest": text("height of the tallest stack, times the share of stacks that are gone"),
    "late_captures": text(
        "possible captures, in doublings, times the share of stacks that are gone"
    ),
    "late_reserve": text(
        "how far all kinds are from being wiped out, times the share of stacks that are gone"
    ),
    "first_action": text("at the beginning of the turn"),
    "second_action": text("within the turn"),
}
"""A description of each term, in the order of the kernel."""
_TOWERS: Final = Aspect("towers", text("the height of the stacks"))
_DANGER: Final = Aspect("danger", text("the safety of the tall stacks"))
_CAPTURES: Final = Aspect("no_capture", text("the captures to choose from"))
_KINDS: Final = Aspect("extinction", text("the safety from losing the last piece of a kind"))
_ASPECTS: Final = {
    "buried": _TOWERS,
    "tallest": _TOWERS,
    "towers": _TOWERS,
    "attacked_buried": _DANGER,
    "captures": _CAPTURES,
    "sole": _KINDS,
    "reserve_tott": _KINDS,
    "reserve_tzarra": _KINDS,
    "reserve_tzaar": _KINDS,
}
"""The aspect under which a term is given as a reason for a turn.

The other terms make no reason that a player would follow. Those of the empty board change with
every stack that is gone, wherever it stood."""


def _read_terms() -> tuple[Term, ...]:
    """Return the terms with their weights; both sources must name the same, in the same order."""
    lines = files(__package__).joinpath("weights.txt").read_text(encoding="utf-8").splitlines()
    fields = [line.split("\t") for line in lines if line and not line.startswith("#")]
    assert [name for name, _ in fields] == list(_COUNTED), "weights.txt names other terms"
    return tuple(
        Term(name, float(weight), _COUNTED[name], _ASPECTS.get(name)) for name, weight in fields
    )


TERMS: Final = _read_terms()
WEIGHTS: Final = np.array([term.weight for term in TERMS], np.float32)
"""The weights, in the order of the terms, in the form that the kernel reads."""
