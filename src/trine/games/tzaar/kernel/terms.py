"""The terms of TZAAR's evaluation: their names, their texts, and the aspects that they explain."""

from __future__ import annotations

from typing import Final

from trine.core.contract import Aspect, Term
from trine.core.text.sentence import text

_TOWERS: Final = Aspect("towers", text("the height of the stacks"))
_DANGER: Final = Aspect("danger", text("the safety of the tall stacks"))
_CAPTURES: Final = Aspect("no_capture", text("the captures to choose from"))
_KINDS: Final = Aspect("extinction", text("the safety from losing the last piece of a kind"))

TERMS: Final = (
    Term("stacks", text("stacks")),
    Term("buried", text("pieces within stacks"), _TOWERS),
    Term("tallest", text("height of the tallest stack"), _TOWERS),
    Term("towers", text("stacks that no enemy is tall enough for"), _TOWERS),
    Term("captures", text("possible captures, in doublings"), _CAPTURES),
    Term("stackings", text("pairs of own stacks that face each other, in doublings")),
    Term("attacked_buried", text("pieces within stacks that can be captured now"), _DANGER),
    Term("sole", text("kinds in sight on one stack only"), _KINDS),
    Term("reserve_tott", text("how far the Totts are from being wiped out, in doublings"), _KINDS),
    Term(
        "reserve_tzarra", text("how far the Tzarras are from being wiped out, in doublings"), _KINDS
    ),
    Term(
        "reserve_tzaar", text("how far the Tzaars are from being wiped out, in doublings"), _KINDS
    ),
    Term(
        "late_tallest", text("height of the tallest stack, times the share of stacks that are gone")
    ),
    Term(
        "late_captures",
        text("possible captures, in doublings, times the share of stacks that are gone"),
    ),
    Term(
        "late_reserve",
        text("how far all kinds are from being wiped out, times the share of stacks that are gone"),
    ),
    Term("first_action", text("at the beginning of the turn")),
    Term("second_action", text("within the turn")),
)
"""In the order of the counts. Terms without an aspect are not given as reasons, since players would
not understand them; the ``late`` terms change with every stack that is gone, wherever it was."""
