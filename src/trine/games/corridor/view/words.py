"""What is said about a position of Corridor: the cause of the play's end, and what to do next."""

from __future__ import annotations

from trine.core.contract.outcome import Cause, Outcome, Reason
from trine.core.text.sentence import Text, text
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
