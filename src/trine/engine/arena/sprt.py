"""The sequential probability ratio test (SPRT) of two Elo margins.

After every pair of games the log-likelihood ratio of the two hypotheses is compared with two
bounds; the match ends when the ratio passes one. It is the generalized ratio (GSPRT): each
hypothesis is represented by its maximum-likelihood distribution of results, computed exactly.

Sources: A. Wald, "Sequential Tests of Statistical Hypotheses", 1945, for the bounds; M. Van den
Bergh, "Comments on Normalized Elo" (cantate.be/Fishtest/normalized_elo_practical.pdf), proposition
1.1 for a given mean and section 4.1 for a given t-value; fastchess for empty counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from trine.core.errors import MalformedError
from trine.core.text.sentence import quoted
from trine.engine.arena.elo import NELO, expected_score
from trine.engine.arena.tally import Tally

MODELS: Final = ("normalized", "logistic")
"""The units of the margins: normalized Elo, Elo."""
EMPTY_COUNT: Final = 1e-3
"""Replaces a count of 0, so that its logarithm exists. Source: fastchess."""
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
    alpha: float = 0.05
    """The probability of accepting H1 if H0 is true."""
    beta: float = 0.05
    """The probability of accepting H0 if H1 is true."""
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
    return _tilted(shares, [score - mean for score in scores])


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
        before, found = found, _tilted(shares, gaps)
        if max(abs(one - other) for one, other in zip(before, found, strict=True)) < CONVERGED:
            break
    return found


MAX_ROUNDS: Final = 1000
"""About ten rounds are needed. Guess."""
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


def _tilted(shares: Sequence[float], gaps: Sequence[float]) -> list[float]:
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
