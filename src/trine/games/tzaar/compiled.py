"""The `Kernel` of the game; importing it compiles or loads the code.

Every action has a number from 0 to 3780:

- origin · 60 + target: a stack goes from a point onto the stack on another; captures and stackings
  share these numbers, since the owner of the second stack distinguishes them;
- 3600: a pass;
- 3601 + kind · 60 + point: a placement, with the kinds in the order Tott, Tzarra, Tzaar.

Points are numbered as on the board: a1 is 0, i5 is 59. The numbers never change.

Positions of the referee are also converted to rows of the kernel and back, exactly. Only the number
of the turn is lost, which does not count when positions are compared.
"""

from typing import Final

import numpy as np

from trine.core.compiled.arrays import Row
from trine.core.contract.heuristics import Kernel, check_number
from trine.games.tzaar.board import EMPTY, KINDS, PIECES, POINTS, SIDE, SIDES
from trine.games.tzaar.kernel import layout, observation
from trine.games.tzaar.kernel import rules as kernel
from trine.games.tzaar.kernel.layout import BIT_OF, DIRECTIONS
from trine.games.tzaar.position import Position
from trine.games.tzaar.referee import Stage
from trine.games.tzaar.rules import PASS, RULE_SETS, Action, Capture, Pass, Placement, Stacking

PASS_NUMBER: Final = len(POINTS) ** 2
FIRST_PLACEMENT: Final = PASS_NUMBER + 1
ACTIONS: Final = FIRST_PLACEMENT + len(KINDS) * len(POINTS)
"""The size of the action space; most of its actions are legal in no position."""


def number_of(position: Position, action: Action) -> int:
    """Return the number of an action; other games need the position for it."""
    if isinstance(action, Placement):
        return FIRST_PLACEMENT + KINDS.index(action.kind) * len(POINTS) + action.point
    if isinstance(action, Pass):
        return PASS_NUMBER
    return action.origin * len(POINTS) + action.target


def action_of(position: Position, number: int) -> Action:
    """Return the action with a number, legal or not: a stacking if the target is the mover's.

    Guarantee: `number_of` returns the number.
    """
    check_number(number, ACTIONS)
    if number == PASS_NUMBER:
        return PASS
    if number >= FIRST_PLACEMENT:
        kind, point = divmod(number - FIRST_PLACEMENT, len(POINTS))
        return Placement(KINDS[kind], point)
    origin, target = divmod(number, len(POINTS))
    own = SIDE[position.tops[origin]]
    if own >= 0 and position.tops[target] in PIECES[own]:
        return Stacking(origin, target)
    return Capture(origin, target)


_STAGES: Final = {
    layout.STAGE_ONE: Stage.ONE,
    layout.STAGE_TWO: Stage.TWO,
    layout.STAGE_FIRST: Stage.FIRST,
    layout.STAGE_PLACE: Stage.PLACE,
}
_STAGE_NUMBERS: Final = {each: number for number, each in _STAGES.items()}


def to_row(position: Position, row: Row) -> None:
    row[:] = 0
    for point, (top, height) in enumerate(zip(position.tops, position.heights, strict=True)):
        if top == EMPTY:
            continue
        for direction in range(DIRECTIONS):
            field, bit = direction * layout.FIELD, BIT_OF[direction, point]
            row[field + SIDE[top]] |= bit
            for digit in range(layout.DIGITS):
                if height - 1 >> digit & 1:
                    row[field + layout.BELOW + digit] |= bit
        kind = PIECES[SIDE[top]].index(top)
        if kind > 0:
            row[layout.TZARRAS + kind - 1] |= BIT_OF[0, point]
    row[layout.STATE] = layout.state_of(
        position.mover, _STAGE_NUMBERS[position.stage], position.rules.first_turn_single
    )
    row[layout.KEY] = layout.fresh_key(row)


def to_position(row: Row) -> Position:
    """Return the position in a row of the kernel; its turn has the number 1."""
    tops, heights = [EMPTY] * len(POINTS), [0] * len(POINTS)
    for side in SIDES:
        for kind in range(len(KINDS)):
            stacks = int(layout.stacks_of(row, side, kind))
            for point in POINTS:
                if stacks >> point & 1:
                    tops[point] = PIECES[side][kind]
                    heights[point] = 1 + int(layout.below(row, np.uint64(point)))
    single = bool(row[layout.STATE] & layout.FIRST_TURN_SINGLE)
    (rules,) = (rules for rules in RULE_SETS.values() if rules.first_turn_single is single)
    return Position(
        rules,
        "".join(tops),
        tuple(heights),
        int(layout.mover(row)),
        _STAGES[int(layout.stage(row))],
    )


KERNEL = Kernel.of(
    observation,
    layout,
    kernel,
    actions=lambda position: ACTIONS,
    number_of=number_of,
    action_of=action_of,
    to_row=to_row,
    to_position=to_position,
)
