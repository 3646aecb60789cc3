"""The cause on the board of the end of a play of TZAAR."""

from __future__ import annotations

from trine.core.contract.outcome import Cause, Outcome, Reason
from trine.core.text.sentence import text
from trine.games.tzaar.board import KINDS, PIECE_NAMES, PIECES, SIDE_NAMES
from trine.games.tzaar.position import Position
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
