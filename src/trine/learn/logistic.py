"""The ground of all fits: what a point is worth in a logistic model, and SciPy's optimizers."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trine.core.errors import TrineError
from trine.core.extras import how_to_install
from trine.core.text import text

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]

SLOPE: Final = math.log(10) / 400
"""Units: nats a point."""


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
