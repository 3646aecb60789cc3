"""Minimizing a function of one variable."""

from collections.abc import Callable
from typing import Final

GOLDEN: Final = (5**0.5 - 1) / 2
TOLERANCE: Final = 1e-4
"""The tolerance of `least`."""


def least(cost: Callable[[float], float], bounds: tuple[float, float]) -> float:
    """Return the minimum of a unimodal function between bounds, by golden section search.

    >>> round(least(lambda place: (place - 0.7) ** 2, (0.0, 2.0)), 2)
    0.7
    """
    low, high = bounds
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = cost(left), cost(right)
    while high - low > TOLERANCE:
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = cost(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = cost(right)
    return (low + high) / 2
