"""Elo differences of two players, with errors.

Sources: A. Elo, "The Rating of Chessplayers", 1978, for the scale; M. Van den Bergh, "Comments on
Normalized Elo" (cantate.be/Fishtest/normalized_elo_practical.pdf), for normalized Elo; fastchess,
the reference of engine authors, for intervals and counting.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

from trine.engine.arena.tally import Tally

NELO: Final = 800 / math.log(10)
"""Units: normalized Elo for each standard deviation of a game; without draws, small differences are
equal in Elo and normalized Elo."""
TWO_SIDED_95: Final = NormalDist().inv_cdf(0.975)
"""Units: standard deviations; the half width of the central 95 % of a normal distribution."""


def expected_score(elo: float) -> float:
    """Return the expected score of a game against a player who is weaker by ``elo``.

    >>> round(expected_score(400), 3)
    0.909
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_score(score: float) -> float:
    """Return the Elo difference for a score; infinite for 0 and 1, NaN outside.

    >>> round(elo_of_score(0.75), 1), elo_of_score(1.0)
    (190.8, inf)
    """
    if score in (0, 1):
        return math.copysign(math.inf, score - 0.5)
    if not 0 < score < 1:
        return math.nan
    return 400 * math.log10(score / (1 - score))


@dataclass(frozen=True)
class Spread:
    """The mean, the variance and the number of scores. Units: points for each game, from 0 to 1."""

    mean: float
    variance: float
    count: int

    @classmethod
    def of(cls, counts: Sequence[int]) -> Spread:
        """Return the spread of counted results; results are evenly spaced from 0 to 1.

        >>> Spread.of((1, 0, 1))
        Spread(mean=0.5, variance=0.25, count=2)
        """
        total, most = sum(counts), len(counts) - 1
        if not total:
            return cls(math.nan, math.nan, 0)
        scores = [step / most for step in range(len(counts))]
        mean = sum(map(float.__mul__, scores, map(float, counts))) / total
        squares = (count * (score - mean) ** 2 for score, count in zip(scores, counts, strict=True))
        return cls(mean, sum(squares) / total, total)

    @property
    def error(self) -> float:
        return math.sqrt(self.variance / self.count) if self.count else math.nan


@dataclass(frozen=True)
class EloEstimate:
    """The Elo estimates of a match of two players; NaN with too few games.

    Units: Elo, normalized Elo; errors are half the width of the 95 % interval.
    """

    elo: float
    elo_error: float
    nelo: float
    nelo_error: float
    superiority: float
    """The likelihood of superiority (LOS), from 0 to 1."""

    @classmethod
    def of(cls, tally: Tally) -> EloEstimate:
        """Estimate from the pairs of a match.

        >>> strength = EloEstimate.of(Tally(pairs=(34, 54, 63, 64, 75)))
        >>> f"{strength.elo:.2f} +/- {strength.elo_error:.2f}"
        '55.58 +/- 27.65'
        """
        spread = Spread.of(tally.pairs)
        # The variance of a pair's mean is half the variance of a game.
        deviation = math.sqrt(2 * spread.variance)
        reach = TWO_SIDED_95 * spread.error
        low, high = elo_of_score(spread.mean - reach), elo_of_score(spread.mean + reach)
        beyond = spread.mean - 0.5
        if not deviation:  # all results are equal
            certain = {-1: 0.0, 0: 0.5, 1: 1.0}[(beyond > 0) - (beyond < 0)]
            nelo = math.copysign(math.inf, beyond) if beyond else math.nan
            return cls(elo_of_score(spread.mean), math.nan, nelo, math.nan, certain)
        return cls(
            elo_of_score(spread.mean),
            (high - low) / 2,
            beyond / deviation * NELO,
            reach / deviation * NELO,
            (1 + math.erf(beyond / spread.error / math.sqrt(2))) / 2,
        )
