"""Every action of Arimaa as a number, the same in every position, rule set and version.

| numbers | action |
|---|---|
| 0–255 | 4 · square + direction: an orthogonal step, the directions being n, e, s, w |
| 256–511 | 256 + 4 · square + direction: a diagonal step, the directions being ne, se, sw, nw |
| 512 | the end of the turn |
| 513–896 | 513 + 64 · kind + square: a placement, the kinds being E, M, H, D, C, R |

Squares count from 0 (a1) over 7 (h1) to 63 (h8). A number does not tell which piece makes the step,
nor whose piece is placed: the position does. An ejection is a step that leaves the board.
"""

from __future__ import annotations

from typing import Final

from trine.core.errors import MalformedError
from trine.core.text import text
from trine.games.arimaa.board import DIRECTIONS, EMPTY, KINDS, PIECES, STRAIGHT
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import END, STEPS, Action, Placement, Step

CORNERS: Final = tuple(DIRECTIONS)[len(STRAIGHT) :]
"""The diagonal directions, in the order of their numbers."""
FIRST_DIAGONAL: Final = 256
END_NUMBER: Final = 512
FIRST_PLACEMENT: Final = 513
ACTIONS: Final = FIRST_PLACEMENT + 64 * len(KINDS)
"""How many numbers there are."""


def number_of(position: Position, action: Action) -> int:
    """The number of an action.

    >>> from trine.games.arimaa.setups import start_position
    >>> from trine.games.arimaa.rules import RULE_SETS
    >>> start = start_position(RULE_SETS["official"])
    >>> number_of(start, Placement("E", 12)), number_of(start, END)
    (525, 512)
    """
    if isinstance(action, Step):
        if action.direction in STRAIGHT:
            return 4 * action.origin + STRAIGHT.index(action.direction)
        return FIRST_DIAGONAL + 4 * action.origin + CORNERS.index(action.direction)
    if isinstance(action, Placement):
        return FIRST_PLACEMENT + 64 * KINDS.index(action.piece.upper()) + action.square
    return END_NUMBER


def action_of(position: Position, number: int) -> Action:
    """The action of a number in a position.

    Raises:
        MalformedError: no action has this number, or it is a step from an empty square.

    >>> from trine.games.arimaa.setups import start_position
    >>> from trine.games.arimaa.rules import RULE_SETS
    >>> str(action_of(start_position(RULE_SETS["official"]), 525))
    'Ee2'
    """
    if number == END_NUMBER:
        return END
    if FIRST_PLACEMENT <= number < ACTIONS:
        kind, square = divmod(number - FIRST_PLACEMENT, 64)
        return Placement(PIECES[position.mover][kind], square)
    if 0 <= number < END_NUMBER:
        square, direction = divmod(number % FIRST_DIAGONAL, 4)
        piece = position.board[square]
        if piece != EMPTY:
            directions = STRAIGHT if number < FIRST_DIAGONAL else CORNERS
            return STEPS[piece, square, directions[direction]]
    raise MalformedError(text("{number} is not the number of an action here", number=number))
