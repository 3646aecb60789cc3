"""Maximum-likelihood curves from points to win chances, and their validation.

A curve has two parameters, fitted with priors. Whole games are held out, because the positions of a
game share its result; they show how well the curve is calibrated.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fitting.least import least
from trine.core.contract.score import PROVEN_SCORE
from trine.core.errors import TrineError
from trine.engine.learn.dataset import Dataset
from trine.engine.learn.network.examples import SLOPE, Vector
from trine.engine.players.chances import MIN_CHANCE, Curve

MIN_GAMES: Final = 50
"""The minimum number of games for a fit. Guess."""
FOLDS: Final = 5
"""The number of cross-validation folds, by games. Guess."""
BINS: Final = 5
"""The number of bins of positions, by chance, that are compared with the results."""
SLOPE_BOUNDS: Final = (0.02, 10.0)
LAPSE_BOUNDS: Final = (0.0005, 0.3)
"""The bounds of the fit, as for `SLOPE_BOUNDS`."""
PRIOR_WIDTH: Final = 1.0
"""Units: nats; the standard deviation of the prior of the logarithm of the slope, around 0.
Guess."""
TYPICAL_LAPSES: Final = 0.01
"""The mode of the prior of lapses, a gamma distribution of shape 2. The prior excludes 0: games in
which no player threw away a win only show that lapses are rare. Ten fits without this prior had 0
to 0.038, 0.010 on average."""


@dataclass(frozen=True)
class Loss:
    """The mean log loss of expected results, and its standard error.

    Units: nats for each position. An expectation of one half always costs 0.693.
    """

    mean: float
    error: float


@dataclass(frozen=True)
class Bin:
    """Positions of about equal chance; all bins have the same size."""

    predicted: float
    """The mean of their chances."""
    happened: Loss
    """The mean of their results, with its standard error clustered by games."""
    positions: int


@dataclass(frozen=True)
class HeldOutScore:
    """The quality of chances on held-out games."""

    games: int
    positions: int
    """The number of positions, without the proven ones, which have no chance."""
    before: Loss
    """The loss of the formula with 400 points for odds of ten to one."""
    after: Loss
    """The loss of the chances."""
    bins: tuple[Bin, ...]
    """In order of the chance of the player to move."""
    proven: int
    """The number of positions with a proven result."""
    proven_right: float
    """The share of the proven positions whose result came true."""

    @classmethod
    def of(cls, chances: Vector, data: Dataset) -> HeldOutScore:
        """Validate the chances of positions with scores and results."""
        proven = np.abs(data.scores) > PROVEN_SCORE
        came = (data.scores[proven] > 0) == (data.results[proven] > 0.5)
        open_ones = np.flatnonzero(~proven)
        left, predicted = data.chosen(open_ones), chances[open_ones]
        return cls(
            left.games_seen,
            len(left),
            loss_of(chances_of(Curve(), left), left),
            loss_of(predicted, left),
            bins_of(predicted, left),
            int(proven.sum()),
            float(came.mean()) if len(came) else math.nan,
        )

    @property
    def most(self) -> float:
        """The largest difference between a predicted and an observed mean."""
        return max(abs(one.predicted - one.happened.mean) for one in self.bins)


def calibrate(data: Dataset, seed: int = 0) -> tuple[Curve, HeldOutScore]:
    """Fit a curve to a dataset with scores and results, and cross-validate it.

    Returns: the curve fitted to all games, and the cross-validated quality: each position's chance
        is by a curve fitted to other games.

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
    """Return the most likely curve by the results of positions and the priors.

    Proven positions are ignored. The positions of a game together have the weight of one, because
    they share its result.
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
    """Vectorized `Curve.chance`: return the chances of all positions."""
    points = data.scores.astype(np.float64)
    of_points = np.exp(-np.logaddexp(0, -curve.slope * SLOPE * points))
    return np.clip(curve.lapses + (1 - 2 * curve.lapses) * of_points, MIN_CHANCE, 1 - MIN_CHANCE)


def loss_of(chances: Vector, data: Dataset) -> Loss:
    return mean_loss(_losses(chances, data), _numbered(data.games))


def mean_loss(losses: Vector, game: NDArray[np.int64]) -> Loss:
    mean = float(losses.mean())
    by_game = np.bincount(game, losses - mean)
    return Loss(mean, float(np.sqrt((by_game**2).sum()) / len(losses)))


def bins_of(chances: Vector, data: Dataset) -> tuple[Bin, ...]:
    found = []
    for places in np.array_split(np.argsort(chances, kind="stable"), BINS):
        results = data.results[places].astype(np.float64)
        happened = mean_loss(results, _numbered(data.games[places]))
        found.append(Bin(float(chances[places].mean()), happened, len(places)))
    return tuple(found)


def _losses(chances: Vector, data: Dataset) -> Vector:
    """Return the log loss of each position."""
    results = data.results.astype(np.float64)
    losses: Vector = -results * np.log(chances) - (1 - results) * np.log1p(-chances)
    return losses


def _numbered(games: NDArray[np.int64]) -> NDArray[np.int64]:
    numbered: NDArray[np.int64] = np.unique(games, return_inverse=True)[1]
    return numbered
