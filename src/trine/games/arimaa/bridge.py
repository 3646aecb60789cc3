"""Positions of the referee as rows of the kernel, and back, exactly.

Only what equal positions may differ in is lost: the number of the turn, and the square that a
pusher has left.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.games.arimaa.board import EMPTY, KINDS, PIECES, SIDE, SIDES, SQUARES
from trine.games.arimaa.kernel_row import (
    BOARD,
    BOARD_KEY,
    DUE,
    FOLLOWERS,
    HAND_AT,
    HAND_MASK,
    IN_SETUP,
    IS_DIAGONAL,
    IS_EJECTION,
    IS_LOSING,
    LEFT_AT,
    MOVER,
    PUSHING,
    START,
    START_KEY,
    STATE,
    STEPS,
    STEPS_AT,
    STRENGTH_AT,
    Words,
    fresh_board_key,
    squares_of,
    stir,
)
from trine.games.arimaa.position import Position, Pull, Push
from trine.games.arimaa.rules import RULE_SETS, RuleSet, can_pull

LETTERS: Final = EMPTY + KINDS[::-1] + EMPTY * 2 + KINDS[::-1].lower()
"""The letter of each strength, and of each strength and 8 for silver."""


RULES: Final = int(IS_DIAGONAL | IS_EJECTION | IS_LOSING)


def _bits_of(rules: RuleSet) -> int:
    return (
        int(IS_DIAGONAL) * rules.diagonal
        | int(IS_EJECTION) * rules.ejection
        | int(IS_LOSING) * rules.no_rabbits_loses
    )


RULES_OF: Final = {_bits_of(rules): rules for rules in RULE_SETS.values()}
"""The rule set of each value of the bits of the rules; no two have the same."""


def to_row(position: Position, row: Words) -> None:
    """Write a position to a row."""
    for board, first in ((position.board, BOARD), (position.start, START)):
        for plane in range(4):
            row[first + plane] = squares_of(
                square for square in SQUARES if LETTERS.index(board[square]) >> plane & 1
            )
    row[BOARD_KEY] = fresh_board_key(*row[BOARD : BOARD + 4])
    row[START_KEY] = stir(fresh_board_key(*row[START : START + 4]))
    row[STATE] = _state(position)
    row[FOLLOWERS] = _followers(position)


def to_position(row: Words, number: int = 2) -> Position:
    """The position in a row, at the turn of a number, which does not stand in the row."""
    state = int(row[STATE])
    rules = RULES_OF[state & RULES]
    left = state >> int(LEFT_AT) & 63
    strength = state >> int(STRENGTH_AT) & 7
    by = tuple(near for near in rules.reach[left] if int(row[FOLLOWERS]) >> near & 1)
    return Position(
        rules,
        _board(row, BOARD),
        mover=int(state & int(MOVER) > 0),
        number=number,
        steps=(state & int(STEPS)) >> int(STEPS_AT),
        start=_board(row, START),
        pull=Pull(left, strength) if strength else None,
        push=Push(left, by, due=state & int(DUE) > 0) if state & int(PUSHING) else None,
        hands=(_hand(state, 0), _hand(state, 1)) if state & int(IN_SETUP) else None,
    )


def _board(row: Words, first: int) -> str:
    planes = [int(row[first + plane]) for plane in range(4)]
    return "".join(
        LETTERS[sum((bits >> square & 1) << plane for plane, bits in enumerate(planes))]
        for square in SQUARES
    )


def _hand(state: int, side: int) -> str:
    return "".join(
        letter * (state >> int(HAND_AT[side, kind]) & int(HAND_MASK[kind]))
        for kind, letter in enumerate(PIECES[side])
    )


def _state(position: Position) -> np.uint64:
    pull, push = position.pull, position.push
    state = _bits_of(position.rules) | int(MOVER) * position.mover | position.steps << int(STEPS_AT)
    if pull:
        state |= pull.left << int(LEFT_AT) | pull.strength << int(STRENGTH_AT)
    if push:
        state |= push.square << int(LEFT_AT) | int(PUSHING) | int(DUE) * push.due
    if position.hands:
        state |= int(IN_SETUP)
        for side in SIDES:
            for kind, letter in enumerate(PIECES[side]):
                state |= position.hands[side].count(letter) << int(HAND_AT[side, kind])
    return np.uint64(state)


def _followers(position: Position) -> np.uint64:
    """Who may take the square that the last step has left."""
    if position.push:
        return squares_of(position.push.pushers)
    if not position.pull:
        return np.uint64(0)
    rules, board, pull = position.rules, position.board, position.pull
    return squares_of(
        near
        for near in rules.reach[pull.left]
        if SIDE[board[near]] == 1 - position.mover
        and can_pull(rules, board, near, pull.strength, pull.left)
    )
