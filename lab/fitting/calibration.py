"""Curves from points to chances, fitted to results of games, and whether their chances come true.

A curve has two numbers, the most likely ones. Whole games are held out, since the positions of a
game share its result; they say how often what had a chance has happened.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fitting.least import least
from fitting.linear import MIN_GAMES, Loss, mean_loss
from trine.core.contract.score import PROVEN_SCORE
from trine.core.errors import TrineError
from trine.engine.learn.dataset import Dataset
from trine.engine.learn.logistic import SLOPE, Vector
from trine.engine.players.chances import MIN_CHANCE, Curve

FOLDS: Final = 5
"""The number of parts of the games; each is judged by a curve that is fitted to the others. Guess.
"""
BINS: Final = 5
"""The number of groups of positions, by their chances, that are compared with what happened."""
SLOPE_BOUNDS: Final = (0.02, 10.0)
LAPSE_BOUNDS: Final = (0.0005, 0.3)
"""No fit goes beyond these."""
PRIOR_WIDTH: Final = 1.0
"""Units: nats; the width of the prior of a slope around 1, in its logarithm. Guess."""
TYPICAL_LAPSES: Final = 0.01
"""The most likely lapses by their prior, a gamma distribution of shape 2. None at all is
impossible: games in which nobody threw away a won one only say that such games are few. Ten fits
without this prior had 0 to 0.038, 0.010 in the mean."""


@dataclass(frozen=True)
class Bin:
    """Positions that had about the same chance, as many as in each other bin."""

    predicted: float
    """The mean of their chances."""
    happened: Loss
    """The mean of their results, with its standard error by their games."""
    positions: int


@dataclass(frozen=True)
class HeldOutScore:
    """The worth of chances on games that no curve which told them was fitted to."""

    games: int
    positions: int
    """The number of their positions, less the proven ones, of which no chance is told."""
    before: Loss
    """Their loss with 400 points for odds of ten to one."""
    after: Loss
    """Their loss with the chances."""
    bins: tuple[Bin, ...]
    """By rising chance of the player to move."""
    proven: int
    """The number of positions whose result was proven."""
    proven_right: float
    """The share of those in which it came so."""

    @classmethod
    def of(cls, chances: Vector, data: Dataset) -> HeldOutScore:
        """Judge the chances of positions with scores and results."""
        proven = np.abs(data.scores) > PROVEN_SCORE
        came = (data.scores[proven] > 0) == (data.results[proven] > 0.5)
        open_ones = np.flatnonzero(~proven)
        left, told = data.chosen(open_ones), chances[open_ones]
        return cls(
            left.games_seen,
            len(left),
            loss_of(chances_of(Curve(), left), left),
            loss_of(told, left),
            bins_of(told, left),
            int(proven.sum()),
            float(came.mean()) if len(came) else math.nan,
        )

    @property
    def most(self) -> float:
        """The greatest difference between what was predicted and what happened."""
        return max(abs(one.predicted - one.happened.mean) for one in self.bins)


def calibrate(data: Dataset, seed: int = 0) -> tuple[Curve, HeldOutScore]:
    """Fit a curve to a dataset, whose positions need scores and results, and judge such curves.

    Returns: the curve that is fitted to all games, and the judgement of cross-validation: the
        chances of each position are told by a curve that was fitted to other games.

    Raises:
        TrineError: there are too few games.
    """
    if data.games_seen < MIN_GAMES:
        raise TrineError(
            "{count} games are too few to learn from; take {least} at least",
            count=data.games_seen,
            least=MIN_GAMES,
        )
    found, opening = np.unique(data.openings, return_inverse=True)
    chances = np.zeros(len(data))
    shuffled = np.random.default_rng(seed).permutation(len(found))
    for fold in np.array_split(shuffled, FOLDS):
        outside = np.isin(opening, fold)
        curve = fit_curve(data.chosen(np.flatnonzero(~outside)))
        chances[outside] = chances_of(curve, data.chosen(np.flatnonzero(outside)))
    return fit_curve(data), HeldOutScore.of(chances, data)


def fit_curve(data: Dataset) -> Curve:
    """Return the most likely curve, as the results of positions and the priors have it.

    Proven positions tell nothing. All positions of a game together weigh as much as one, since they
    share its result.
    """
    data = data.chosen(np.flatnonzero(np.abs(data.scores) <= PROVEN_SCORE))
    numbered = _numbered(data.games)
    weights = 1 / np.bincount(numbered)[numbered]

    def cost(slope: float, lapses: float) -> float:
        loss = float(weights @ _losses(chances_of(Curve(slope, lapses), data), data))
        relative = lapses / TYPICAL_LAPSES
        return loss + (math.log(slope) / PRIOR_WIDTH) ** 2 / 2 + relative - math.log(relative)

    def best(lapses: float) -> float:
        bounds = math.log(SLOPE_BOUNDS[0]), math.log(SLOPE_BOUNDS[1])
        return math.exp(least(lambda log: cost(math.exp(log), lapses), bounds))

    lapses = round(least(lambda lapses: cost(best(lapses), lapses), LAPSE_BOUNDS), 3)
    return Curve(best(lapses), lapses)


def chances_of(curve: Curve, data: Dataset) -> Vector:
    """Return the chances of all positions, as `Curve.chance` has them of one."""
    points = data.scores.astype(np.float64)
    of_points = np.exp(-np.logaddexp(0, -curve.slope * SLOPE * points))
    return np.clip(curve.lapses + (1 - 2 * curve.lapses) * of_points, MIN_CHANCE, 1 - MIN_CHANCE)


def loss_of(chances: Vector, data: Dataset) -> Loss:
    return mean_loss(_losses(chances, data), _numbered(data.games))


def bins_of(chances: Vector, data: Dataset) -> tuple[Bin, ...]:
    found = []
    for places in np.array_split(np.argsort(chances, kind="stable"), BINS):
        results = data.results[places].astype(np.float64)
        happened = mean_loss(results, _numbered(data.games[places]))
        found.append(Bin(float(chances[places].mean()), happened, len(places)))
    return tuple(found)


def _losses(chances: Vector, data: Dataset) -> Vector:
    """Return the loss of each position: the logarithm of the chance that was not to be."""
    results = data.results.astype(np.float64)
    losses: Vector = -results * np.log(chances) - (1 - results) * np.log1p(-chances)
    return losses


def _numbered(games: NDArray[np.int64]) -> NDArray[np.int64]:
    numbered: NDArray[np.int64] = np.unique(games, return_inverse=True)[1]
    return numbered
