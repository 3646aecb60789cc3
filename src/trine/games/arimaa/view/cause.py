"""The cause on the board of the end of a play of Arimaa."""

from __future__ import annotations

from trine.core.contract.outcome import Cause, Outcome, Reason
from trine.core.text.sentence import text
from trine.games.arimaa.board import GOAL_RANKS, RABBITS, SIDE_NAMES, SQUARE_NAMES
from trine.games.arimaa.position import Position


def cause(position: Position, outcome: Outcome) -> Cause | None:
    """Return what has ended a play; None where it is not seen on the board.

    >>> from trine.games import new_play
    >>> play = new_play("arimaa", position="2g r7/4R3/8/8/8/8/8/8")
    >>> play.enter("e7n end")
    >>> print(cause(play.position, play.outcome).told)
    a rabbit has reached e8
    """
    winner = outcome.winner
    if outcome.reason is Reason.ELIMINATION and winner is None:
        return Cause(text("neither side has a rabbit left"))
    if winner is None:
        return None
    if outcome.reason is Reason.GOAL:
        board, rabbit = position.board, RABBITS[winner]
        cells = [SQUARE_NAMES[one] for one in GOAL_RANKS[winner] if board[one] == rabbit]
        return Cause(text("a rabbit has reached {cell}", cell=cells[0]), tuple(cells))
    told = {
        Reason.ELIMINATION: text("{side} has no rabbit left", side=SIDE_NAMES[1 - winner]),
        Reason.IMMOBILIZATION: text("{side} cannot move", side=SIDE_NAMES[1 - winner]),
    }
    return Cause(told[outcome.reason]) if outcome.reason in told else None
