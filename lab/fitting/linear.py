"""Fitting the weights of an evaluation to results of games, by logistic regression.

The points of a position are its terms times their weights; its expected result is ``1 / (1 + 10 **
(-points / 400))`` of a win. The fit maximizes the likelihood of the results with a Gaussian prior
(L2) around the present weights, whose width is chosen by cross-validation. Whole games are held
out, because the positions of a game share its result, and all games with equal openings, because
they are alike. Turns of strong players can be part of the likelihood.

Sources: P. Österlund, "Texel's tuning method" (Chess Programming Wiki); P. Huber, "The behavior of
    maximum likelihood estimates under nonstandard conditions" (1967), for errors clustered by
    games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from fitting.least import least
from fitting.preferences import LOG_SHARPNESS, Matrix, PreferenceLoss, Preferences
from fitting.terms import Counted
from trine.core.errors import TrineError
from trine.engine.learn.dataset import Dataset
from trine.engine.learn.logistic import SLOPE, Vector

Mask = NDArray[np.bool_]

PRIORS: Final = (3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
"""Units: points; the prior standard deviation of a weight, times the typical count of its term. One
of these is chosen by cross-validation."""
HELD_OUT_SHARE: Final = 0.2
"""The share of the games that are held out for validation. Guess."""
FOLDS: Final = 4
"""The number of cross-validation folds of the other games, for choosing the prior. Guess."""
MIN_GAMES: Final = 50
"""The minimum number of games for a fit. Guess."""
MIN_OPENINGS: Final = 20
"""With fewer openings, single games are held out instead of openings. Guess."""
MIN_TERM_GAMES: Final = 10
"""Units: games; a term that counts in fewer keeps its weight. Guess."""
SCALES: Final = (0.05, 20.0)
"""The bounds of the factor that scales the present weights to the results."""


@dataclass(frozen=True)
class Loss:
    """The mean log loss of expected results, and its standard error.

    Units: nats for each position. An expectation of one half always costs 0.693.
    """

    mean: float
    error: float


@dataclass(frozen=True)
class Imitation:
    """Preferences of strong players for the fit, besides results."""

    preferences: Preferences
    counted: Counted
    """The counts of the terms after each turn."""
    weight: float
    """The weight of a turn's mean loss against that of a position."""


@dataclass(frozen=True)
class Likeness:
    """The held-out loss of strong players' turns.

    Units: nats for each turn.
    """

    turns: int
    games: int
    chance: float
    """The loss of a random choice."""
    before: Loss
    after: Loss


@dataclass(frozen=True)
class Fit:
    """Fitted weights in the order of the terms, then the numbers of the piece-square table."""

    weights: Vector
    errors: Vector
    """The standard errors of the weights by the games alone, without the prior; NaN for terms that
    keep their weights."""
    scale: float
    """The best common factor of the present weights."""
    prior: float
    """Units: points; the chosen one of `PRIORS`."""
    held_out: int
    """The number of held-out games that the losses are of."""
    before: Loss
    """The loss with the present weights."""
    scaled: Loss
    """The loss with the present weights times a common factor."""
    after: Loss
    """The loss with the fitted weights."""
    gain: Loss
    """The difference of the losses with present and with fitted weights, game by game."""
    likeness: Likeness | None = None
    """The losses of turns; None if no turns are imitated."""

    def on_the_present_scale(self) -> Fit:
        """Return the fit with its weights scaled to the size of the present ones.

        A search whose margins suit the present scale plays worse with another. Expected results are
        then as miscalibrated as with the present weights; the losses are still those of the
        unscaled weights.
        """
        fitted = ~np.isnan(self.errors)
        weights = np.where(fitted, self.weights / self.scale, self.weights)
        return replace(self, weights=weights, errors=self.errors / self.scale)


@dataclass(frozen=True)
class _Part:
    """A part of the data of a fit."""

    chosen: Mask
    turns: PreferenceLoss | None


class Fitter:
    """Fits the weights of one evaluation to a dataset, and to turns of strong players."""

    def __init__(
        self,
        counted: Counted,
        data: Dataset,
        present: Sequence[float],
        keep_signs: bool = False,
        imitation: Imitation | None = None,
        share_of_results: float = 1.0,
        prior: float | None = None,
    ) -> None:
        """Prepare a fit to a dataset, with the counts of its terms.

        Args: with ``keep_signs`` no weight may change its sign, except weights of 0. The target of
            a scored position is a mix of its result, with weight ``share``, and the expectation by
            its score. A given ``prior`` is used without cross-validation.

        Raises:
            TrineError: the positions, or the turns, are of too few games.
        """
        if data.games_seen < MIN_GAMES:
            raise TrineError(
                "{count} games are too few to learn from; take {least} at least",
                count=data.games_seen,
                least=MIN_GAMES,
            )
        self._present: Vector = np.array(present, np.float64)
        _, self._game = np.unique(data.games, return_inverse=True)
        """Shapes: position. The games, numbered without gaps."""
        self._games = int(self._game.max()) + 1
        found, self._opening = np.unique(data.openings, return_inverse=True)
        """Shapes: position. The openings, numbered without gaps."""
        if len(found) < MIN_OPENINGS:
            self._opening = self._game
        scored, known = ~np.isnan(data.scores), ~np.isnan(data.results)
        of_results = np.where(scored, np.where(known, share_of_results, 0.0), 1.0)
        # The logarithm first, because the exponential of a proven score would overflow.
        promised = np.exp(-np.logaddexp(0, -SLOPE * np.where(scored, data.scores, 0)))
        self._results: Vector = (
            of_results * np.where(known, data.results, 0.0) + (1 - of_results) * promised
        )
        """Shapes: position. The targets."""
        self._share: Vector = of_results
        self._prior = prior
        values = counted.counts.astype(np.float64)
        self._seen = _games_with(values, self._game, self._games) >= MIN_TERM_GAMES
        unseen = ~self._seen
        self._rest: Vector = counted.rest + values[:, unseen] @ self._present[unseen]
        values = values[:, self._seen]
        self._unit: Vector = np.sqrt((values**2).sum(0) / (values != 0).sum(0))
        """Shapes: term. The root mean square of a term's nonzero counts; weights times these are
        points."""
        self._terms: Matrix = values / self._unit
        self._start: Vector = self._present[self._seen] * self._unit
        self._turns = self._preference_loss(imitation) if imitation else None
        self._imitated = imitation.weight if imitation else 0.0
        signs = np.sign(self._start) if keep_signs else np.zeros(len(self._start))
        self._bounds = [
            (0.0 if sign > 0 else -np.inf, 0.0 if sign < 0 else np.inf) for sign in signs
        ]

    def _preference_loss(self, imitation: Imitation) -> PreferenceLoss:
        values = imitation.counted.counts.astype(np.float64)
        rest = imitation.counted.rest + values[:, ~self._seen] @ self._present[~self._seen]
        return PreferenceLoss.of(imitation.preferences, values[:, self._seen] / self._unit, rest)

    def fit(self, seed: int = 0) -> Fit:
        """Fit the weights to all data; the losses are those of a fit to a part of it."""
        learnt, test = self.divide(seed)
        games, test_games = _divided(self._turns.games if self._turns else 0, seed)
        prior = self._prior or self._choose_prior(learnt, games)
        inside, outside = self._part(learnt, games), self._part(test, test_games)
        scale = self._fit_scale(inside.chosen)
        judged, sharpness = self._fit_to(inside, scale, prior)
        losses = [
            self._losses(points, outside.chosen)
            for points in (self._start, scale * self._start, judged)
        ]
        everything = _Part(np.ones(len(self._results), np.bool_), self._turns)
        whole = self._fit_scale(everything.chosen)
        points, sharpness_of_all = self._fit_to(everything, whole, prior)
        weights, errors = self._present.copy(), np.full(len(self._present), np.nan)
        weights[self._seen] = points / self._unit
        errors[self._seen] = self._errors(points, sharpness_of_all) / self._unit
        before, scaled, after = (self._mean(loss, outside.chosen) for loss in losses)
        gain = self._mean(losses[0] - losses[2], outside.chosen)
        held_out = len(np.unique(self._game[outside.chosen]))
        likeness = self._likeness(inside, outside, judged, sharpness)
        return Fit(weights, errors, whole, prior, held_out, before, scaled, after, gain, likeness)

    def divide(self, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the numbers of the openings for training and for validation."""
        return _divided(int(self._opening.max()) + 1, seed)

    def _part(self, openings: NDArray[np.int64], games: NDArray[np.int64]) -> _Part:
        turns = self._turns.part(games) if self._turns else None
        return _Part(np.isin(self._opening, openings), turns)

    def _likeness(
        self, inside: _Part, outside: _Part, judged: Vector, sharpness: float
    ) -> Likeness | None:
        if inside.turns is None or outside.turns is None:
            return None
        turns = outside.turns
        present = inside.turns.sharpness_of(self._start)
        before, after = (
            mean_loss(turns.losses(points, sharp), turns.game)
            for points, sharp in ((self._start, present), (judged, sharpness))
        )
        return Likeness(len(turns), turns.games, turns.chance, before, after)

    def _promises(self, points: Vector, chosen: Mask) -> Vector:
        total = self._rest[chosen] + self._terms[chosen] @ points
        promises: Vector = 1 / (1 + np.exp(-SLOPE * total))
        return promises

    def _losses(self, points: Vector, chosen: Mask) -> Vector:
        # log(1 + exp(z)), where z is the logit against the result.
        logit = SLOPE * (self._rest[chosen] + self._terms[chosen] @ points)
        losses: Vector = np.logaddexp(0, logit) - self._results[chosen] * logit
        return losses

    def _mean(self, losses: Vector, chosen: Mask) -> Loss:
        return mean_loss(losses, self._game[chosen])

    def _weight(self, chosen: Mask) -> float:
        """Return the weight of a position.

        The positions of a game with one result together weigh 1; each score is a fact of its own.
        """
        alike = len(np.unique(self._game[chosen])) / float(chosen.sum())
        shared = float(self._share[chosen].mean())
        return shared * alike + (1 - shared)

    def _fit_scale(self, chosen: Mask) -> float:
        if not self._start.any():
            return 1.0
        low, high = map(math.log, SCALES)

        def cost(log: float) -> float:
            return float(self._losses(math.exp(log) * self._start, chosen).mean())

        return math.exp(least(cost, (low, high)))

    def _fit_to(self, part: _Part, scale: float, prior: float) -> tuple[Vector, float]:
        """Return the points of each term that fit a part best.

        Returns: also the logarithm of the sharpness of its turns.
        """
        chosen, turns = part.chosen, part.turns
        terms, rest, results = self._terms[chosen], self._rest[chosen], self._results[chosen]
        centre, weight = scale * self._start, self._weight(chosen)
        imitated = self._imitated * weight * len(results)
        sharpness = turns.sharpness_of(centre) if turns else 0.0

        def cost(fitted: Vector) -> tuple[float, Vector]:
            points, sharp = fitted[:-1], float(fitted[-1])
            logit = SLOPE * (rest + terms @ points)
            off = (points - centre) / prior
            loss = weight * (np.logaddexp(0, logit) - results * logit).sum() + (off @ off) / 2
            beyond = 1 / (1 + np.exp(-logit)) - results
            gradient = weight * SLOPE * (beyond @ terms) + off / prior
            by_sharpness = 0.0
            if turns:
                more, by_points, by_sharpness = turns.cost(points, sharp)
                loss, gradient = loss + imitated * more, gradient + imitated * by_points
            return float(loss), np.append(gradient, imitated * by_sharpness)

        found = optimize.minimize(
            cost,
            np.append(centre, sharpness),
            jac=True,
            method="L-BFGS-B",
            bounds=[*self._bounds, LOG_SHARPNESS],
            options={"maxiter": 1000, "ftol": 1e-10, "gtol": 1e-6},
        )
        return found.x[:-1], float(found.x[-1])

    def _choose_prior(self, openings: NDArray[np.int64], games: NDArray[np.int64]) -> float:
        """Return the prior with the least loss in cross-validation over openings and games."""
        costs = dict.fromkeys(PRIORS, 0.0)
        folds = zip(np.array_split(openings, FOLDS), np.array_split(games, FOLDS), strict=True)
        for fold, of_turns in folds:
            inside = self._part(np.setdiff1d(openings, fold), np.setdiff1d(games, of_turns))
            outside = self._part(fold, of_turns)
            scale, positions = self._fit_scale(inside.chosen), int(outside.chosen.sum())
            for prior in PRIORS:
                points, sharpness = self._fit_to(inside, scale, prior)
                costs[prior] += float(self._losses(points, outside.chosen).sum())
                if outside.turns:
                    loss = float(outside.turns.losses(points, sharpness).mean())
                    costs[prior] += self._imitated * positions * loss
        return min(PRIORS, key=costs.__getitem__)

    def _errors(self, points: Vector, sharpness: float) -> Vector:
        """Return the standard errors of fitted points, clustered by games."""
        # A narrow prior would make the errors small, without more evidence.
        prior = PRIORS[-1]
        everything = np.ones(len(self._results), np.bool_)
        promises, weight = self._promises(points, everything), self._weight(everything)
        spread = weight * SLOPE**2 * promises * (1 - promises)
        bend = (self._terms * spread[:, None]).T @ self._terms
        gradients = weight * SLOPE * (promises - self._results)
        by_game = np.stack(
            [np.bincount(self._game, gradients * term, self._games) for term in self._terms.T]
        )
        if self._turns:  # the sharpness, which is fitted too, comes after the points
            imitated = self._imitated * weight * len(self._results)
            bend = np.pad(bend, (0, 1)) + imitated * self._turns.bend(points, sharpness)
            by_turns = imitated * self._turns.gradients(points, sharpness)
            by_game = np.hstack([np.pad(by_game, ((0, 1), (0, 0))), by_turns])
        inverse = np.linalg.inv(bend + np.eye(len(bend)) / prior**2)
        errors: Vector = np.sqrt(np.diag(inverse @ (by_game @ by_game.T) @ inverse))
        return errors[: len(points)]


def _divided(count: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Split the numbers below a count into training and validation numbers."""
    shuffled = np.random.default_rng(seed).permutation(count)
    test, learnt = np.split(shuffled, [round(HELD_OUT_SHARE * count)])
    return learnt, test


def mean_loss(losses: Vector, game: NDArray[np.int64]) -> Loss:
    mean = float(losses.mean())
    by_game = np.bincount(game, losses - mean)
    return Loss(mean, float(np.sqrt((by_game**2).sum()) / len(losses)))


def _games_with(values: Matrix, game: NDArray[np.int64], games: int) -> NDArray[np.int64]:
    """Return the number of games with a nonzero count of each term."""
    return np.array(
        [np.count_nonzero(np.bincount(game, term != 0, games)) for term in values.T], np.int64
    )
