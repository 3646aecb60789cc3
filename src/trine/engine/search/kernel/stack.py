"""The sizes of a search worker: numbers alone, for those who must not wait for Numba."""

from __future__ import annotations

from typing import Final

MAX_PLY: Final = 96
"""Units: plies; the greatest length of a line. The stack of a worker has this many and two more."""
MAX_DEPTH: Final = MAX_PLY - 16
"""Units: actions; the greatest depth, which leaves some plies for the quiescence search."""
MAX_SEATS: Final = 4
