"""Pointer input on a board of TZAAR: picks (clicks or taps), and refusals."""

from collections.abc import Sequence
from typing import Final

from trine.core.contract.position import History
from trine.core.text.sentence import Text
from trine.games.tzaar.board import EMPTY, KINDS, PIECES, POINT_NAMES, POINT_OF, SIDE, SIDE_NAMES
from trine.games.tzaar.position import Position, law, piece_on
from trine.games.tzaar.rules import PASS, Action, Capture, Pass, Placement, Stacking

PASS_BUTTON: Final = "#pass"
SLOTS: Final = frozenset("".join(PIECES))  # the spots in the trays


def picks(position: Position, action: Action) -> tuple[str, ...]:
    """Return the ids that a person points at, in order, to make a legal action.

    Two points make a stacking if the stack on the second is the player's own, else a capture.
    """
    if isinstance(action, Pass):
        return (PASS_BUTTON,)
    if isinstance(action, Placement):
        slot = PIECES[position.mover][KINDS.index(action.kind)]
        return (slot, POINT_NAMES[action.point])
    return (POINT_NAMES[action.origin], POINT_NAMES[action.target])


def movements(position: Position, action: Action) -> tuple[tuple[str, str], ...]:
    """Return the stacks that a legal action moves, from point to point; empty means no point.

    A stack that another one goes onto no longer exists, even if both become one.
    """
    if isinstance(action, Pass):
        return ()
    if isinstance(action, Placement):
        return (("", POINT_NAMES[action.point]),)
    target = POINT_NAMES[action.target]
    return ((target, ""), (POINT_NAMES[action.origin], target))


def refusal(position: Position, picks: Sequence[str], history: History) -> Text | None:
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
