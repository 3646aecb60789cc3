"""Random numbers for hashing positions (Zobrist), the same on every machine and in every run.

Source: A. L. Zobrist, "A New Hashing Method with Application for Game Playing", 1970; the numbers
are those of SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators",
2014).
"""

from __future__ import annotations

import hashlib
from typing import Final

import numpy as np
from numpy.typing import NDArray

_WORD: Final = (1 << 64) - 1


def zobrist_table(name: str, *shape: int) -> NDArray[np.uint64]:
    """Return a table of random numbers of a given shape; each name gives its own numbers.

    >>> zobrist_table("a", 2, 3).shape
    (2, 3)
    >>> bool((zobrist_table("a", 5) == zobrist_table("a", 5)).all())
    True
    """
    state = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little")
    numbers = []
    for _ in range(int(np.prod(shape))):
        state = (state + 0x9E3779B97F4A7C15) & _WORD
        mixed = state
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9 & _WORD
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB & _WORD
        numbers.append(mixed ^ (mixed >> 31))
    return np.array(numbers, dtype=np.uint64).reshape(shape)
