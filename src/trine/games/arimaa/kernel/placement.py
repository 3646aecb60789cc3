"""The terms of the evaluation about where the pieces of a side stand, and how free they are.

*Russian* is the source of that name in `evaluation`.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from trine.core.bits import NONE, count, lowest
from trine.core.jit import kernel
from trine.games.arimaa.board import SQUARES, TRAPS
from trine.games.arimaa.kernel.army import KINDS, Kinds
from trine.games.arimaa.kernel.features import (
    BETWEEN_TRAPS,
    CAMEL_BY_ELEPHANT,
    CAMEL_RANK,
    CAMEL_REACH,
    CAT_RANK,
    DOG_RANK,
    ELEPHANT_BLOCKED,
    ELEPHANT_CENTRE,
    ELEPHANT_REACH,
    ELEPHANT_ROOM,
    FROZEN_CAMEL,
    FROZEN_HORSES,
    FROZEN_RABBITS,
    FROZEN_SMALL,
    HELD_CAMEL,
    HELD_CAMEL_AWAY,
    HELD_HORSES,
    HELD_HORSES_AWAY,
    HORSE_RANK,
    HORSES_BY_CAMEL,
    HORSES_BY_ELEPHANT,
    LONELY,
    MOBILE,
    SMALL_BY_CAMEL,
    SMALL_BY_ELEPHANT,
    SMALL_BY_HORSES,
    TOUCHED_OFFICERS,
    TOUCHED_RABBITS,
    VALUES,
    Weights,
)
from trine.games.arimaa.kernel.row import inner, squares_of
from trine.games.arimaa.kernel.sets import FAR_HALF, TRAP_SQUARES, beside, ranks_of

CENTRE: Final = np.array(
    [6 - abs(2 * (square % 8) - 7) // 2 - abs(2 * (square // 8) - 7) // 2 for square in SQUARES],
    np.int64,
)
"""Shapes: square. 6 in the middle, one less for each step away from it."""
MIDDLE: Final = (
    squares_of(square for square in SQUARES if 2 <= square % 8 <= 5 and 2 <= square // 8 <= 5)
    & ~TRAP_SQUARES
)
"""The square of squares between the traps. Source: Russian, "квадрат между ловушками"."""
NEAR_TRAPS: Final = squares_of(
    square
    for square in SQUARES
    if min(abs(square % 8 - trap % 8) + abs(square // 8 - trap // 8) for trap in TRAPS) <= 2
)
BEYOND_HOME: Final = squares_of(range(16, 64))
ROOM: Final = np.array([math.sqrt(min(squares, 25)) for squares in range(65)], np.float32)
"""Shapes: number of squares. What room to move is worth: little is far worse than some. Guess."""
BLOCKED: Final = np.array([(max(0, 16 - squares) / 15) ** 2 for squares in range(65)], np.float32)
"""Shapes: number of squares that an elephant reaches in five steps. The degree of its blockade: 1
if it cannot move at all, 0 from 16 squares on, which nine of ten free elephants reach. Guess."""


@inner("int64(uint64, uint64, int64)")
def closeness(pieces: np.uint64, others: np.uint64, most: int) -> int:
    """Return the sum over some pieces of how much nearer than ``most + 1`` steps others are."""
    near, total = others, 0
    for _ in range(most):
        near |= beside(near)
        total += count(pieces & near)
    return total


@inner("uint64(uint64, uint64, uint64, uint64, int64)")
def strolled(
    piece: np.uint64, empty: np.uint64, closed: np.uint64, movable: np.uint64, steps: int
) -> np.uint64:
    """Return the squares that a piece reaches in some steps; a movable piece costs a step more."""
    before, now = NONE, piece
    for _ in range(steps):
        ahead = now | (beside(now) & empty & ~closed) | (beside(before) & movable & ~closed)
        before, now = now, ahead
    return now


@kernel(
    f"void({KINDS}, {KINDS}, uint64, uint64, uint64, float32, {VALUES})", no_cpython_wrapper=True
)
def add_places(
    kinds: Kinds,
    others: Kinds,
    own: np.uint64,
    enemies: np.uint64,
    touched: np.uint64,
    sign: np.float32,
    features: Weights,
) -> None:
    """Add the terms of placement, mobility, and pieces touched or frozen by enemies."""
    elephant, camel, horses, dogs, cats, rabbits = kinds
    empty = ~(own | enemies)
    small, officers = dogs | cats, own & ~rabbits
    friends = beside(own)
    if elephant:
        features[ELEPHANT_CENTRE] += sign * CENTRE[lowest(elephant)]
        features[ELEPHANT_ROOM] += sign * count(beside(elephant) & empty)
        movable = (own | (enemies & ~others[0])) & beside(empty) & ~elephant
        alone = TRAP_SQUARES & ~beside(own & ~elephant)
        way = strolled(elephant, empty, alone, movable, 5)
        features[ELEPHANT_REACH] += sign * ROOM[count(way)]
        features[ELEPHANT_BLOCKED] += sign * BLOCKED[count(way)]
    if camel:
        danger = beside(others[0]) | (TRAP_SQUARES & ~beside(own & ~camel))
        features[CAMEL_REACH] += sign * ROOM[count(strolled(camel, empty, danger, NONE, 3))]
    features[CAMEL_RANK] += sign * ranks_of(camel)
    features[HORSE_RANK] += sign * ranks_of(horses)
    features[DOG_RANK] += sign * ranks_of(dogs)
    features[CAT_RANK] += sign * ranks_of(cats)
    features[CAMEL_BY_ELEPHANT] += sign * closeness(camel, others[0], 4)
    away = BEYOND_HOME & own
    features[HORSES_BY_ELEPHANT] += sign * closeness(horses & away, others[0], 3)
    features[HORSES_BY_CAMEL] += sign * closeness(horses & away, others[1], 3)
    features[SMALL_BY_ELEPHANT] += sign * closeness(small & away, others[0], 2)
    features[SMALL_BY_CAMEL] += sign * closeness(small & away, others[1], 2)
    features[SMALL_BY_HORSES] += sign * closeness(small & away, others[2], 2)
    middle_own = own & MIDDLE
    features[BETWEEN_TRAPS] += sign * (
        count(middle_own & rabbits)
        + 2 * count(middle_own & cats)
        + 3 * count(middle_own & dogs)
        + 4 * count(middle_own & horses)
        + 5 * count(middle_own & camel)
        + 6 * count(middle_own & elephant)
    )
    frozen = touched & ~friends
    features[FROZEN_CAMEL] += sign * count(frozen & camel)
    features[FROZEN_HORSES] += sign * count(frozen & horses)
    features[FROZEN_SMALL] += sign * count(frozen & small)
    features[FROZEN_RABBITS] += sign * count(frozen & rabbits)
    features[TOUCHED_OFFICERS] += sign * count(touched & officers)
    features[TOUCHED_RABBITS] += sign * count(touched & rabbits)
    held = touched & NEAR_TRAPS
    features[HELD_CAMEL] += sign * count(held & camel)
    features[HELD_CAMEL_AWAY] += sign * count(held & camel & FAR_HALF)
    features[HELD_HORSES] += sign * count(held & horses)
    features[HELD_HORSES_AWAY] += sign * count(held & horses & FAR_HALF)
    features[LONELY] += sign * count(away & ~(friends | elephant))
    features[MOBILE] += sign * count(own & ~frozen & beside(empty))
