"""The compiled rules of Corridor: rows of words instead of positions, numbers instead of actions.

They repeat the rules of the referee (`trine.games.corridor.referee`); tests compare the two. Rows:
`trine.games.corridor.kernel.row`. Numbers: `trine.games.corridor.encoding`. The rule set, the size
of the board and the number of players are data in the row. Repetition is ignored.

A row belongs to one thread, because generating legal actions caches known paths in it.
"""

from __future__ import annotations

from trine.core.compiled.arrays import Rows
from trine.core.compiled.jit import kernel
from trine.core.contract.score import ONGOING
from trine.games.corridor.kernel.make import copy, do, fresh_key, key
from trine.games.corridor.kernel.movegen import MAX_ACTIONS, count_actions, generate
from trine.games.corridor.kernel.row import WORDS, mover, result, size_of

__all__ = [
    "MAX_ACTIONS",
    "ONGOING",
    "WORDS",
    "copy",
    "count_actions",
    "fresh_key",
    "generate",
    "key",
    "mover",
    "result",
]

# --- playing -------------------------------------------------------------------------------------


@kernel()
def play(rows: Rows, ply: int, action: int) -> None:
    """Write the row after a legal action to the next row."""
    row, after = rows[ply], rows[ply + 1]
    copy(row, after)
    do(after, action)


@kernel(forceinline=True)
def play_in_place(rows: Rows, action: int) -> bool:
    """Play an action; return whether it is a wall, so that no earlier position can recur."""
    row = rows[0]
    do(row, action)
    area = size_of(row) * size_of(row)
    return area <= action < 3 * area
