"""The picks of TZAAR: how actions are pointed at, and which stacks they move.

A capture or a stacking is pointed at by its two points; the owner of the stack on the second one
decides between the two. A placement is the kind of piece, in the tray of its side, and a point. A
pass is a button.
"""

from __future__ import annotations

from typing import Final

from trine.games.tzaar.board import KINDS, PIECES, POINT_NAMES
from trine.games.tzaar.position import Position
from trine.games.tzaar.rules import Action, Pass, Placement

PASS_BUTTON: Final = "#pass"


def picks(position: Position, action: Action) -> tuple[str, ...]:
    """Return the ids that a person points at, in order, to make a legal action."""
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
