"""The sizes of a search worker, in a module that does not import Numba."""

from typing import Final

MAX_PLY: Final = 96  # plies; the maximum length of a line. The stack of a worker has two more
MAX_DEPTH: Final = MAX_PLY - 16
"""Units: actions; the maximum depth, which leaves some plies to quiescence search."""
MAX_SEATS: Final = 4
