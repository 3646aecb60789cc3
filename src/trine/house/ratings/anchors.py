"""The levels of the computer as anchors of the ratings, each with its uncertainty.

A game against an anchor moves the rating of the person, never that of the level. So the scales of
all houses begin at the same place, and a house with few people has a scale at all.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Final

from trine.house.games.level_ratings import ORIGIN, STEPS, level_of, ratings_of_levels
from trine.house.games.seat_rows import SeatRow
from trine.house.ratings.glicko import Rating

LEAST: Final = 60.0
"""The deviation of that level, as a stand-in for a person of that rating. Guess."""
_SIGMAS: Final = 1.96
"""An error of 95 %, in deviations."""


@cache
def anchors_of(game: str, rules: str) -> Mapping[int, Rating]:
    """Return the ratings of the levels of a rule set; empty where none were measured.

    >>> {level: round(one.rating) for level, one in anchors_of("tzaar", "official").items()}
    {1: 955, 2: 1177, 3: 1338, 4: 1500, 5: 1645, 6: 1756, 7: 1932, 8: 2192, 9: 2461}
    """
    anchors = {}
    for number, rating in ratings_of_levels(game, rules).items():
        between = STEPS[game, rules][min(number, ORIGIN) - 1 : max(number, ORIGIN) - 1]
        errors = (step.error / _SIGMAS for step in between)
        anchors[number] = Rating(rating, math.hypot(LEAST, *errors))
    return anchors


def anchor_of(game: str, rules: str, seat: SeatRow) -> Rating | None:
    """Return the rating of the level at a seat; None for people, and for unmeasured bots."""
    level = level_of(seat)
    return None if level is None else anchors_of(game, rules).get(level)
