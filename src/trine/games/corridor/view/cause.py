"""The cause on the board of the end of a play of Corridor."""

from __future__ import annotations

from trine.core.contract.outcome import Cause, Outcome, Reason
from trine.core.text.sentence import text
from trine.games.corridor.board import square_name
from trine.games.corridor.position import Position


def cause(position: Position, outcome: Outcome) -> Cause | None:
    """Return what has ended a play; None where it is not seen on the board.

    >>> from trine.games import new_play
    >>> play = new_play("corridor", position="quoridor 5 2 c4,c2 b3h 9,9 1")
    >>> play.enter("c5")
    >>> print(cause(play.position, play.outcome).told)
    the pawn has reached c5
    """
    if outcome.reason is Reason.TRAPPED:
        return Cause(text("nobody has a way to the goal"))
    if outcome.reason is not Reason.GOAL or outcome.winner is None:
        return None
    cell = square_name(position.size, position.pawns[outcome.winner])
    return Cause(text("the pawn has reached {cell}", cell=cell), (cell,))
