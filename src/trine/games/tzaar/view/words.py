"""What is said about a position of TZAAR: the cause of the play's end, and what to do next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from trine.core.contract.outcome import Cause, Outcome, Reason
from trine.core.text.sentence import Text, text
from trine.games.tzaar.board import KINDS, PIECE_NAMES, PIECES, SIDE_NAMES
from trine.games.tzaar.position import Position
from trine.games.tzaar.referee import Stage
from trine.games.tzaar.rules import missing_kind


def cause(position: Position, outcome: Outcome) -> Cause | None:
    """Return what has ended a play; None where it is not seen on the board."""
    if outcome.winner is None:
        return None
    loser = 1 - outcome.winner
    if outcome.reason is Reason.EXTINCTION:
        kind = missing_kind(position.tops, loser)
        return Cause(
            text("no {piece} is left", piece=PIECE_NAMES[PIECES[loser][KINDS.index(kind)]])
        )
    if outcome.reason is Reason.NO_CAPTURE:
        return Cause(text("{side} can capture nothing", side=SIDE_NAMES[loser]))
    return None


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
