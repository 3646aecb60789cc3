"""The picks of Corridor: how actions are pointed at.

Each needs one place only: the square that the pawn goes to or starts on, or the place of a wall.
The pawn itself need not be pointed at, since a player has only one. A forced pass is a button.
"""

from __future__ import annotations

from typing import Final

from trine.games.corridor.board import place_name
from trine.games.corridor.position import Position
from trine.games.corridor.rules import Action, Pass, Wall

PASS_BUTTON: Final = "#pass"


def picks(position: Position, action: Action) -> tuple[str, ...]:
    """Return the ids that a person points at, in order, to make a legal action.

    >>> from trine.games.corridor.rules import PASS, RULE_SETS, Choice
    >>> first = Position.first(RULE_SETS["corridor"])
    >>> [picks(first, action) for action in (Choice(4, 0), Wall(4, 2, "h"), PASS)]
    [('e1',), ('e3h',), ('#pass',)]
    """
    if isinstance(action, Pass):
        return (PASS_BUTTON,)
    if isinstance(action, Wall):
        return (str(action),)
    return (place_name(action.file, action.rank),)
