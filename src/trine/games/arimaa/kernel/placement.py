"""The terms of the evaluation about where the pieces of a side stand, and how free they are.

*Russian* is the source of that name in `evaluation`.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from trine.core.compiled.bits import NONE, Word, count, lowest
from trine.games.arimaa.board import SQUARES, TRAPS
from trine.games.arimaa.kernel.army import KINDS, Kinds
from trine.games.arimaa.kernel.features import TERM, VALUES, Weights
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
def closeness(pieces: Word, others: Word, most: int) -> int:
    """Return the sum over some pieces of how much nearer than ``most + 1`` steps others are."""
    near, total = others, 0
    for _ in range(most):
        near |= beside(near)
        total += count(pieces & near)
    return total


@inner("uint64(uint64, uint64, uint64, uint64, int64)")
def strolled(piece: Word, empty: Word, closed: Word, movable: Word, steps: int) -> Word:
    """Return the squares that a piece reaches in some steps; a movable piece costs a step more."""
    before, now = NONE, piece
    for _ in range(steps):
        ahead = now | (beside(now) & empty & ~closed) | (beside(before) & movable & ~closed)
        before, now = now, ahead
    return now


@inner(f"void({KINDS}, {KINDS}, uint64, uint64, uint64, float32, {VALUES})")
def add_places(
    kinds: Kinds,
    others: Kinds,
    own: Word,
    enemies: Word,
    touched: Word,
    sign: np.float32,
    features: Weights,
) -> None:
    """Add the terms of placement, mobility, and pieces touched or frozen by enemies."""
    elephant, camel, horses, dogs, cats, rabbits = kinds
    empty = ~(own | enemies)
    small, officers = dogs | cats, own & ~rabbits
    friends = beside(own)
    if elephant:
        features[TERM.elephant_centre] += sign * np.float32(CENTRE[lowest(elephant)])
        features[TERM.elephant_room] += sign * np.float32(count(beside(elephant) & empty))
        movable = (own | (enemies & ~others[0])) & beside(empty) & ~elephant
        alone = TRAP_SQUARES & ~beside(own & ~elephant)
        way = strolled(elephant, empty, alone, movable, 5)
        features[TERM.elephant_reach] += sign * ROOM[count(way)]
        features[TERM.elephant_blocked] += sign * BLOCKED[count(way)]
    if camel:
        danger = beside(others[0]) | (TRAP_SQUARES & ~beside(own & ~camel))
        features[TERM.camel_reach] += sign * ROOM[count(strolled(camel, empty, danger, NONE, 3))]
    features[TERM.camel_rank] += sign * np.float32(ranks_of(camel))
    features[TERM.horse_rank] += sign * np.float32(ranks_of(horses))
    features[TERM.cat_rank] += sign * np.float32(ranks_of(cats))
    features[TERM.camel_by_elephant] += sign * np.float32(closeness(camel, others[0], 4))
    away = BEYOND_HOME & own
    features[TERM.horses_by_elephant] += sign * np.float32(closeness(horses & away, others[0], 3))
    features[TERM.horses_by_camel] += sign * np.float32(closeness(horses & away, others[1], 3))
    features[TERM.small_by_camel] += sign * np.float32(closeness(small & away, others[1], 2))
    features[TERM.small_by_horses] += sign * np.float32(closeness(small & away, others[2], 2))
    middle_own = own & MIDDLE
    features[TERM.between_traps] += sign * np.float32(
        count(middle_own & rabbits)
        + 2 * count(middle_own & cats)
        + 3 * count(middle_own & dogs)
        + 4 * count(middle_own & horses)
        + 5 * count(middle_own & camel)
        + 6 * count(middle_own & elephant)
    )
    frozen = touched & ~friends
    features[TERM.frozen_camel] += sign * np.float32(count(frozen & camel))
    features[TERM.frozen_horses] += sign * np.float32(count(frozen & horses))
    features[TERM.frozen_horses_away] += sign * np.float32(count(frozen & horses & FAR_HALF))
    features[TERM.frozen_small] += sign * np.float32(count(frozen & small))
    features[TERM.frozen_rabbits] += sign * np.float32(count(frozen & rabbits))
    features[TERM.touched_officers] += sign * np.float32(count(touched & officers))
    held = touched & NEAR_TRAPS
    features[TERM.held_camel] += sign * np.float32(count(held & camel))
    features[TERM.held_camel_away] += sign * np.float32(count(held & camel & FAR_HALF))
    features[TERM.held_horses] += sign * np.float32(count(held & horses))
    features[TERM.held_horses_away] += sign * np.float32(count(held & horses & FAR_HALF))
    features[TERM.lonely] += sign * np.float32(count(away & ~(friends | elephant)))
    features[TERM.friends] += sign * np.float32(count(own & friends))
    features[TERM.room] += sign * np.float32(count(beside(own & ~frozen) & empty))
    features[TERM.mobile] += sign * np.float32(count(own & ~frozen & beside(empty)))
