"""The sentences beside the board of Arimaa."""

from __future__ import annotations

from trine.core.contract.position import Cause, Outcome, Reason
from trine.core.text.sentence import Text, join, ntext, text
from trine.games.arimaa.board import (
    ARMY,
    GOAL_RANKS,
    KINDS,
    PIECES,
    RABBITS,
    SIDE,
    SIDE_NAMES,
    SIDES,
    SQUARE_NAMES,
    STRENGTH,
    piece_name,
)
from trine.games.arimaa.position import Position
from trine.games.arimaa.reasons import piece_on, push_due
from trine.games.arimaa.rules import STEPS_IN_TURN, Action, Placement, Step


def status(position: Position) -> list[Text]:
    """Return the lines beside the board: the pieces to place, or steps left and captured pieces."""
    if position.hands:
        hand = position.hands[position.mover]
        return [text("to place: {pieces}", pieces=" ".join(hand))] if hand else []
    lines = [ntext("{count} step left", "{count} steps left", position.steps_left)]
    if position.push and position.push.due:
        lines.append(push_due(position))
    for side in SIDES:
        missing = _missing(position.board, side)
        if missing:
            lines.append(
                text("{side} lacks: {pieces}", side=SIDE_NAMES[side], pieces=" ".join(missing))
            )
    return lines


def _missing(board: str, side: int) -> str:
    return "".join(
        piece * (ARMY[kind] - board.count(piece))
        for kind, piece in zip(KINDS, PIECES[side], strict=True)
    )


def heading(position: Position, action: Action) -> tuple[tuple[int, int], Text]:
    """Return the group of a legal action, and its heading: the strongest pieces first."""
    if isinstance(action, Step):
        own = SIDE[action.piece] == position.mover
        on = piece_on(position.board, action.origin)
        order = (0 if own else 1, -STRENGTH[action.piece] * 64 + action.origin)
        return order, on if own else text("push or pull {piece}", piece=on)
    if isinstance(action, Placement):
        return (0, -STRENGTH[action.piece]), text("place: {piece}", piece=piece_name(action.piece))
    return (2, 0), text("end the turn")


# --- what has ended a play, and what to do next ---------------------------------------------------


def cause(position: Position, outcome: Outcome) -> Cause | None:
    """Return what on the board has ended a play; None if the board does not show it.

    >>> from trine.games import new_play
    >>> play = new_play("arimaa", position="2g r7/4R3/8/8/8/8/8/8")
    >>> play.enter("e7n end")
    >>> print(cause(play.position, play.outcome).text)
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
    texts = {
        Reason.ELIMINATION: text("{side} has no rabbit left", side=SIDE_NAMES[1 - winner]),
        Reason.IMMOBILIZATION: text("{side} cannot move", side=SIDE_NAMES[1 - winner]),
    }
    return Cause(texts[outcome.reason]) if outcome.reason in texts else None


def coach(position: Position) -> Text:
    """Return a sentence about what the player to move does next."""
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
