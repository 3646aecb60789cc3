"""Type aliases for the arrays of kernels and their callers, each with its type in Numba."""

from __future__ import annotations

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
Key: TypeAlias = np.uint64
"""The hash of a position."""
