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


# `trine match bot:2 bot:1 --game GAME --games 200 --seed 21` and so on; docs/measuring.md tells how
# many games each had. A level that is not here has not been measured, and is no anchor.
STEPS: Final[Mapping[tuple[str, str], Sequence[Step]]] = {
    ("arimaa", "official"): (
        Step(269, 183),
        Step(301, 161),
        Step(191, 130),
        Step(147, 111),
        Step(241, 128),
        Step(241, 213),
        Step(241, 159),
    ),
    ("tzaar", "official"): (
        Step(246, 67),
        Step(200, 59),
        Step(173, 50),
        Step(123, 48),
        Step(235, 62),
        Step(176, 104),
        Step(260, 124),
        Step(269, 167),
    ),
    ("corridor", "quoridor"): (
        Step(189, 52),
        Step(102, 50),
        Step(141, 48),
        Step(184, 59),
        Step(173, 53),
        Step(141, 53),
        Step(176, 104),
        Step(241, 273),
    ),
    ("arimaa", "classic"): (
        Step(215, 143),
        Step(382, 253),
        Step(168, 120),
        Step(241, 192),
    ),
    ("tzaar", "open"): (
        Step(176, 103),
        Step(120, 102),
        Step(147, 84),
        Step(301, 147),
        Step(325, 165),
    ),
    ("corridor", "corridor"): (
        Step(436, 185),
        Step(168, 92),
        Step(89, 85),
        Step(70, 95),
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
    {1: 881, 2: 1127, 3: 1327, 4: 1500, 5: 1623, 6: 1858, 7: 2034, 8: 2294, 9: 2563}
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
