"""The arrays that kernels and their callers hand each other, by name."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Row: TypeAlias = NDArray[np.uint64]
"""A position: ``uint64[words]``."""
Rows: TypeAlias = NDArray[np.uint64]
"""Positions, one after the other: ``uint64[plies, words]``."""
Buffer: TypeAlias = NDArray[np.int32]
"""A list of actions, or something for each of them: ``int32[max_actions]``."""
Buffers: TypeAlias = NDArray[np.int32]
"""Lists of actions, one for each ply: ``int32[plies, max_actions]``."""
Floats: TypeAlias = NDArray[np.float32]
"""The numbers that an evaluation looks up, or writes: ``float32[n]``."""
Cells: TypeAlias = NDArray[np.int8]
"""An observation: ``int8[planes · rows · columns]``."""
Key: TypeAlias = np.uint64
"""The key of a position."""
