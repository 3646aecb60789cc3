"""A number for every action of Corridor, for programs that count; it depends on the board's size n.

- 0 to n² - 1: the pawn goes to a square; before all start squares are chosen, it is put there;
- n² + square: a wall lies by the square, as ``e3h`` says; 2n² + square: one stands, ``e3v``;
- 3n²: a pass.

Squares are numbered as on the board: a1 is 0, and the last one n² - 1. The numbers never change.
"""

from __future__ import annotations

from typing import Final

from trine.core.errors import MalformedError
from trine.core.text import text
from trine.games.corridor.board import square_at
from trine.games.corridor.position import Position
from trine.games.corridor.rules import PASS, Action, Axis, Choice, Move, Pass, Wall, footprints

AXES: Final[tuple[Axis, ...]] = ("h", "v")
"""In the order of their numbers."""


def actions_of(size: int) -> int:
    """How many numbers there are on a board of a size; some are no action at all.

    >>> actions_of(9)
    244
    """
    return 3 * size * size + 1


def number_of(position: Position, action: Action) -> int:
    """The number of an action; of the position only the size is looked at.

    >>> from trine.games.corridor.starts import start
    >>> position = start("quoridor", {})
    >>> [number_of(position, action) for action in (Move(4, 1), Wall(4, 2, "v"), PASS)]
    [13, 184, 243]
    """
    area = position.size * position.size
    if isinstance(action, Pass):
        return 3 * area
    square = square_at(position.size, action.file, action.rank)
    return square + area * (1 + AXES.index(action.axis)) if isinstance(action, Wall) else square


def action_of(position: Position, number: int) -> Action:
    """The action with a number, legal or not; while start squares are chosen, a square is a choice.

    Raises:
        MalformedError: no action has this number: it is too large, or no wall has a place there.

    Guarantee: `number_of` gives the number back.

    >>> from trine.games.corridor.starts import start
    >>> [str(action_of(start("quoridor", {}), number)) for number in (13, 184, 243)]
    ['e2', 'e3v', '-']
    """
    size = position.size
    if number not in range(actions_of(size)):
        raise MalformedError(
            text(
                "{given} is no number of an action; expected 0 to {last}",
                given=number,
                last=actions_of(size) - 1,
            )
        )
    kind, square = divmod(number, size * size)
    rank, file = divmod(square, size)
    if kind == 0:
        return Choice(file, rank) if position.in_setup else Move(file, rank)
    if kind > len(AXES):
        return PASS
    wall = Wall(file, rank, AXES[kind - 1])
    if wall not in footprints(size, position.rules.wall_length):
        raise MalformedError(
            text(
                "{given} is no number of an action: no wall has a place at {wall}",
                given=number,
                wall=str(wall),
            )
        )
    return wall
