"""The terms of the evaluation by number, and the types in which they are counted."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float32]
VALUES: Final = "float32[::1]"

(
    MATERIAL,
    RABBITS,
    STEPS_LEFT,
    PLACES,
    ELEPHANT_CENTRE,
    ELEPHANT_ROOM,
    ELEPHANT_REACH,
    ELEPHANT_BLOCKED,
    CAMEL_REACH,
    CAMEL_RANK,
    HORSE_RANK,
    DOG_RANK,
    CAT_RANK,
    CAMEL_BY_ELEPHANT,
    HORSES_BY_ELEPHANT,
    HORSES_BY_CAMEL,
    SMALL_BY_ELEPHANT,
    SMALL_BY_CAMEL,
    SMALL_BY_HORSES,
    BETWEEN_TRAPS,
    HOME_TRAP_ONE,
    HOME_TRAP_TWO,
    HOME_TRAP_MORE,
    AWAY_TRAP_ONE,
    AWAY_TRAP_TWO,
    AWAY_TRAP_MORE,
    TRAP_CONTROL,
    ELEPHANT_HOME_TRAP,
    ELEPHANT_AWAY_TRAP,
    ELEPHANT_TIED,
    FROZEN_CAMEL,
    FROZEN_HORSES,
    FROZEN_SMALL,
    FROZEN_RABBITS,
    TOUCHED_OFFICERS,
    TOUCHED_RABBITS,
    HELD_CAMEL,
    HELD_CAMEL_AWAY,
    HELD_HORSES,
    HELD_HORSES_AWAY,
    FRAMED,
    PINNED,
    LOST_IN_TWO,
    LOST_IN_THREE,
    LOST_IN_FOUR,
    LOST_IN_SIX,
    LOST_IN_EIGHT,
    LOST_IN_TWO_WAITING,
    LOST_IN_THREE_WAITING,
    LOST_IN_FOUR_WAITING,
    LOST_IN_SIX_WAITING,
    LOST_IN_EIGHT_WAITING,
    LONELY,
    MOBILE,
    RABBITS_RANK_2,
    RABBITS_RANK_3,
    RABBITS_RANK_4,
    RABBITS_RANK_5,
    RABBITS_RANK_6,
    RABBITS_RANK_7,
    RABBITS_FLANK,
    RABBITS_FREE,
    RABBITS_LATE,
    RABBITS_ESCORTED,
    GOAL_IN_FOUR,
    GOAL_IN_FOUR_LATE,
    GOAL_IN_EIGHT,
    DANGER_IN_FOUR,
    DANGER_IN_SIX,
    RABBITS_RULED,
    RABBITS_THROUGH,
) = range(71)
TERMS: Final = RABBITS_THROUGH + 1
PLACE_WEIGHTS: Final = TERMS
"""Behind the weights of the terms, for each kind of piece and each square of a view: its worth
there, in whole points, which the term `PLACES` sums."""
ALL_WEIGHTS: Final = PLACE_WEIGHTS + 6 * 64
