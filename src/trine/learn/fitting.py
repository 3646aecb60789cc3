"""Fitting the weights of an evaluation to results of games, by logistic regression.

The points of a position are its terms times their weights, and its expected result is
``1 / (1 + 10 ** (-points / 400))`` of a win. The fit is the maximum of the likelihood of the
results with a pull towards the present weights, whose strength is found by cross-validation. Whole
games are held out, since the positions of a game share its result, and all games with an opening,
since they are alike.

Sources: P. Österlund, "Texel's tuning method" (Chess Programming Wiki); P. Huber, "The behavior of
maximum likelihood estimates under nonstandard conditions" (1967), for errors by games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.errors import TrineError
from trine.core.extras import how_to_install
from trine.core.text import text
from trine.learn.samples import Counted, Samples

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
Mask = NDArray[np.bool_]

SLOPE: Final = math.log(10) / 400
"""Units: nats a point."""
PULLS: Final = (3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
"""Units: points; the prior standard deviation of a weight, times the usual count of its term. One
of these is chosen by cross-validation."""
HELD_OUT: Final = 0.2
"""The share of the games by which the fit is judged. Guess."""
FOLDS: Final = 4
"""The number of folds of the other games, for the choice of the pull. Guess."""
FEWEST_GAMES: Final = 50
"""The fewest games that weights are fitted to. Guess."""
FEWEST_OPENINGS: Final = 20
"""Of fewer openings none can be held out; then single games are. Guess."""
SEEN: Final = 10
"""Units: games; a term that counts in fewer keeps its weight. Guess."""
SCALES: Final = (0.05, 20.0)
"""The bounds of the factor between the present weights' scale and that of the results."""


@dataclass(frozen=True)
class Loss:
    """The mean of the logarithmic loss of expected results, and its standard error.

    Units: nats a position. An expectation of one half always costs 0.693.
    """

    mean: float
    error: float


@dataclass(frozen=True)
class Fit:
    """Fitted weights, in the order of the terms."""

    weights: Vector
    errors: Vector
    """The standard errors of the weights by the games alone, without the pull to the present ones;
    not a number for terms that keep their weights."""
    scale: float
    """The common factor of the present weights that fits best."""
    pull: float
    """Units: points; the chosen one of `PULLS`."""
    held_out: int
    """The number of games that the losses are of, which the fit that they judge has not seen."""
    before: Loss
    """The loss with the present weights."""
    scaled: Loss
    """The loss with these times a common factor."""
    after: Loss
    """The loss with fitted weights."""
    gain: Loss
    """The difference of the losses with present and with fitted weights, game by game."""

    def on_the_present_scale(self) -> Fit:
        """Return the fit with its weights scaled to be, on the whole, as large as the present ones.

        A search whose margins suit the present scale plays worse with another. The expected results
        are then as far off as they are now; the losses stay those of the unscaled weights.
        """
        fitted = ~np.isnan(self.errors)
        weights = np.where(fitted, self.weights / self.scale, self.weights)
        return replace(self, weights=weights, errors=self.errors / self.scale)


class Fitter:
    """A fitter of the weights of one evaluation to samples."""

    def __init__(
        self, counted: Counted, samples: Samples, present: Sequence[float], keep_signs: bool = False
    ) -> None:
        """Take samples, and their features.

        Args: with ``keep_signs`` no weight may change its sign; those that are 0 are free.

        Raises:
            TrineError: the samples are of too few games.
        """
        if samples.games_seen < FEWEST_GAMES:
            raise TrineError(
                text(
                    "{count} games are too few to learn from; take {least} at least",
                    count=samples.games_seen,
                    least=FEWEST_GAMES,
                )
            )
        self._present: Vector = np.array(present, np.float64)
        _, self._game = np.unique(samples.games, return_inverse=True)
        """Shapes: sample. The games, numbered without gaps."""
        self._games = int(self._game.max()) + 1
        found, self._opening = np.unique(samples.openings, return_inverse=True)
        """Shapes: sample. Their openings, numbered without gaps."""
        if len(found) < FEWEST_OPENINGS:
            self._opening = self._game
        self._results: Vector = samples.results.astype(np.float64)
        values = counted.features.astype(np.float64)
        self._seen = _games_with(values, self._game, self._games) >= SEEN
        unseen = ~self._seen
        self._rest: Vector = counted.rest + values[:, unseen] @ self._present[unseen]
        values = values[:, self._seen]
        self._unit: Vector = np.sqrt((values**2).sum(0) / (values != 0).sum(0))
        """Shapes: term. The root mean square of a term's nonzero counts; weights times these are
        points."""
        self._terms: Matrix = values / self._unit
        self._start: Vector = self._present[self._seen] * self._unit
        signs = np.sign(self._start) if keep_signs else np.zeros(len(self._start))
        self._bounds = [
            (0.0 if sign > 0 else -np.inf, 0.0 if sign < 0 else np.inf) for sign in signs
        ]

    def fit(self, seed: int = 0) -> Fit:
        """Fit the weights to all samples; the losses are those of a fit to a part of them."""
        learnt, test = self.divide(seed)
        pull = self._choose_pull(learnt)
        inside, outside = self._of(learnt), self._of(test)
        scale = self._fit_scale(inside)
        judged = self._fit_to(inside, scale, pull)
        losses = [
            self._losses(points, outside) for points in (self._start, scale * self._start, judged)
        ]
        everything = np.ones(len(self._results), np.bool_)
        whole = self._fit_scale(everything)
        points = self._fit_to(everything, whole, pull)
        weights, errors = self._present.copy(), np.full(len(self._present), np.nan)
        weights[self._seen] = points / self._unit
        errors[self._seen] = self._errors(points) / self._unit
        before, scaled, after = (self._mean(loss, outside) for loss in losses)
        gain = self._mean(losses[0] - losses[2], outside)
        held_out = len(np.unique(self._game[outside]))
        return Fit(weights, errors, whole, pull, held_out, before, scaled, after, gain)

    def divide(self, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the numbers of the openings to learn from, and of those that are held out."""
        openings = np.random.default_rng(seed).permutation(int(self._opening.max()) + 1)
        test, learnt = np.split(openings, [round(HELD_OUT * len(openings))])
        return learnt, test

    def _of(self, openings: NDArray[np.int64]) -> Mask:
        """Return a mask of the samples of games with these openings."""
        return np.isin(self._opening, openings)

    def _promises(self, points: Vector, chosen: Mask) -> Vector:
        """Return the expected results of samples, with the points of each term."""
        total = self._rest[chosen] + self._terms[chosen] @ points
        promises: Vector = 1 / (1 + np.exp(-SLOPE * total))
        return promises

    def _losses(self, points: Vector, chosen: Mask) -> Vector:
        """Return the loss of each sample."""
        # log(1 + exp(z)), where z is the logit against the result.
        logit = SLOPE * (self._rest[chosen] + self._terms[chosen] @ points)
        losses: Vector = np.logaddexp(0, logit) - self._results[chosen] * logit
        return losses

    def _mean(self, losses: Vector, chosen: Mask) -> Loss:
        """Return the mean of the losses of samples, with its error by games."""
        mean = float(losses.mean())
        by_game = np.bincount(self._game[chosen], losses - mean, self._games)
        return Loss(mean, float(np.sqrt((by_game**2).sum()) / len(losses)))

    def _weight(self, chosen: Mask) -> float:
        """Return the weight of a sample: those of a game, with one result, weigh 1 on average."""
        return len(np.unique(self._game[chosen])) / float(chosen.sum())

    def _fit_scale(self, chosen: Mask) -> float:
        if not self._start.any():
            return 1.0
        optimize = open_optimizers()
        found = optimize.minimize_scalar(
            lambda log: self._losses(math.exp(log) * self._start, chosen).mean(),
            bounds=(math.log(SCALES[0]), math.log(SCALES[1])),
            method="bounded",
        )
        return math.exp(found.x)

    def _fit_to(self, chosen: Mask, scale: float, pull: float) -> Vector:
        """Return the points of each term that fit chosen samples best."""
        optimize = open_optimizers()
        terms, rest, results = self._terms[chosen], self._rest[chosen], self._results[chosen]
        centre, weight = scale * self._start, self._weight(chosen)

        def cost(points: Vector) -> tuple[float, Vector]:
            logit = SLOPE * (rest + terms @ points)
            off = (points - centre) / pull
            loss = weight * (np.logaddexp(0, logit) - results * logit).sum() + (off @ off) / 2
            beyond = 1 / (1 + np.exp(-logit)) - results
            return float(loss), weight * SLOPE * (beyond @ terms) + off / pull

        found = optimize.minimize(
            cost,
            centre,
            jac=True,
            method="L-BFGS-B",
            bounds=self._bounds,
            options={"maxiter": 1000, "ftol": 1e-10, "gtol": 1e-6},
        )
        points: Vector = found.x
        return points

    def _choose_pull(self, openings: NDArray[np.int64]) -> float:
        """Return the pull with the least loss in cross-validation over some openings."""
        costs = dict.fromkeys(PULLS, 0.0)
        for fold in np.array_split(openings, FOLDS):
            inside, outside = self._of(np.setdiff1d(openings, fold)), self._of(fold)
            scale = self._fit_scale(inside)
            for pull in PULLS:
                points = self._fit_to(inside, scale, pull)
                costs[pull] += float(self._losses(points, outside).sum())
        return min(PULLS, key=costs.__getitem__)

    def _errors(self, points: Vector) -> Vector:
        """Return the standard errors of fitted points, clustered by games."""
        # With a strong pull errors would be small, for no reason but the pull.
        pull = PULLS[-1]
        everything = np.ones(len(self._results), np.bool_)
        promises, weight = self._promises(points, everything), self._weight(everything)
        spread = weight * SLOPE**2 * promises * (1 - promises)
        bend = (self._terms * spread[:, None]).T @ self._terms + np.eye(len(points)) / pull**2
        slopes = weight * SLOPE * (promises - self._results)
        by_game = np.stack(
            [np.bincount(self._game, slopes * term, self._games) for term in self._terms.T]
        )
        inverse = np.linalg.inv(bend)
        errors: Vector = np.sqrt(np.diag(inverse @ (by_game @ by_game.T) @ inverse))
        return errors


def _games_with(values: Matrix, game: NDArray[np.int64], games: int) -> NDArray[np.int64]:
    """Return the number of games in which each term counts anything."""
    return np.array(
        [np.count_nonzero(np.bincount(game, term != 0, games)) for term in values.T], np.int64
    )


def open_optimizers() -> Any:
    """Open SciPy's optimizers.

    Raises:
        TrineError: SciPy is not installed.
    """
    try:
        from scipy import optimize
    except ImportError:
        raise TrineError(
            text(
                "fitting needs one more library; install it with: {command}",
                command=how_to_install("tune"),
            )
        ) from None
    return optimize
