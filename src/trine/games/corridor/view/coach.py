"""The next thing for the player to move in Corridor to do, in the words of somebody who points."""

from __future__ import annotations

from trine.core.text.sentence import Text, text
from trine.games.corridor.position import Position


def coach(position: Position) -> Text:
    """Return what the player to move does next.

    >>> from trine.games.corridor.rules import RULE_SETS
    >>> print(coach(Position.first(RULE_SETS["quoridor"])))
    Move your pawn, or tap between squares to set a wall.
    """
    if position.in_setup:
        return text("Choose the square on your side where your pawn begins.")
    if position.hands[position.mover] == 0:
        return text("Move your pawn: you have no wall left.")
    return text("Move your pawn, or tap between squares to set a wall.")
