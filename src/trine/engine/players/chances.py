"""Win chances: how often fallible players win from a score, by curves fitted to game results.

The search uses points, the unit of its margins; people see chances. ``lab/chances.py`` fits the
curve from points to chances for each rule set, and writes it to the game's
``knowledge/chances.txt``. Only this module converts points to chances.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from trine.core.contract.heuristics import parse_weights
from trine.core.contract.position import Position
from trine.core.contract.room import Room
from trine.core.contract.score import WIN, Score
from trine.games import package_of

CHANCES_FILE: Final = "chances.txt"
TEN_TO_ONE: Final = 400  # points; odds of ten to one between players who do not err, as with Elo

MIN_CHANCE: Final = 1e-6  # the least chance without a proven loss


@dataclass(frozen=True)
class Curve:
    """A curve from points to chances, the same for both players.

    The log odds are proportional to the points, and a share of games is lost at any score, since
    people err: no unproven lead is surer than that share allows.

    >>> Curve().chance(400) == 10 / 11
    True
    >>> Curve(2, 0.05).chance(0), round(Curve(2, 0.05).chance(1_000), 3)
    (0.5, 0.95)
    """

    slope: float = 1.0  # the factor of points; at 1, `TEN_TO_ONE` points are odds of ten to one
    lapses: float = 0.0
    """The share of games that are lost even with the largest lead; below one half."""

    def chance(self, points: float) -> float:
        of_points = 1 / (1 + 10 ** (-self.slope * points / TEN_TO_ONE))
        chance = self.lapses + (1 - 2 * self.lapses) * of_points
        return min(max(chance, MIN_CHANCE), 1 - MIN_CHANCE)

    def names(self, rules: str) -> dict[str, float]:
        """Return the entries of a rule set in a game's file, by name."""
        return {f"{rules} slope": self.slope, f"{rules} lapses": self.lapses}


def chance(room: Room, position: Position, score: Score) -> float:
    """Return the expected result for a score, from 0 for a loss to 1 for a win.

    With three or four players the score and the result are against the best of the others.

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
    """Return the chances of both players, from the score for the player to move.

    >>> from trine.games import new_play
    >>> play = new_play("corridor")
    >>> shares(play.room, play.position, Score(-30_000))
    (0.0, 1.0)
    """
    own = chance(room, position, score)
    return (own, 1 - own) if position.mover == 0 else (1 - own, own)


def score_among(chances: Sequence[float], player: int) -> Score:
    """Return the score of one of several players against the best of the others.

    Used by searches with three and four players.

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
    """Return the curve of a rule set; by default, the curve of players who do not err."""
    numbers = parse_weights(curves_of_room(game), CHANCES_FILE)
    slope, lapses = Curve().names(rules)
    return Curve(numbers[slope], numbers[lapses]) if slope in numbers else Curve()


def curves_of_room(game: str) -> str:
    """Return the text of a game's file of curves; empty if it has none."""
    try:
        file = files(f"{package_of(game)}.knowledge").joinpath(CHANCES_FILE)
        return file.read_text(encoding="utf-8")
    except (ModuleNotFoundError, FileNotFoundError):
        return ""
