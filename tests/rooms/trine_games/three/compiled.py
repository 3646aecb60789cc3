"""The game's `Kernel`; importing it compiles or loads the code.

The number of an action is that of its square.
"""

from trine.core.compiled.arrays import Row
from trine.core.contract.heuristics import Kernel, check_number
from trine_games.three.board import EMPTY, LETTERS, SIZE
from trine_games.three.kernel import rules as kernel
from trine_games.three.position import Position
from trine_games.three.rules import Mark


def number_of(position: Position, action: Mark) -> int:
    return action.square


def action_of(position: Position, number: int) -> Mark:
    """Return the action with a number; raises `MalformedError`."""
    check_number(number, SIZE)
    return Mark(number)


def to_row(position: Position, row: Row) -> None:
    for player, letter in enumerate(LETTERS):
        row[player] = sum(1 << square for square in range(SIZE) if position.board[square] == letter)


def to_position(row: Row) -> Position:
    board = [EMPTY] * SIZE
    for player, letter in enumerate(LETTERS):
        for square in range(SIZE):
            if int(row[player]) >> square & 1:
                board[square] = letter
    return Position("".join(board))


KERNEL = Kernel.of(
    kernel,
    actions=lambda position: SIZE,
    number_of=number_of,
    action_of=action_of,
    to_row=to_row,
    to_position=to_position,
)
