"""The arrays of kernels and their callers: aliases with types in Numba, and Zobrist tables."""

from __future__ import annotations

import hashlib
from typing import Annotated, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Row: TypeAlias = Annotated[NDArray[np.uint64], "uint64[::1]"]
"""A position: ``uint64[words]``."""
Rows: TypeAlias = Annotated[NDArray[np.uint64], "uint64[:, ::1]"]
"""Consecutive positions: ``uint64[plies, words]``."""
Buffer: TypeAlias = Annotated[NDArray[np.int32], "int32[::1]"]
"""A list of actions, or one number for each action: ``int32[max_actions]``."""
Buffers: TypeAlias = Annotated[NDArray[np.int32], "int32[:, ::1]"]
"""Lists of actions, one for each ply: ``int32[plies, max_actions]``."""
Floats: TypeAlias = Annotated[NDArray[np.float32], "float32[::1]"]
"""Numbers that an evaluation reads or writes: ``float32[n]``."""
Cells: TypeAlias = Annotated[NDArray[np.int8], "int8[::1]"]
"""An observation: ``int8[planes · rows · columns]``."""
Key: TypeAlias = np.uint64
"""The hash of a position."""


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
