"""Random numbers for kernels: a generator whose state is one word.

Source: G. Marsaglia, "Xorshift RNGs", 2003.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trine.core.compiled.jit import kernel

SHIFTS: Final = (np.uint64(13), np.uint64(7), np.uint64(17))
HALF_WORD: Final = np.uint64(32)


@kernel("int64(uint64[::1], int64)", forceinline=True)
def next_below(rng: NDArray[np.uint64], limit: int) -> int:
    """Return a random number from 0 up to below a limit, all equally likely.

    Shapes: ``rng`` is one word, not 0: the state of the random numbers (xorshift64).
    Limits: ``limit`` is 1 to 2³².
    """
    word = rng[0]
    word ^= word << SHIFTS[0]
    word ^= word >> SHIFTS[1]
    word ^= word << SHIFTS[2]
    rng[0] = word
    return np.int64((word >> HALF_WORD) * np.uint64(limit) >> HALF_WORD)
