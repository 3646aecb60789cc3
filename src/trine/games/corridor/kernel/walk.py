"""What the terms and the inputs count on all shortest ways of a player, on a narrow board.

Both need the steps to the goal and the number of short walls that trap. So one *walk* counts them,
beside what only the terms tell of. The evaluation leaves both numbers in the row, with the key of
the position, for the inputs of a net: these are asked for next, if at all.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.bits import count
from trine.core.jit import inner, kernel
from trine.games.corridor.kernel.narrow import Word, goal_of, passages_of, set_of, spread
from trine.games.corridor.kernel.row import (
    KEY,
    QUORIDOR,
    WALKED,
    WALKS,
    Row,
    pawn_of,
    rules_of,
)
from trine.games.corridor.kernel.ways import (
    NO_WAY,
    Passages,
    Rings,
    fewest_exits,
    one_wall_parts,
    rings_between,
)

MOST_SIDES: Final = 4
"""The most open sides of a square: so many walls are enough to shut in a pawn."""
EXITS_AT: Final = 16
"""The bit of a word of `WALKS` at which the exits begin, behind the steps."""

# --- counting ------------------------------------------------------------------------------------


@inner(
    "int64(UniTuple(uint64, 4), UniTuple(uint64, 7), uint64, uint64, uint64, uint64)",
    forceinline=True,
)
def exits_between(
    passages: Passages, rings: Rings, pawn: Word, pawn_high: Word, goal: Word, goal_high: Word
) -> int:
    """Return a number of short walls that is enough to cut off a pawn that has a way to the goal.

    Guarantee: exact if it is 1; else fewer may be enough, but not 1.
    """
    if one_wall_parts(passages, rings, pawn, pawn_high, goal, goal_high):
        return 1
    outward = fewest_exits(passages, pawn, pawn_high, goal, goal_high, MOST_SIDES)
    return max(2, fewest_exits(passages, goal, goal_high, pawn, pawn_high, outward))


@inner("Tuple((int64, int64, float64, boolean, int64))(uint64[::1], int64)", forceinline=True)
def walk(row: Row, player: int) -> tuple[int, int, float, bool, int]:
    """Return what is counted on all shortest ways of a player whose pawn is on the board.

    Returns: the steps to the goal, -1 for no way, and then the rest is 0; the number of short walls
        that is enough to trap, 0 where walls are long; the sum, over all steps, of one divided by
        the squares that shortest ways reach; whether they begin with different steps; the goal
        squares that they reach.
    """
    passages = passages_of(row)
    goal, goal_high = goal_of(row, player)
    pawn, pawn_high = set_of(pawn_of(row, player))
    rings = rings_between(passages, goal, goal_high, pawn, pawn_high)
    last, last_high, before, before_high, older, older_high, steps = rings
    if steps == NO_WAY:
        return -1, 0, 0.0, False, 0
    low, high = pawn, pawn_high
    thin, fork, squares = 0.0, 0, 0
    for left in range(np.int64(steps) - 1, -1, -1):
        low, high = spread(passages, low, high)
        low, high = low & before, high & before_high
        before, before_high, older, older_high, last, last_high = (
            older,
            older_high,
            last,
            last_high,
            before,
            before_high,
        )
        squares = count(low) + count(high)
        thin += 1.0 / squares
        if left == np.int64(steps) - 1:
            fork = squares
    exits = 0
    if rules_of(row) != QUORIDOR:
        exits = exits_between(passages, rings, pawn, pawn_high, goal, goal_high)
    return np.int64(steps), exits, thin, fork > 1, squares


# --- in the row ----------------------------------------------------------------------------------


@kernel("void(uint64[::1], int64, int64, int64)", forceinline=True)
def leave(row: Row, player: int, steps: int, exits: int) -> None:
    """Leave the steps and the exits of a player in the row; `WALKED` is to say of what."""
    row[WALKS + player] = np.uint64(steps + 1 | exits << EXITS_AT)


@inner("UniTuple(int64, 2)(uint64[::1], int64)")
def steps_and_exits(row: Row, player: int) -> tuple[int, int]:
    """Return the first two of `walk`, from the row if they were left there."""
    if row[WALKED] != row[KEY]:
        found = walk(row, player)
        return found[0], found[1]
    left = np.int64(row[WALKS + player])
    return (left & (1 << EXITS_AT) - 1) - 1, left >> EXITS_AT
