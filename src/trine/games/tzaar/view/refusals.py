"""The refusals of TZAAR: why nothing comes of what a person points at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trine.core.contract.position import History
from trine.core.text.sentence import Text
from trine.games.tzaar.board import EMPTY, PIECES, POINT_OF, SIDE, SIDE_NAMES
from trine.games.tzaar.position import Position
from trine.games.tzaar.reasons import law, piece_on
from trine.games.tzaar.rules import PASS, Capture, Placement, Stacking
from trine.games.tzaar.view.board import PASS_BUTTON

SLOTS: Final = frozenset("".join(PIECES))
"""The spots in the trays."""


def refusal(position: Position, picks: Sequence[str], history: History) -> Text | None:
    """Return why nothing comes of these picks; None if something can, or no point is meant."""
    first, last = picks[0], picks[-1]
    if last == PASS_BUTTON:
        return position.why_not(PASS)
    slot = last if last in SLOTS else first
    if slot in SLOTS:
        if position.in_setup and SIDE[slot] != position.mover:
            return law("other-places", side=SIDE_NAMES[position.mover])
        point = POINT_OF.get(last, max(position.tops.find(EMPTY), 0))
        return position.why_not(Placement(slot.upper(), point))
    if first not in POINT_OF or last not in POINT_OF:
        return None
    target = POINT_OF[last]
    onto_own = position.tops[target] in PIECES[position.mover]
    may_choose = len(picks) == 1 or (onto_own and not position.turn_open)
    if may_choose and ((nothing := _why_nothing(position, target)) or len(picks) == 1):
        return nothing
    return position.why_not((Stacking if onto_own else Capture)(POINT_OF[first], target))


def _why_nothing(position: Position, point: int) -> Text | None:
    """Return why nothing can be done with a point; None if something can."""
    tops = position.tops
    if position.in_setup:
        return None if tops[point] == EMPTY else position.why_not(Placement("T", point))
    if any(
        isinstance(action, Capture | Stacking) and action.origin == point
        for action in position.legal_actions()
    ):
        return None
    if position.outcome() or SIDE[tops[point]] != position.mover:
        return position.why_not(Capture(point, point))
    return law("captures-nothing", piece=piece_on(tops, point))
