"""From the referee's position to the kernel's row and back, exactly.

Only the number of the turn is lost, which does not count when positions are compared.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.games.tzaar.board import EMPTY, KINDS, PIECES, POINTS, SIDE, SIDES
from trine.games.tzaar.kernel_lines import BIT_OF, DIRECTIONS, Words
from trine.games.tzaar.kernel_row import (
    BELOW,
    DIGITS,
    FIELD,
    FIRST_TURN_SINGLE,
    KEY,
    STAGE_FIRST,
    STAGE_ONE,
    STAGE_PLACE,
    STAGE_TWO,
    STATE,
    TZARRAS,
    below,
    fresh_key,
    mover,
    stacks_of,
    stage,
    state_of,
)
from trine.games.tzaar.position import Position, Stage
from trine.games.tzaar.rules import RULE_SETS

_STAGES: Final = {
    STAGE_ONE: Stage.ONE,
    STAGE_TWO: Stage.TWO,
    STAGE_FIRST: Stage.FIRST,
    STAGE_PLACE: Stage.PLACE,
}
_STAGE_NUMBERS: Final = {stage: number for number, stage in _STAGES.items()}


def to_row(position: Position, row: Words) -> None:
    """Write a position into a row of the kernel.

    Shapes: `row` has `WORDS` words, and is the caller's.
    """
    row[:] = 0
    for point, (top, height) in enumerate(zip(position.tops, position.heights, strict=True)):
        if top == EMPTY:
            continue
        for direction in range(DIRECTIONS):
            field, bit = direction * FIELD, BIT_OF[direction, point]
            row[field + SIDE[top]] |= bit
            for digit in range(DIGITS):
                if height - 1 >> digit & 1:
                    row[field + BELOW + digit] |= bit
        kind = PIECES[SIDE[top]].index(top)
        if kind > 0:
            row[TZARRAS + kind - 1] |= BIT_OF[0, point]
    row[STATE] = state_of(
        position.mover, _STAGE_NUMBERS[position.stage], position.rules.first_turn_single
    )
    row[KEY] = fresh_key(row)


def to_position(row: Words) -> Position:
    """The position in a row of the kernel; its turn has the number 1."""
    tops, heights = [EMPTY] * len(POINTS), [0] * len(POINTS)
    for side in SIDES:
        for kind in range(len(KINDS)):
            stacks = int(stacks_of(row, side, kind))
            for point in POINTS:
                if stacks >> point & 1:
                    tops[point] = PIECES[side][kind]
                    heights[point] = 1 + int(below(row, np.uint64(point)))
    single = bool(row[STATE] & FIRST_TURN_SINGLE)
    (rules,) = (rules for rules in RULE_SETS.values() if rules.first_turn_single is single)
    return Position(rules, "".join(tops), tuple(heights), int(mover(row)), _STAGES[int(stage(row))])
