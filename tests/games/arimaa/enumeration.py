"""All that can happen within a turn, tried out action by action with the kernel; and positions."""

import random
from typing import Any

import numba
import numpy as np

from trine.core.contract.score import ONGOING
from trine.games.arimaa.board import EMPTY_BOARD, SIDES, SQUARES, TRAPS
from trine.games.arimaa.compiled import KERNEL
from trine.games.arimaa.kernel import layout
from trine.games.arimaa.kernel import rules as room
from trine.games.arimaa.kernel.layout import DUE, MOVER, TARGET_BIT
from trine.games.arimaa.kernel.movegen import MAX_ACTIONS
from trine.games.arimaa.kernel.sets import GOLD_GOAL, SILVER_GOAL
from trine.games.arimaa.position import Position
from trine.games.arimaa.referee import FULL_HAND
from trine.games.arimaa.rules import RULE_SETS, is_supported

Array = np.ndarray[Any, Any]
NO_GOAL = 99

generate, play = room.generate, room.play


@numba.njit
def fewest(rows, ply, buffers, most):  # type: ignore[no-untyped-def]
    """The fewest steps to a goal at which the turn may end, if there are so few, or `NO_GOAL`."""
    row = rows[ply]
    rabbits = row[0] & ~(row[1] | row[2])
    if row[10] & MOVER:
        there = rabbits & row[3] & SILVER_GOAL
    else:
        there = rabbits & ~row[3] & GOLD_GOAL
    if there and not row[10] & DUE:
        return 0
    best = NO_GOAL
    if most > 0:
        for index in range(generate(row, buffers[ply])):
            action = int(buffers[ply, index])
            if action < 512:
                play(rows, ply, action)
                best = min(best, 1 + fewest(rows, ply + 1, buffers, min(most, best - 1) - 1))
    return best


@numba.njit
def removable(rows, ply, buffers):  # type: ignore[no-untyped-def]
    """The squares of the enemies that some sequence of steps removes, each followed by its square."""
    row, after = rows[ply], rows[ply + 1]
    before = row[3] if not row[10] & MOVER else (row[0] | row[1] | row[2]) & ~row[3]
    found = np.uint64(0)
    for index in range(generate(row, buffers[ply])):
        action = int(buffers[ply, index])
        if action >= 512:
            continue
        play(rows, ply, action)
        then = after[3] if not row[10] & MOVER else (after[0] | after[1] | after[2]) & ~after[3]
        later = removable(rows, ply + 1, buffers)
        origin, target = np.uint64(1) << np.uint64(action >> 2 & 63), TARGET_BIT[action]
        others = before & ~origin
        found |= others & (~then | later)
        if before & origin and (not then & target or later & target):
            found |= origin
    return found


row_of = KERNEL.row_of


def space(row: Array) -> tuple[Array, Array]:
    rows = np.zeros((8, layout.WORDS), np.uint64)
    rows[0] = row
    return rows, np.zeros((8, MAX_ACTIONS), np.int32)


def fewest_steps(row: Array) -> int:
    rows, buffers = space(row)
    return int(fewest(rows, 0, buffers, 4))


def removable_squares(row: Array) -> int:
    rows, buffers = space(row)
    return int(removable(rows, 0, buffers))


def crowded(rng: random.Random, near_goal: float = 0.7) -> Position:
    squares = rng.sample(SQUARES, 64)
    board = list(EMPTY_BOARD)
    for hand in (FULL_HAND, FULL_HAND.lower()):
        officers = rng.sample(hand[:-8], rng.randrange(1, 9))
        for piece in [hand[-1]] * rng.choice([1, 2, 3, 6]) + officers:
            square = squares.pop()
            if piece in "Rr" and rng.random() < near_goal:
                rank = rng.choice([4, 5, 6])
                square = 8 * (rank if piece == "R" else 7 - rank) + square % 8
            at_goal = (piece == "R" and square >= 56) or (piece == "r" and square < 8)
            if board[square] == "." and not at_goal:
                board[square] = piece
    made = "".join(board)
    for trap in TRAPS:
        if made[trap] != "." and not is_supported(made, trap):
            made = made[:trap] + "." + made[trap + 1 :]
    return Position.of(RULE_SETS[rng.choice(sorted(RULE_SETS))], made, rng.choice(SIDES))


def rows_within(position: Position, rng: random.Random) -> list[Array]:
    """The rows of a turn at random, from its beginning to its fourth step; pushes are common."""
    row, found = row_of(position), []
    while room.result(row) == ONGOING:
        found.append(row)
        rows, buffers = space(row)
        total = room.generate(row, buffers[0])
        steps = [int(action) for action in buffers[0, :total] if action < 512]
        if not steps:
            break
        enemies = row[3] if not row[10] & MOVER else (row[0] | row[1] | row[2]) & ~row[3]
        pushes = [step for step in steps if int(enemies) >> (step >> 2 & 63) & 1]
        room.play(rows, 0, rng.choice(pushes if pushes and rng.random() < 0.5 else steps))
        row = rows[1].copy()
    return found
