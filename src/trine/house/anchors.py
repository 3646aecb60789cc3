"""The levels of the computer as anchors of the ratings: how each stands, and how sure that is.

A game against an anchor moves the rating of the person, never that of the level. So the scales of
all houses begin at the same place, and a house with few people has a scale at all.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from trine.engine.levels import parse_level
from trine.house.glicko import Rating
from trine.session.seats import BOT
from trine.store.seat_rows import SeatKind, SeatRow


class Step(NamedTuple):
    """The strength of a level over the one below, as it was measured.

    Units: Elo; the error is that of 95 %.
    """

    gain: int
    error: int


# docs/measuring.md tells how they were played, and in how many games. A level that is not here has
# not been measured, and is no anchor.
STEPS: Final[Mapping[tuple[str, str], Sequence[Step]]] = {
    ("arimaa", "official"): (
        Step(163, 71),
        Step(205, 57),
        Step(177, 55),
        Step(198, 65),
        Step(186, 88),
        Step(263, 146),
    ),
    ("arimaa", "classic"): (
        Step(191, 73),
        Step(176, 63),
        Step(122, 62),
        Step(185, 71),
    ),
    ("tzaar", "official"): (
        Step(222, 36),
        Step(161, 35),
        Step(162, 34),
        Step(145, 38),
        Step(111, 51),
        Step(176, 104),
        Step(260, 124),
        Step(269, 167),
    ),
    ("tzaar", "open"): (
        Step(176, 103),
        Step(120, 102),
        Step(147, 84),
        Step(301, 147),
        Step(325, 165),
    ),
    ("corridor", "quoridor"): (
        Step(145, 48),
        Step(121, 50),
        Step(149, 53),
        Step(168, 54),
        Step(200, 57),
        Step(141, 53),
        Step(176, 104),
        Step(241, 273),
    ),
    ("corridor", "corridor-8"): (
        Step(235, 60),
        Step(196, 53),
        Step(184, 52),
        Step(81, 60),
    ),
    ("corridor", "corridor"): (
        Step(228, 53),
        Step(210, 51),
        Step(117, 42),
        Step(113, 40),
        Step(241, 101),
    ),
}
"""By game and rule set: the steps from level 1 to 2, from 2 to 3, and so on.

They are those of all speeds: how many positions such a level looks at does not depend on its time.
"""
ORIGIN: Final = 4
"""The level that stands where newcomers do. Guess."""
LEAST: Final = 60.0
"""The deviation of that level: how well it stands for a person of that rating. Guess."""
_SIGMAS: Final = 1.96
"""An error of 95 %, in deviations."""


@cache
def anchors_of(game: str, rules: str) -> Mapping[int, Rating]:
    """The ratings of the levels of a rule set; empty where none were measured.

    >>> {level: round(one.rating) for level, one in anchors_of("tzaar", "official").items()}
    {1: 955, 2: 1177, 3: 1338, 4: 1500, 5: 1645, 6: 1756, 7: 1932, 8: 2192, 9: 2461}
    """
    if not (steps := STEPS.get((game, rules))):
        return {}
    above = [0, *(sum(step.gain for step in steps[: n + 1]) for n in range(len(steps)))]
    anchors = {}
    for number, height in enumerate(above, 1):
        between = steps[min(number, ORIGIN) - 1 : max(number, ORIGIN) - 1]
        errors = (step.error / _SIGMAS for step in between)
        rating = Rating().rating + height - above[ORIGIN - 1]
        anchors[number] = Rating(rating, math.hypot(LEAST, *errors))
    return anchors


def anchor_of(game: str, rules: str, seat: SeatRow) -> Rating | None:
    """The rating of the level at a seat; None for people, strategies, and levels not measured."""
    level = seat.name.removeprefix(BOT)
    if seat.kind is not SeatKind.BOT or not level.isdecimal():
        return None
    return anchors_of(game, rules).get(parse_level(level))
