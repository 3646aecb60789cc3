"""Type aliases for the arrays of kernels and their callers."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Row: TypeAlias = NDArray[np.uint64]
"""A position: ``uint64[words]``."""
Rows: TypeAlias = NDArray[np.uint64]
"""Consecutive positions: ``uint64[plies, words]``."""
Buffer: TypeAlias = NDArray[np.int32]
"""A list of actions, or one number for each action: ``int32[max_actions]``."""
Buffers: TypeAlias = NDArray[np.int32]
"""Lists of actions, one for each ply: ``int32[plies, max_actions]``."""
Floats: TypeAlias = NDArray[np.float32]
"""Numbers that an evaluation reads or writes: ``float32[n]``."""
Cells: TypeAlias = NDArray[np.int8]
"""An observation: ``int8[planes · rows · columns]``."""
Key: TypeAlias = np.uint64
"""The hash of a position."""
