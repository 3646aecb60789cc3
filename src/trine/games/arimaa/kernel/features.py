"""The terms of the evaluation by number, and the types in which they are counted."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.contract.terms import places_of
from trine.games.arimaa.kernel.terms import TERMS as ALL_TERMS

Weights = NDArray[np.float32]
VALUES: Final = "float32[::1]"

TERM: Final = places_of(ALL_TERMS)
"""The place of each term."""
TERMS: Final = len(ALL_TERMS)
PLACE_WEIGHTS: Final = TERMS
"""Behind the weights of the terms, for each kind of piece and each square of a view: its worth
there, in whole points, which the term `places` sums."""
ALL_WEIGHTS: Final = PLACE_WEIGHTS + 6 * 64
