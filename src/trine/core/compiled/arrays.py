"""The arrays of kernels and their callers: aliases with types in Numba, and Zobrist tables."""

import hashlib
from typing import Annotated, TypeAlias

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
Words: TypeAlias = Annotated[NDArray[np.uint64], "uint64[::1]"]
WordRows: TypeAlias = Annotated[NDArray[np.uint64], "uint64[:, ::1]"]
Numbers: TypeAlias = Annotated[NDArray[np.int32], "int32[::1]"]
NumberRows: TypeAlias = Annotated[NDArray[np.int32], "int32[:, ::1]"]
Counts: TypeAlias = Annotated[NDArray[np.int64], "int64[::1]"]
FloatRows: TypeAlias = Annotated[NDArray[np.float32], "float32[:, ::1]"]
Shorts: TypeAlias = Annotated[NDArray[np.int16], "int16[::1]"]
ShortRows: TypeAlias = Annotated[NDArray[np.int16], "int16[:, ::1]"]
Bytes: TypeAlias = Annotated[NDArray[np.uint8], "uint8[::1]"]
Key: TypeAlias = np.uint64
"""The hash of a position."""


def zobrist_table(name: str, *shape: int) -> NDArray[np.uint64]:
    """Return random numbers for hashing positions, the same in every run; a table for each name.

    Source: A. L. Zobrist, "A New Hashing Method with Application for Game Playing", 1970; the
    numbers come from SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
    Generators", 2014).

    >>> zobrist_table("a", 2, 3).shape
    (2, 3)
    >>> bool((zobrist_table("a", 5) == zobrist_table("a", 5)).all())
    True
    """
    word = (1 << 64) - 1
    state = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little")
    numbers = []
    for _ in range(int(np.prod(shape))):
        state = (state + 0x9E3779B97F4A7C15) & word
        mixed = state
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9 & word
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB & word
        numbers.append(mixed ^ (mixed >> 31))
    return np.array(numbers, dtype=np.uint64).reshape(shape)
