"""The terms of the evaluation of Corridor: their names, texts and aspects."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from trine.core.contract import Aspect, Term
from trine.core.text.sentence import ntext, text

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

_OF_HANDS: Final = (
    Term("hand", text("walls in hand"), _WALLS, is_count=True),
    Term("armed", text("whether there are walls in hand"), _WALLS),
)
_OF_RACES: Final = (
    Term("steps", text("steps to the goal"), _WAY, is_count=True),
    Term("near", text("nearness of the goal"), _WAY),
    Term("lead", text("ahead in the race"), _WAY),
    Term("sure_lead", text("ahead in the race"), _WAY),  # with few walls against the player
    Term("hand_in_use", text("walls in hand, for the steps that others have to go")),
    Term("thin", text("places where shortest ways are few"), _CHOICE),
    Term("exposed", text("places where shortest ways are few"), _CHOICE),  # with many walls against
    Term("fork", text("a choice of first steps"), _CHOICE),
    Term("wide_end", text("a choice of squares at the goal"), _CHOICE),
    Term("centre", text("distance from the middle line")),
    Term("tempo", text("to move")),
)
_OF_TRAPS: Final = (
    Term("trapped", text("no way to the goal"), _TRAP),
    Term("caught", text("one wall traps, and it is another's turn"), _TRAP),
    Term("snared", text("one wall traps, but it is the own turn"), _TRAP),
    Term("two_exits", text("two walls trap"), _TRAP),
    Term("exits", text("places where few walls trap"), _TRAP),
    Term("can_be_shut", text("others have walls enough to trap"), _TRAP),
)


def _named(begin: str, terms: tuple[Term, ...]) -> tuple[Term, ...]:
    return tuple(replace(term, name=begin + term.name) for term in terms)


COUNTED: Final = (*_OF_HANDS, *_OF_RACES, *_OF_TRAPS)
"""The terms of one kind of wall; terms that make no sense as reasons for a turn have no aspect."""
TERMS: Final = (
    *_OF_HANDS,
    *_OF_RACES,
    *_named("short_", COUNTED),
    *_named("endless_", (*_OF_RACES, *_OF_TRAPS)),
)
"""In the order of the counts: terms for walls two squares long, for walls one square long, and for
walls one square long with unlimited hands, which have no terms of hands."""
