"""Statistics of a match of two players: Elo differences with errors, and the SPRT.

Two games are a pair if they share an opening and the players swap seats. The advantage of a side in
the opening cancels out, so statistics treat pairs, not games, as independent.

After every pair the sequential probability ratio test (SPRT) compares the log-likelihood ratio of
two hypotheses with two bounds; the match ends when the ratio passes one. It is the generalized
ratio (GSPRT): each hypothesis is represented by its maximum-likelihood distribution of results,
computed exactly.

Sources: A. Elo, "The Rating of Chessplayers", 1978, for the scale; A. Wald, "Sequential Tests of
Statistical Hypotheses", 1945, for the bounds; M. Van den Bergh, "Comments on Normalized Elo"
(cantate.be/Fishtest/normalized_elo_practical.pdf), for normalized Elo, proposition 1.1 for a given
mean and section 4.1 for a given t-value; fastchess, the reference of engine authors, for intervals,
counting and empty counts.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Final, Literal, Self

from trine.core.errors import MalformedError
from trine.core.text.sentence import quoted

LOST: Final = 0
DRAWN: Final = 1
WON: Final = 2  # half points


@dataclass(frozen=True)
class Tally:
    """Games and pairs, counted for one player against another.

    >>> tally = Tally().after_pair(WON, LOST).after_pair(WON, DRAWN)
    >>> tally.games, tally.points, tally.pairs
    (4, 2.5, (0, 0, 1, 1, 0))
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    """The pentanomial counts: the number of pairs with 0, 1, 2, 3, 4 half points."""
    drawn_pairs: int = 0  # number of pairs that were two draws, not a win and a loss

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The score: a point for a win, half a point for a draw."""
        return self.wins + self.draws / 2

    @property
    def split_pairs(self) -> int:
        """The number of pairs that were a win and a loss."""
        return self.pairs[2] - self.drawn_pairs

    def after_pair(self, first: int, second: int) -> Self:
        """Return the tally with one more pair, by the half points of its games."""
        tally = self.after_game(first).after_game(second)
        zero, one, two, three, four = (
            count + (first + second == half_points) for half_points, count in enumerate(self.pairs)
        )
        drawn = self.drawn_pairs + (first == second == DRAWN)
        return replace(tally, pairs=(zero, one, two, three, four), drawn_pairs=drawn)

    def after_game(self, half_points: int) -> Self:
        """Return the tally with one more game that is not in a pair."""
        assert LOST <= half_points <= WON, half_points
        return replace(
            self,
            wins=self.wins + (half_points == WON),
            draws=self.draws + (half_points == DRAWN),
            losses=self.losses + (half_points == LOST),
        )


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
    def of(cls, counts: Sequence[int]) -> Self:
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
    superiority: float  # the likelihood of superiority (LOS), from 0 to 1

    @classmethod
    def of(cls, tally: Tally) -> Self:
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


MODELS: Final = ("normalized", "logistic")  # the units of the margins: normalized Elo, Elo
EMPTY_COUNT: Final = 1e-3  # replaces a count of 0, so that its logarithm exists. Source: fastchess
MAX_MARGIN: Final = 2000.0
"""Units: Elo or normalized Elo; no feasible match measures a larger margin. Guess."""

Verdict = Literal["H0", "H1"]


@dataclass(frozen=True)
class Sprt:
    """A sequential probability ratio test of ``elo0`` (H0) against ``elo1`` (H1).

    >>> test = Sprt(0, 5)
    >>> round(test.lower, 2), round(test.upper, 2)
    (-2.94, 2.94)
    >>> round(test.llr(Tally(pairs=(307, 619, 1202, 725, 353))), 2)
    2.95
    """

    elo0: float
    elo1: float
    alpha: float = 0.05  # the probability of accepting H1 if H0 is true
    beta: float = 0.05  # the probability of accepting H0 if H1 is true
    model: str = "normalized"

    def __post_init__(self) -> None:
        for margin in (self.elo0, self.elo1):
            if not abs(margin) <= MAX_MARGIN:
                raise MalformedError(
                    "{given} is no margin for a test; the farthest are {least} and {most}",
                    given=f"{margin:g}",
                    least=f"{-MAX_MARGIN:g}",
                    most=f"{MAX_MARGIN:g}",
                )
        if not self.elo0 < self.elo1:
            raise MalformedError(
                "the first margin of the test, {low}, must be below the second, {high}",
                low=self.elo0,
                high=self.elo1,
            )
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise MalformedError("alpha and beta must be more than 0, and less than 1 together")
        if self.model not in MODELS:
            raise MalformedError(
                "no model {given}; there are {known}",
                given=quoted(self.model),
                known=", ".join(MODELS),
            )

    @property
    def lower(self) -> float:
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        return math.log((1 - self.beta) / self.alpha)

    def verdict(self, tally: Tally) -> Verdict | None:
        ratio = self.llr(tally)
        if ratio >= self.upper:
            return "H1"
        return "H0" if ratio <= self.lower else None

    def fraction(self, ratio: float) -> float:
        """Return the ratio as a share of the bound on its side; negative towards H0."""
        return ratio / self.upper if ratio >= 0 else -ratio / self.lower

    def llr(self, tally: Tally) -> float:
        return self.llr_of(tally.pairs)

    def llr_of(self, counts: Sequence[int]) -> float:
        if not sum(counts):
            return 0.0
        cells = [count or EMPTY_COUNT for count in counts]
        total, most = sum(cells), len(cells) - 1
        shares = [cell / total for cell in cells]
        scores = [step / most for step in range(len(cells))]
        if self.model == "normalized":
            # A result is the mean of several games, so its deviation is smaller.
            targets = (elo * math.sqrt(most / 2) / NELO for elo in (self.elo0, self.elo1))
            h0, h1 = (likeliest_with_t(scores, shares, target) for target in targets)
        else:
            means = (expected_score(elo) for elo in (self.elo0, self.elo1))
            h0, h1 = (likeliest_with_mean(scores, shares, mean) for mean in means)
        return total * sum(
            share * math.log(one / zero) for share, zero, one in zip(shares, h0, h1, strict=True)
        )


def likeliest_with_mean(
    scores: Sequence[float], shares: Sequence[float], mean: float
) -> list[float]:
    """Return the maximum-likelihood distribution with a mean (Van den Bergh, proposition 1.1)."""
    return _tilt(shares, [score - mean for score in scores])


def likeliest_with_t(
    scores: Sequence[float], shares: Sequence[float], target: float
) -> list[float]:
    """Return the maximum-likelihood distribution with t-value ``target``.

    Its mean is ``target`` standard deviations above one half. Source: Van den Bergh, section 4.1:
    each round linearizes the condition at the last distribution. Van den Bergh starts from the
    uniform distribution, which does not converge for far targets.
    """
    found = _reaching(scores, target)
    for _ in range(MAX_ROUNDS):
        mean, deviation = _spread(scores, found)
        gaps = [
            score - 0.5 - target * deviation * (1 + ((score - mean) / deviation) ** 2) / 2
            for score in scores
        ]
        before, found = found, _tilt(shares, gaps)
        if max(abs(one - other) for one, other in zip(before, found, strict=True)) < CONVERGED:
            break
    return found


MAX_ROUNDS: Final = 1000  # the most rounds of `likeliest_with_t`; about ten suffice. Guess
CONVERGED: Final = 1e-10
"""The largest change of a probability at convergence; it changes the ratio of a million pairs in
the fourth decimal."""


def _reaching(scores: Sequence[float], target: float) -> list[float]:
    """Return the uniform distribution, shifted towards one end until its t-value reaches a target.

    Guarantee: each round then finds a distribution. For a positive target, the mean of the gaps
    under the last distribution is ``mean - 0.5 - target * deviation``, which is not negative if
    that distribution reaches the target, while the gap of an even score is always negative: so gaps
    have both signs. The new distribution reaches the target, too, since the linearized deviation is
    not less than the true one (AM-GM inequality).
    """
    found = [1 / len(scores)] * len(scores)
    end = -1 if target > 0 else 0
    while True:
        mean, deviation = _spread(scores, found)
        if abs(mean - 0.5) >= abs(target) * deviation:
            return found
        found = [share / 2 for share in found]
        found[end] += 0.5


def _spread(scores: Sequence[float], shares: Sequence[float]) -> tuple[float, float]:
    mean = sum(score * share for score, share in zip(scores, shares, strict=True))
    squares = (share * (score - mean) ** 2 for score, share in zip(scores, shares, strict=True))
    return mean, math.sqrt(sum(squares))


def _tilt(shares: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """Return shares reweighted so that the gaps have mean 0: ``share / (1 + tilt * gap)``."""

    def excess(tilt: float) -> float:
        return sum(share * gap / (1 + tilt * gap) for share, gap in zip(shares, gaps, strict=True))

    tilt = _zero_of_falling(excess, -1 / max(gaps), -1 / min(gaps))
    return [share / (1 + tilt * gap) for share, gap in zip(shares, gaps, strict=True)]


def _zero_of_falling(function: Callable[[float], float], low: float, high: float) -> float:
    """Return the zero of a falling function between two poles, by bisection to float precision."""
    while low < (middle := (low + high) / 2) < high:
        if function(middle) > 0:
            low = middle
        else:
            high = middle
    return middle
