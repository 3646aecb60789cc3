"""Glicko-2: a rating, its deviation and its volatility.

The packages on PyPI are small, have one author each, and either support whole rating periods only
or manage players themselves. This module is checked against the example of the source.

Source: Mark E. Glickman, "Example of the Glicko-2 system", 2013, glicko.net/glicko/glicko2.pdf; the
comments have the paper's step numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Final

SCALE: Final = 173.7178
TAU: Final = 0.5  # the speed of changes of volatilities; the paper recommends 0.3 to 1.2
MIN_DEVIATION, MAX_DEVIATION = 45.0, 350.0
"""The range of deviations: below it a rating would hardly move; the most is a newcomer's."""
_EPSILON: Final = 1e-6


@dataclass(frozen=True)
class Rating:
    """The rating of a player, with its uncertainty."""

    rating: float = 1500.0
    deviation: float = MAX_DEVIATION
    volatility: float = 0.06

    def aged(self, periods: float) -> Rating:
        """Return the rating after periods without games, with a larger deviation."""
        phi = math.hypot(self.deviation / SCALE, self.volatility * math.sqrt(max(0.0, periods)))
        return Rating(self.rating, min(MAX_DEVIATION, phi * SCALE), self.volatility)

    def towards(self, other: Rating, share: float) -> Rating:
        """Return a rating between this one and another, interpolated by a share from 0 to 1.

        >>> Rating(1500, 300).towards(Rating(1600, 200), 0.5)
        Rating(rating=1550.0, deviation=250.0, volatility=0.06)
        """
        if share == 1:
            return other
        one, two = astuple(self), astuple(other)
        return Rating(*(a + share * (b - a) for a, b in zip(one, two, strict=True)))


def rated(player: Rating, results: Sequence[tuple[Rating, float]], periods: float = 1.0) -> Rating:
    """Return a player's rating after games, ``periods`` after the player's last ones.

    ``results`` are pairs of an opponent's rating before and the score: 1, 0.5 or 0.

    >>> after = rated(
    ...     Rating(1500, 200),
    ...     [(Rating(1400, 30), 1), (Rating(1550, 100), 0), (Rating(1700, 300), 0)],
    ... )
    >>> f"{after.rating:.2f} {after.deviation:.2f} {after.volatility:.5f}"
    '1464.05 151.52 0.06000'
    """
    if not results:
        return player.aged(periods)
    # Step 2.
    mu, phi = (player.rating - 1500) / SCALE, player.deviation / SCALE
    # Steps 3 and 4.
    weights, gains = 0.0, 0.0
    for opponent, score in results:
        g = 1 / math.sqrt(1 + 3 * (opponent.deviation / SCALE / math.pi) ** 2)
        expected = 1 / (1 + math.exp(-g * (mu - (opponent.rating - 1500) / SCALE)))
        weights += g * g * expected * (1 - expected)
        gains += g * (score - expected)
    variance = 1 / weights
    # Step 5.
    sigma = _volatility(player.volatility, phi, variance, variance * gains)
    # Steps 6 to 8.
    before = math.hypot(phi, sigma * math.sqrt(max(0.0, periods)))
    after = 1 / math.sqrt(1 / before**2 + 1 / variance)
    rating = 1500 + SCALE * (mu + after**2 * gains)
    return Rating(rating, min(MAX_DEVIATION, max(MIN_DEVIATION, SCALE * after)), sigma)


def _volatility(sigma: float, phi: float, variance: float, delta: float) -> float:
    """Return the new volatility: the zero of a function, by the Illinois method."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        power = math.exp(x)
        rest = phi**2 + variance + power
        return power * (delta**2 - rest) / (2 * rest**2) - (x - a) / TAU**2

    low = a
    if delta**2 > phi**2 + variance:
        high = math.log(delta**2 - phi**2 - variance)
    else:
        steps = 1
        while f(a - steps * TAU) < 0:
            steps += 1
        high = a - steps * TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _EPSILON:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)
