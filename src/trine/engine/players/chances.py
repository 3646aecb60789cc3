"""Chances: how often players who err win from a score, by curves fitted to results of games.

Points belong to the search, whose margins are in them. What people are shown is a chance, and the
curve from one to the other is fitted for each rule set, by ``lab/chances.py``. It stands in
``knowledge/chances.txt`` of the room. This is the only place where points become chances.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from trine.core.contract import Room
from trine.core.contract.position import Position
from trine.core.contract.score import WIN, Score
from trine.core.contract.terms import parse_weights
from trine.games import package_of

FILE: Final = "chances.txt"
TEN_TO_ONE: Final = 400
"""Units: points; those of odds of ten to one between players who do not err, as with Elo."""

LEAST: Final = 1e-6
"""The least chance that is not proven to be none."""


@dataclass(frozen=True)
class Curve:
    """A curve from points to chances, the same for both players.

    The logarithm of the odds grows in proportion to the points, and some games are thrown away
    whatever the score says, since people err: no lead that is not proven is surer than that.

    >>> Curve().chance(400) == 10 / 11
    True
    >>> Curve(2, 0.05).chance(0), round(Curve(2, 0.05).chance(1_000), 3)
    (0.5, 0.95)
    """

    slope: float = 1.0
    """The factor of points; with 1, they are those of `TEN_TO_ONE`."""
    lapses: float = 0.0
    """The share of games that are lost however great the lead, below one half."""

    def chance(self, points: float) -> float:
        of_points = 1 / (1 + 10 ** (-self.slope * points / TEN_TO_ONE))
        chance = self.lapses + (1 - 2 * self.lapses) * of_points
        return min(max(chance, LEAST), 1 - LEAST)

    def names(self, rules: str) -> dict[str, float]:
        """Return the lines of a rule set in the file of a room, by their names."""
        return {f"{rules} slope": self.slope, f"{rules} lapses": self.lapses}


def chance(room: Room, position: Position, score: Score) -> float:
    """Return the expected result of a player with a score, from 0 for a loss to 1 for a win.

    Of three or four players it is that of a play against the best of the others alone, as the
    score is.

    >>> from trine.games import new_play
    >>> play = new_play("arimaa")
    >>> chance(play.room, play.position, Score(0)), chance(play.room, play.position, Score(29_990))
    (0.5, 1.0)
    """
    if score.decided_in is not None:
        return float(score.points > 0)
    curve = curve_of(room.name, position.rules.name) if len(position.seats) == 2 else Curve()
    return curve.chance(score.points)


def shares(room: Room, position: Position, score: Score) -> tuple[float, float]:
    """Return the chances of two players, if the score is that of the player to move.

    >>> from trine.games import new_play
    >>> play = new_play("corridor")
    >>> shares(play.room, play.position, Score(-30_000))
    (0.0, 1.0)
    """
    own = chance(room, position, score)
    return (own, 1 - own) if position.mover == 0 else (1 - own, own)


def score_among(chances: Sequence[float], player: int) -> Score:
    """Return the score of one of several players against the best of the others.

    It is how searches count the chances of three and four.

    >>> score_among((0.5, 0.05, 0.45), 1).points, score_among((1.0, 0.0, 0.0), 2) == Score(-WIN)
    (-400, True)
    """
    own = chances[player]
    other = max(share for seat, share in enumerate(chances) if seat != player)
    if not own or not other:
        return Score(WIN if own else -WIN)
    return Score(round(TEN_TO_ONE * math.log10(own / other)))


@cache
def curve_of(game: str, rules: str) -> Curve:
    """Return the curve of a rule set; that of players who do not err, if none was fitted."""
    numbers = parse_weights(curves_of_room(game), FILE)
    slope, lapses = Curve().names(rules)
    return Curve(numbers[slope], numbers[lapses]) if slope in numbers else Curve()


def curves_of_room(game: str) -> str:
    """Return the text of the file of a room's curves; empty where there is none."""
    try:
        file = files(f"{package_of(game)}.knowledge").joinpath(FILE)
        return file.read_text(encoding="utf-8")
    except (ModuleNotFoundError, FileNotFoundError):
        return ""
