"""The refusals of Corridor: why nothing comes of what a person points at."""

from __future__ import annotations

from collections.abc import Sequence

from trine.core.contract.position import History
from trine.core.errors import MalformedError
from trine.core.text.sentence import Text
from trine.games.corridor.board import square_name
from trine.games.corridor.notation import parse_action
from trine.games.corridor.position import Position
from trine.games.corridor.reasons import law
from trine.games.corridor.rules import PASS, Choice, Move
from trine.games.corridor.view.picks import PASS_BUTTON


def refusal(position: Position, picks: Sequence[str], history: History) -> Text | None:
    """Return why nothing comes of these picks; None if something can, or no place is meant."""
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
