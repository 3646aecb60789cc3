"""The ground of all fits: what a point is worth in a logistic model, and least values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.errors import TrineError
from trine.core.work.extras import how_to_install

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]

SLOPE: Final = math.log(10) / 400
"""Units: nats a point."""
POINTS: Final = 1 / SLOPE
"""Units: points; the logarithm of odds is 1 there."""
GOLDEN: Final = (5**0.5 - 1) / 2
CLOSE: Final = 1e-4
"""`least` finds a place as closely as this."""


def least(cost: Callable[[float], float], bounds: tuple[float, float]) -> float:
    """Return where a function with one valley is least between bounds, by golden sections.

    >>> round(least(lambda place: (place - 0.7) ** 2, (0.0, 2.0)), 2)
    0.7
    """
    low, high = bounds
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_left, at_right = cost(left), cost(right)
    while high - low > CLOSE:
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - GOLDEN * (high - low)
            at_left = cost(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + GOLDEN * (high - low)
            at_right = cost(right)
    return (low + high) / 2


def open_optimizers() -> Any:
    """Open SciPy's optimizers. Raises `TrineError`: SciPy is not installed."""
    try:
        from scipy import optimize
    except ImportError:
        raise TrineError(
            "fitting needs one more library; install it with: {command}",
            command=how_to_install("tune"),
        ) from None
    return optimize
