"""The worth of a point in a logistic model."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

SLOPE: Final = math.log(10) / 400
"""Units: nats a point."""
POINTS: Final = 1 / SLOPE
"""Units: points; the logarithm of odds is 1 there."""
