"""Pointer input on a board of Corridor: picks (clicks or taps), gestures, and refusals.

One pick is enough: the square that the pawn goes to or starts on, or the place of a wall. The pawn
itself may be picked or dragged but need not be, because a player has only one. A forced pass is a
button.
"""

from collections.abc import Sequence
from typing import Final

from trine.core.contract.choices import Choosable
from trine.core.contract.position import NO_HISTORY, History
from trine.core.errors import MalformedError
from trine.core.scene.composing import Movement
from trine.core.text.sentence import Text
from trine.games.corridor.board import place_name, square_name
from trine.games.corridor.notation import parse_action
from trine.games.corridor.position import Position, law
from trine.games.corridor.rules import PASS, Action, Choice, Move, Pass, Wall

PASS_BUTTON: Final = "#pass"


def picks(position: Position, action: Action) -> tuple[str, ...]:
    if isinstance(action, Pass):
        return (PASS_BUTTON,)
    if isinstance(action, Wall):
        return (str(action),)
    return (place_name(action.file, action.rank),)


def movements(position: Position, action: Action) -> tuple[Movement, ...]:
    if isinstance(action, Pass):
        return ()
    (target,) = picks(position, action)
    pawn = position.pawns[position.mover]
    return ((square_name(position.size, pawn) if isinstance(action, Move) else "", target),)


def handles(position: Position) -> list[str]:
    """Return the square of the mover's pawn; empty if it can go nowhere."""
    pawn = position.pawns[position.mover]
    return [square_name(position.size, pawn)] if pawn >= 0 and position.legal_moves() else []


def gestures(
    position: Position, drafted: Sequence[Action], spot: str, history: History = NO_HISTORY
) -> list[Choosable]:
    """Return the moves of the pawn that a drag, or two taps, can make from its square."""
    if spot not in handles(position):
        return []
    moves = [one for one in position.legal_actions(history) if isinstance(one, Move)]
    return [Choosable(str(one), (spot, *picks(position, one))) for one in moves]


def refusal(position: Position, picks: Sequence[str], history: History) -> Text | None:
    *_, last = picks
    if last == PASS_BUTTON:
        return position.why_not(PASS, history)
    pawn = position.pawns[position.mover]
    chosen = len(picks) == 1 and pawn >= 0 and last == square_name(position.size, pawn)
    if chosen and not position.outcome(history):
        nowhere = law("nowhere", cell=last)
        return None if position.legal_moves() else nowhere
    try:
        action = parse_action(last)
    except MalformedError:
        return None
    if position.in_setup and isinstance(action, Move):
        action = Choice(action.file, action.rank)
    return position.why_not(action, history)
