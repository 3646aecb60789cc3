"""The number of an action is that of its square; conversion of positions to rows and back."""

from __future__ import annotations

from typing import Final

from trine.core.compiled.arrays import Row
from trine.core.contract.heuristics import check_number
from trine_games.three.board import EMPTY, LETTERS, SIZE
from trine_games.three.position import Position
from trine_games.three.rules import Mark

ACTIONS: Final = SIZE


def number_of(position: Position, action: Mark) -> int:
    return action.square


def action_of(position: Position, number: int) -> Mark:
    """Return the action with a number; raises `MalformedError`."""
    check_number(number, ACTIONS)
    return Mark(number)


def to_row(position: Position, row: Row) -> None:
    """Write a position into a row."""
    for player, letter in enumerate(LETTERS):
        row[player] = sum(1 << square for square in range(SIZE) if position.board[square] == letter)


def to_position(row: Row) -> Position:
    board = [EMPTY] * SIZE
    for player, letter in enumerate(LETTERS):
        for square in range(SIZE):
            if int(row[player]) >> square & 1:
                board[square] = letter
    return Position("".join(board))
