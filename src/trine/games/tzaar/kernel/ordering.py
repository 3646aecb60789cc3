"""Move ordering, tactical actions of TZAAR for the quiescence search, and its null move.

The order is by points for actions, so that promising ones are searched first. The points are
log-odds: the more points an action has, the likelier the search is to choose it, with `UNIT` points
for each unit of natural logarithm. They are fitted to the choices of the search in 11,600 positions
of games with itself, with 6,000 nodes each (multinomial logistic regression). Of 57 legal actions
on average, the chosen one has 9 before it at a first action, 4 at a second.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.compiled.arrays import Buffer, Row, Rows
from trine.core.compiled.bits import NONE, ONE, Word, count, lowest
from trine.core.compiled.jit import kernel
from trine.games.tzaar.board import ARMY, BLACK, KINDS, WHITE
from trine.games.tzaar.kernel import attacks, layout
from trine.games.tzaar.kernel.rules import PASS, captures, digits_used

UNIT: Final = 100
MAX_POINTS: Final = 1000


def _points(*logarithms: float) -> NDArray[np.int64]:
    return np.array([round(UNIT * logarithm) for logarithm in logarithms], np.int64)


def _by_number(*logarithms: float) -> list[int]:
    """Return points by the number of stacks of a kind, given those for 1, 2, 3, 4, 6, 9 and all."""
    steps = (1, 2, 3, 4, 6, 9, max(ARMY.values()))
    points = _points(*logarithms).tolist()
    return [
        points[min(place for place, step in enumerate(steps) if number <= step)]
        for number in range(steps[-1] + 1)
    ]


# The points of captures, as the first and as the second action of a turn.
CAPTURE: Final = _points(-1.5, -4.1)
"""The points of every capture; pruning may skip actions with less than 0 points."""
TAKEN: Final = np.array(
    [
        _by_number(MAX_POINTS / UNIT, 0.6, 0.4, 0.7, -1.0, -0.9, 0.3),
        _by_number(MAX_POINTS / UNIT, 0.4, -0.1, 0.8, -0.2, -0.5, -1.2),
    ],
    np.int64,
)
"""Shapes: action, number of stacks of the captured kind. The points of the capture."""
TAKEN_BELOW: Final = _points(1.85, 3.56)  # points for each captured piece below the top
TAKEN_TALLEST: Final = _points(1.3, 2.6)
"""Points for capturing one of the other side's tallest stacks."""
FLIGHT: Final = _points(1.4, 3.2)  # points if the moving stack could be captured at its origin
BELOW: Final = _points(0.5, 0.5)  # points for each piece below the top of the moving stack
RETAKEN: Final = _points(-1.1, -3.0)  # points if the moving stack can be captured at its target
RETAKEN_BELOW: Final = _points(0.7, -0.3)

# The points of stackings and of the pass, which are always second actions.
PASSED: Final = -400
STACKING: Final = -210
COVERED: Final = np.array(_by_number(-MAX_POINTS / UNIT, -0.2, -0.1, 0.2, 1.3, 1.5, -0.4), np.int64)
"""Shapes: number of stacks of the covered kind. The points of the stacking."""
ON_TOP: Final = np.array(_by_number(1.4, 1.2, 0.5, 0.5, 0.2, -0.3, -2.1), np.int64)
"""Shapes: number of stacks of the kind on top. The points of the stacking."""
NEW_TOWER, TALLER_TOWER, LEVEL = 330, 20, 150
"""Points if the new stack is taller than all enemy stacks, and neither of its parts was; if one of
them was; if the new stack is as tall as the tallest enemy stack."""
HEIGHT: Final = -50  # points for each piece below the top of the new stack
MAX_BELOW: Final = np.uint64(6)  # a higher number of pieces below the top counts as this number
DOUBLE: Final = -240  # points if the new stack is only two pieces high
FLEES, COVERS = 230, 300
"""Points if the moving stack could be captured; if the stack at the target could be captured."""
EXPOSED, EXPOSED_BELOW = -50, -200
"""Points if the new stack can be captured; in addition, for each piece below its top."""


@layout.inlined()
def number_alike(row: Row, side: int, point: Word) -> int:
    """Return the number of stacks of a side that show the same kind as its stack on a point."""
    kind = np.int64(row[layout.TZARRAS] >> point & ONE) + 2 * np.int64(
        row[layout.TZAARS] >> point & ONE
    )
    return count(layout.stacks_of(row, side, kind))


@layout.inlined()
def guarded(row: Row, side: int) -> Word:
    """Return the stacks of a side that face another of its stacks, which may recapture."""
    points = NONE
    for direction in range(layout.DIRECTIONS):
        field = direction * layout.FIELD
        own, occupied = row[field + side], row[field + WHITE] | row[field + BLACK]
        upper = layout.next_above(own, occupied, direction) & own
        points |= attacks.to_points(
            upper | attacks.next_below(upper, occupied, direction) & own, direction
        )
    return points


@layout.inlined()
def capture_points(
    row: Row, second: int, origin: int, target: int, in_danger: Word, guards: Word, summit: Word
) -> int:
    """Return the points of a capture.

    ``in_danger`` are the mover's stacks that can be captured, ``guards`` the guarded enemy stacks,
    ``summit`` the number of pieces below the top of the tallest enemy stack.
    """
    enemy, start, end = 1 - layout.mover(row), np.uint64(origin), np.uint64(target)
    moved, taken = layout.below(row, start), layout.below(row, end)
    points = CAPTURE[second] + TAKEN[second, number_alike(row, enemy, end)]
    points += np.int64(moved) * BELOW[second]
    if taken:
        points += np.int64(taken) * TAKEN_BELOW[second]
        if taken == summit:
            points += TAKEN_TALLEST[second]
    if in_danger >> start & ONE:
        points += FLIGHT[second]
    if moved:
        retaken = attacks.takers_after(row, target, moved, enemy, origin, target) != NONE
    else:
        retaken = guards >> end & ONE != NONE
    if retaken:
        points += RETAKEN[second] + np.int64(moved) * RETAKEN_BELOW[second]
    return points


@layout.inlined()
def stacking_points(row: Row, origin: int, target: int, in_danger: Word, summit: Word) -> int:
    """Return the points of a stacking; arguments as in `capture_points`."""
    side, start, end = layout.mover(row), np.uint64(origin), np.uint64(target)
    one, other = layout.below(row, start), layout.below(row, end)
    top = one + other + ONE
    pieces = np.int64(top if top < MAX_BELOW else MAX_BELOW)
    points = STACKING + pieces * HEIGHT
    points += COVERED[number_alike(row, side, end)] + ON_TOP[number_alike(row, side, start)]
    if top > summit:
        points += TALLER_TOWER if max(one, other) > summit else NEW_TOWER
    else:
        if top == summit:
            points += LEVEL
        if attacks.takers_after(row, target, top, 1 - side, origin, target):
            points += EXPOSED + pieces * EXPOSED_BELOW
    if top == ONE:
        points += DOUBLE
    if in_danger >> start & ONE:
        points += FLEES
    if in_danger >> end & ONE:
        points += COVERS
    return points


@kernel()
def score_moves(row: Row, actions: Buffer, total: int, scores: Buffer) -> None:
    """Write the scores of actions, up to ±`MAX_POINTS`; placements all score the same."""
    if actions[0] > PASS:
        for index in range(total):
            scores[index] = 0
        return
    side = layout.mover(row)
    second = np.int64(layout.stage(row) == layout.STAGE_TWO)
    in_danger, guards = attacks.attacked(row, side), guarded(row, 1 - side)
    summit = attacks.tallest(row, row[1 - side], digits_used(row))
    for index in range(total):
        action = np.int64(actions[index])
        origin = action // layout.SIZE
        target = action - origin * layout.SIZE
        if action == PASS:
            points = PASSED
        elif row[side] >> np.uint64(target) & ONE:
            points = stacking_points(row, origin, target, in_danger, summit)
        else:
            points = capture_points(row, second, origin, target, in_danger, guards, summit)
        scores[index] = min(max(points, -MAX_POINTS), MAX_POINTS)


MAX_SCARCE: Final = 3
"""Captures of a kind are tactical if at most this many of its stacks are left. Guess."""
MAX_FORCED: Final = 2  # a player with at most this many first actions cannot stand pat. Guess
MIN_CAPTURES: Final = 4
"""A player with at least this many captures is not in zugzwang by the duty to capture. Guess."""


@layout.inlined()
def scarce(row: Row, side: int) -> Word:
    """Return the stacks of a side's scarce kinds."""
    found = NONE
    for kind in range(len(KINDS)):
        stacks = layout.stacks_of(row, side, kind)
        if count(stacks) <= MAX_SCARCE:
            found |= stacks
    return found


@kernel()
def must_act(row: Row) -> bool:
    """Return whether there are very few first actions."""
    return layout.stage(row) == layout.STAGE_ONE and captures(row, layout.mover(row)) <= MAX_FORCED


@kernel()
def tactical(row: Row, out: Buffer) -> int:
    """Write the captures of kinds that have become scarce, and return their number."""
    if layout.stage(row) in (layout.STAGE_PLACE, layout.STAGE_FIRST):
        return 0
    side, total = layout.mover(row), 0
    targets = scarce(row, 1 - side)
    while targets:
        target = lowest(targets)
        targets &= targets - ONE
        origins = attacks.takers(row, target, side)
        while origins:
            out[total] = lowest(origins) * layout.SIZE + target
            origins &= origins - ONE
            total += 1
    return total


NULL_MOVE_STATES: Final = np.array(
    [
        layout.state_of(1 - (state & 1), layout.STAGE_ONE, bool(state >> 3))
        for state in layout.STATES
    ],
    np.uint64,
)
"""Shapes: state. The state at the beginning of the other side's turn."""


@kernel()
def null_move(rows: Rows, ply: int) -> bool:
    """Write the row after a null move: the other side's turn begins; return whether it was written.

    Within a turn a null move is a pass. Before a turn it proves nothing if captures are few, since
    the duty to capture may be what loses (zugzwang).
    """
    before, after = rows[ply], rows[ply + 1]
    now, side = layout.stage(before), layout.mover(before)
    if now in (layout.STAGE_PLACE, layout.STAGE_FIRST):
        return False
    if now == layout.STAGE_ONE and (
        captures(before, side) < MIN_CAPTURES or captures(before, 1 - side) < MIN_CAPTURES
    ):
        return False
    for word in range(layout.WORDS):
        after[word] = before[word]
    state = NULL_MOVE_STATES[before[layout.STATE]]
    after[layout.KEY] = (
        before[layout.KEY] ^ layout.STATE_KEYS[before[layout.STATE]] ^ layout.STATE_KEYS[state]
    )
    after[layout.STATE] = state
    return True
