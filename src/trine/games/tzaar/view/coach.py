"""The next thing for the player to move in TZAAR to do, in the words of somebody who points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from trine.core.text.sentence import Text, text
from trine.games.tzaar.position import Position
from trine.games.tzaar.referee import Stage

NEXT: Final[Mapping[Stage, Text]] = {
    Stage.PLACE: text("Place a piece on any free point: choose its kind, then the point."),
    Stage.FIRST: text("The first turn is one capture: choose a piece, then what it takes."),
    Stage.ONE: text("You must capture: choose a stack, then what it takes."),
    Stage.TWO: text("You may still capture, stack or pass."),
}


def coach(position: Position) -> Text:
    """Return what the player to move does next.

    >>> from trine.games.tzaar.rules import RULE_SETS
    >>> print(coach(Position.before_placement(RULE_SETS["open"])))
    Place a piece on any free point: choose its kind, then the point.
    """
    return NEXT[position.stage]
