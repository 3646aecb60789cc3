"""The picks of Arimaa: how actions are pointed at, and which pieces they move.

A step is pointed at by its two squares, whichever side the piece belongs to: a push or a pull is
two steps. A rabbit leaves the board to the strip beyond the last rank. A placement is the kind of
piece, in the tray of its side, and a square. The end of a turn is a button.
"""

from __future__ import annotations

from typing import Final

from trine.games.arimaa.board import OFF_BOARD, SQUARE_NAMES
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import Action, End, Placement, shift

END_BUTTON: Final = "#end"
BEYOND: Final = {"n": "off-n", "s": "off-s"}
"""The strips beyond rank 8 and rank 1, by the direction of a step that leads there."""


def picks(position: Position, action: Action) -> tuple[str, ...]:
    """Return the ids that a person points at, in order, to make a legal action.

    >>> from trine.games.arimaa.rules import RULE_SETS, Step
    >>> start = Position.before_setup(RULE_SETS["official"])
    >>> picks(start, Placement("C", 0)), picks(start, Step("R", 8, "n"))
    (('C', 'a1'), ('a2', 'a3'))
    """
    if isinstance(action, End):
        return (END_BUTTON,)
    if isinstance(action, Placement):
        return (action.piece, SQUARE_NAMES[action.square])
    off = action.target == OFF_BOARD
    target = BEYOND[action.direction] if off else SQUARE_NAMES[action.target]
    return (SQUARE_NAMES[action.origin], target)


def movements(position: Position, action: Action) -> tuple[tuple[str, str], ...]:
    """Return the pieces that a legal action moves, from square to square; empty means no square.

    >>> from trine.games.arimaa.diagrams import parse_position
    >>> from trine.games.arimaa.rules import RULE_SETS, Step
    >>> lone = parse_position("2g 8/8/8/8/2E5/8/8/R7", RULE_SETS["official"])
    >>> movements(lone, Step("E", 26, "s"))
    (('c4', 'c3'), ('c3', ''))
    """
    if isinstance(action, End):
        return ()
    if isinstance(action, Placement):
        return (("", SQUARE_NAMES[action.square]),)
    off = action.target == OFF_BOARD
    moved = (SQUARE_NAMES[action.origin], "" if off else SQUARE_NAMES[action.target])
    _, trap = shift(position.board, action.origin, action.target)
    return (moved,) if trap == OFF_BOARD else (moved, (SQUARE_NAMES[trap], ""))
