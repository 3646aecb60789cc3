"""The parts that tests of the kernel share: its rows, and comparing it with the referee."""

import random

import numpy as np

from kernels import Numbers, Row, Rows, as_result
from mining.kernel import end_with
from trine.games.arimaa.board import EMPTY_BOARD, SIDE, SIDES, SQUARES, TRAPS
from trine.games.arimaa.compiled import KERNEL, LETTERS, action_of, number_of, to_position, to_row
from trine.games.arimaa.kernel import layout
from trine.games.arimaa.kernel import rules as kernel
from trine.games.arimaa.kernel.movegen import MAX_ACTIONS
from trine.games.arimaa.position import Position
from trine.games.arimaa.referee import FULL_HAND
from trine.games.arimaa.rules import Action, RuleSet, Step, is_supported

row_of = KERNEL.row_of


def rows_of(position: Position, depth: int) -> tuple[Rows, Numbers]:
    rows = np.zeros((depth + 1, layout.WORDS), np.uint64)
    to_row(position, rows[0])
    return rows, np.zeros((depth + 1, MAX_ACTIONS), np.int32)


def generated(row: Row) -> list[int]:
    out = np.full(MAX_ACTIONS + 8, -7, np.int32)
    total = kernel.generate(row, out)
    assert 0 <= total <= MAX_ACTIONS
    assert (out[total:] == -7).all(), "written past the end"
    return [int(number) for number in out[:total]]


def numbers(position: Position, actions: tuple[Action, ...]) -> list[int]:
    return sorted(number_of(position, action) for action in actions)


def named(position: Position, found: set[int]) -> list[str]:
    return sorted(str(action_of(position, number)) for number in found)


def after(row: Row, action: int) -> Row:
    rows = np.zeros((2, layout.WORDS), np.uint64)
    rows[0] = row
    kernel.play(rows, 0, action)
    assert (rows[0] == row).all()
    played: Row = rows[1]
    return played


def compare(position: Position, row: Row) -> None:
    assert (row == row_of(position)).all(), position
    assert to_position(row) == position
    assert kernel.mover(row) == position.mover
    assert kernel.key(row) == kernel.fresh_key(row), position
    outcome = position.outcome()
    assert kernel.result(row) == as_result(outcome), position
    ours = generated(row)
    theirs = [] if outcome else numbers(position, position.legal_actions())
    missing, surplus = set(theirs) - set(ours), set(ours) - set(theirs)
    assert sorted(ours) == theirs, (position, named(position, missing), named(position, surplus))


def scattered(rules: RuleSet, rng: random.Random, most: int = 13) -> Position:
    """Some pieces of both sides anywhere: more pushes, pulls and captures than after setups."""
    squares = rng.sample(SQUARES, 64)
    board = list(EMPTY_BOARD)
    for hand in (FULL_HAND, FULL_HAND.lower()):
        rabbit = hand[-1]
        for piece in [rabbit, *rng.sample(hand[:-1], rng.randrange(1, most))]:
            square = squares.pop()
            if not ((piece == "R" and square >= 56) or (piece == "r" and square < 8)):
                board[square] = piece
    made = "".join(board)
    for trap in TRAPS:
        if made[trap] != "." and not is_supported(made, trap):
            made = made[:trap] + "." + made[trap + 1 :]
    return Position.of(rules, made, rng.choice(SIDES))


def choose(position: Position, rng: random.Random) -> Action:
    """Half the time an action on an enemy piece, so that pushes and pulls are common."""
    actions = position.legal_actions()
    displacing = [
        action
        for action in actions
        if isinstance(action, Step) and SIDE[action.piece] != position.mover
    ]
    return rng.choice(displacing if displacing and rng.random() < 0.5 else actions)


def boards_after_turn(position: Position) -> list[str]:
    """All boards that the kernel finds after a whole turn, a few of them tried as positions."""
    row, ended = row_of(position), np.zeros(layout.WORDS, np.uint64)
    found = np.zeros((1 << 17, kernel.BOARD_WORDS), np.uint64)
    total = kernel.turn_results(row, found, np.zeros(1 << 18, np.uint64))
    assert total >= 0
    planes = found[1 : total + 1].byteswap() if position.mover else found[1 : total + 1].copy()
    if not position.mover:  # as the player to move sees it, who goes north
        planes[:, 3] ^= planes[:, 0] | planes[:, 1] | planes[:, 2]
    bits = planes[:, :, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
    codes = (bits << np.arange(4, dtype=np.uint64)[:, None]).sum(axis=1)
    boards: list[str] = np.array(list(LETTERS))[codes].view("U64")[:, 0].tolist()
    for number in range(0, total, 1 + total // 20):
        end_with(row, found, number + 1, ended)
        result = to_position(ended)
        assert result.board == boards[number]
        compare(result, ended)
    return boards
