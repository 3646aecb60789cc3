"""What the terms and the inputs count on all shortest ways of a player, on a narrow board.

Both need the steps to the goal, the squares that shortest ways reach step by step, and the number
of short walls that trap. So one *walk* counts them all, and packs the whole numbers into a word.
The evaluation leaves the walks in the row, with the key of the position, for the inputs of a net:
these are asked for next, if at all.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trine.core.bits import ONE, count
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

MOST_WIDTH: Final = 4
"""Units: squares; larger widths count as this."""
LEVELS: Final = 12
"""Units: steps; widths are kept for the first ones only."""
LONG_LEVELS: Final = 1
"""The same where walls are two squares long, and no more is looked at."""
WIDTHS: Final = np.uint64((1 << MOST_WIDTH * LEVELS) - 1)
"""The bits of a walk that are the widths: `MOST_WIDTH` for each level, of which one is set."""
CHOICE: Final = np.uint64((1 << MOST_WIDTH) - 2)
"""Those of the first step that mean more squares than one."""
STEPS_AT: Final = MOST_WIDTH * LEVELS
STEPS_BITS: Final = np.uint64(127)
"""More steps than any way on a narrow board has; all bits stand for no way."""
END_AT: Final = STEPS_AT + 7
END_BITS: Final = np.uint64(15)
EXITS_AT: Final = END_AT + 4
EXITS_BITS: Final = np.uint64(7)
NO_WALK: Final = STEPS_BITS << np.uint64(STEPS_AT)
"""The walk of a player who has no way."""

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
    outward = fewest_exits(passages, pawn, pawn_high, goal, goal_high, 4)
    return max(2, fewest_exits(passages, goal, goal_high, pawn, pawn_high, outward))


@inner("Tuple((uint64, float64))(uint64[::1], int64)", forceinline=True)
def count_walk(row: Row, player: int) -> tuple[np.uint64, float]:
    """Return the walk of a player whose pawn is on the board, and how thin its ways are.

    That is the sum, over all steps, of one divided by the squares that shortest ways reach.
    """
    passages = passages_of(row)
    goal, goal_high = goal_of(row, player)
    pawn, pawn_high = set_of(pawn_of(row, player))
    rings = rings_between(passages, goal, goal_high, pawn, pawn_high)
    last, last_high, before, before_high, older, older_high, steps = rings
    if steps == NO_WAY:
        return NO_WALK, 0.0
    walk, thin = steps << np.uint64(STEPS_AT), 0.0
    levels = LONG_LEVELS if rules_of(row) == QUORIDOR else LEVELS
    low, high, squares = pawn, pawn_high, 0
    for level in range(np.int64(steps)):
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
        if level < levels:
            walk |= ONE << np.uint64(MOST_WIDTH * level + min(squares, MOST_WIDTH) - 1)
    walk |= np.uint64(squares) << np.uint64(END_AT)
    if rules_of(row) != QUORIDOR:
        exits = exits_between(passages, rings, pawn, pawn_high, goal, goal_high)
        walk |= np.uint64(exits) << np.uint64(EXITS_AT)
    return walk, thin


@inner("uint64(uint64[::1], int64)")
def walk_of(row: Row, player: int) -> np.uint64:
    """Return the walk of a player whose pawn is on the board, counted if it is not in the row."""
    return row[WALKS + player] if row[WALKED] == row[KEY] else count_walk(row, player)[0]


# --- reading -------------------------------------------------------------------------------------


@kernel("int64(uint64)", forceinline=True)
def steps_in(walk: np.uint64) -> int:
    """Return the steps to the goal, -1 for no way."""
    steps = walk >> np.uint64(STEPS_AT) & STEPS_BITS
    return -1 if steps == STEPS_BITS else np.int64(steps)


@kernel("uint64(uint64)", forceinline=True)
def widths_in(walk: np.uint64) -> np.uint64:
    """Return a bit for each of the first steps: by how many squares shortest ways reach then."""
    return walk & WIDTHS


@kernel("boolean(uint64)", forceinline=True)
def forks_in(walk: np.uint64) -> bool:
    """Return whether shortest ways begin with different steps."""
    return bool(walk & CHOICE)


@kernel("int64(uint64)", forceinline=True)
def end_in(walk: np.uint64) -> int:
    """Return the number of goal squares that shortest ways reach."""
    return np.int64(walk >> np.uint64(END_AT) & END_BITS)


@kernel("int64(uint64)", forceinline=True)
def exits_in(walk: np.uint64) -> int:
    """Return a number of short walls that is enough to trap; 0 for no way, and for long walls."""
    return np.int64(walk >> np.uint64(EXITS_AT) & EXITS_BITS)
