"""The measured strength of the computer's levels, on the scale of ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from trine.engine.players.levels import parse_level
from trine.house.games.tables import SeatKind, SeatRow
from trine.play.session.seats import BOT

NEWCOMER: Final = 1500.0
"""The rating of a newcomer."""


class LevelStep(NamedTuple):
    """The measured strength of a level over the one below.

    Units: Elo; the error is that of 95 %.
    """

    gain: int
    error: int


# docs/why/measuring.md tells how they were played, and in how many games. A level that is not here
# has not been measured, and is no anchor.
STEPS: Final[Mapping[tuple[str, str], Sequence[LevelStep]]] = {
    ("arimaa", "official"): (
        LevelStep(156, 72),
        LevelStep(241, 95),
        LevelStep(241, 83),
        LevelStep(230, 86),
        LevelStep(260, 124),
        LevelStep(260, 141),
        LevelStep(241, 159),
        LevelStep(241, 213),
    ),
    ("arimaa", "classic"): (
        LevelStep(191, 90),
        LevelStep(210, 81),
        LevelStep(382, 119),
        LevelStep(241, 106),
    ),
    ("tzaar", "official"): (
        LevelStep(222, 36),
        LevelStep(161, 35),
        LevelStep(162, 34),
        LevelStep(145, 38),
        LevelStep(111, 51),
        LevelStep(176, 104),
        LevelStep(260, 124),
        LevelStep(269, 167),
    ),
    ("tzaar", "open"): (
        LevelStep(176, 103),
        LevelStep(120, 102),
        LevelStep(147, 84),
        LevelStep(301, 147),
        LevelStep(325, 165),
    ),
    ("corridor", "quoridor"): (
        LevelStep(145, 48),
        LevelStep(121, 50),
        LevelStep(149, 53),
        LevelStep(168, 54),
        LevelStep(200, 57),
        LevelStep(141, 53),
        LevelStep(176, 104),
        LevelStep(241, 273),
    ),
    ("corridor", "corridor-8"): (
        LevelStep(235, 60),
        LevelStep(196, 53),
        LevelStep(184, 52),
        LevelStep(81, 60),
    ),
    ("corridor", "corridor"): (
        LevelStep(228, 53),
        LevelStep(210, 51),
        LevelStep(117, 42),
        LevelStep(113, 40),
        LevelStep(241, 101),
    ),
}
"""The steps from level 1 to 2, from 2 to 3, and so on, by game and rule set.

They are those of all speeds: how many positions such a level looks at does not depend on its time.
"""
ORIGIN: Final = 4
"""The level with the rating of newcomers. Guess."""


@cache
def ratings_of_levels(game: str, rules: str) -> Mapping[int, float]:
    """Return the ratings of the levels of a rule set; empty where none were measured.

    >>> [round(rating) for rating in ratings_of_levels("tzaar", "official").values()]
    [955, 1177, 1338, 1500, 1645, 1756, 1932, 2192, 2461]
    """
    if not (steps := STEPS.get((game, rules))):
        return {}
    above = [0, *(sum(step.gain for step in steps[: n + 1]) for n in range(len(steps)))]
    return {number: NEWCOMER + height - above[ORIGIN - 1] for number, height in enumerate(above, 1)}


def level_of(seat: SeatRow) -> int | None:
    level = seat.name.removeprefix(BOT)
    return parse_level(level) if seat.kind is SeatKind.BOT and level.isdecimal() else None


def rating_of_level(game: str, rules: str, seat: SeatRow) -> float | None:
    """Return the rating of the level at a seat; None for people, and for unmeasured bots."""
    level = level_of(seat)
    return None if level is None else ratings_of_levels(game, rules).get(level)
