"""The measured strength of the computer's levels, on the scale of ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from trine.engine.players.levels import parse_level
from trine.house.games.storage.tables import SeatKind, SeatRow
from trine.play.session.seats import BOT

NEWCOMER: Final = 1500.0
"""The rating of a new player."""


class LevelStep(NamedTuple):
    """The measured Elo difference of a level and the one below.

    ``error`` is half the width of the 95 % confidence interval.
    """

    gain: int
    error: int


def _steps(written: str) -> tuple[LevelStep, ...]:
    return tuple(LevelStep(*map(int, one.split("±"))) for one in written.split())


# docs/why/measuring.md describes how these games were played, and their number. A level that is not
# listed has not been measured, and is no anchor.
STEPS: Final[Mapping[tuple[str, str], Sequence[LevelStep]]] = {
    ("arimaa", "official"): _steps("164±74 210±95 301±101 275±100 260±124 260±141 241±159 241±213"),
    ("arimaa", "classic"): _steps("191±90 210±81 382±119 241±106"),
    ("tzaar", "official"): _steps("222±36 161±35 162±34 145±38 111±51 176±104 260±124 269±167"),
    ("tzaar", "open"): _steps("176±103 120±102 147±84 301±147 325±165"),
    ("corridor", "quoridor"): _steps("189±48 191±38 182±36 223±41 232±59 141±53 176±104 241±273"),
    ("corridor", "corridor-8"): _steps("235±60 196±53 184±52 81±60"),
    ("corridor", "corridor"): _steps("228±53 210±51 117±42 113±40 119±36"),
}
"""The steps from level 1 to 2, from 2 to 3, and so on, by game and rule set; for all speeds: the
number of positions that these levels search does not depend on their time."""
ORIGIN: Final = 4
"""The level with the rating of a new player. Guess."""


@cache
def ratings_of_levels(game_name: str, rules: str) -> Mapping[int, float]:
    """Return the ratings of the levels of a rule set; empty if none were measured.

    >>> [round(rating) for rating in ratings_of_levels("tzaar", "official").values()]
    [955, 1177, 1338, 1500, 1645, 1756, 1932, 2192, 2461]
    """
    if not (steps := STEPS.get((game_name, rules))):
        return {}
    above = [0, *(sum(step.gain for step in steps[: n + 1]) for n in range(len(steps)))]
    return {number: NEWCOMER + height - above[ORIGIN - 1] for number, height in enumerate(above, 1)}


def level_of(seat: SeatRow) -> int | None:
    level = seat.name.removeprefix(BOT)
    return parse_level(level) if seat.kind is SeatKind.BOT and level.isdecimal() else None


def rating_of_level(game_name: str, rules: str, seat: SeatRow) -> float | None:
    """Return the rating of the level at a seat; None for people, and for unmeasured bots."""
    level = level_of(seat)
    return None if level is None else ratings_of_levels(game_name, rules).get(level)
