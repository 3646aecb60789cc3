"""Points and log odds in the logistic model of scores."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

SLOPE: Final = math.log(10) / 400
"""Units: nats for each point."""
POINTS: Final = 1 / SLOPE
"""Units: points for a log odds of 1."""
