"""What is said about a position of Arimaa: the cause of the play's end, and what to do next."""

from __future__ import annotations

from trine.core.contract.outcome import Cause, Outcome, Reason
from trine.core.text.sentence import Text, join, ntext, text
from trine.games.arimaa.board import GOAL_RANKS, RABBITS, SIDE_NAMES, SQUARE_NAMES
from trine.games.arimaa.position import Position
from trine.games.arimaa.reasons import piece_on
from trine.games.arimaa.rules import STEPS_IN_TURN


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


def coach(position: Position) -> Text:
    """Return what the player to move does next.

    >>> from trine.games.arimaa.rules import RULE_SETS
    >>> print(coach(Position.before_setup(RULE_SETS["official"])))
    Place your 16 pieces: choose a setup, or drag them to your two ranks.
    """
    if position.hands:
        return _setting_up(position)
    if position.push and position.push.due:
        return text(
            "Now {pieces} must follow to {cell}.",
            pieces=join(
                [piece_on(position.board, square) for square in position.push.pushers], " / "
            ),
            cell=SQUARE_NAMES[position.push.square],
        )
    if position.steps_left == STEPS_IN_TURN:
        return text("Make up to four steps, with one piece or several.")
    if not position.steps_left:
        return text("No step is left: end the turn, or undo.")
    if position.board == position.start:
        return text("Everything stands as before: a turn must change the board.")
    return ntext(
        "{count} step left, or end the turn.",
        "{count} steps left, or end the turn.",
        position.steps_left,
    )


def _setting_up(position: Position) -> Text:
    assert position.hands
    left = len(position.hands[position.mover])
    if not left:
        return text("All your pieces stand: end the turn, or exchange two of them.")
    if not position.turn_open:
        return ntext(
            "Place your piece: drag it to your two ranks.",
            "Place your {count} pieces: choose a setup, or drag them to your two ranks.",
            left,
        )
    return ntext(
        "{count} piece is still to be placed.", "{count} pieces are still to be placed.", left
    )
