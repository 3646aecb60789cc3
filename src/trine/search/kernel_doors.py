"""What the compiled search holds in its hands: the doors of a game, and the desk of a thread.

The functions of a room come as values, so that the search is compiled once for all games; calls
through them cost some nanoseconds each (measured: 5 ns for the four of a node in `perft`).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from trine.core.jit import kernel

Words = NDArray[np.uint64]
Numbers = NDArray[np.int32]
Counts = NDArray[np.int64]
Weights = NDArray[np.float32]

_ROW: Final = types.Array(types.uint64, 1, "C")
_ROWS: Final = types.Array(types.uint64, 2, "C")
_LIST: Final = types.Array(types.int32, 1, "C")
_LISTS: Final = types.Array(types.int32, 2, "C")
_COUNTS: Final = types.Array(types.int64, 1, "C")
_WEIGHTS: Final = types.Array(types.float32, 1, "C")


class Doors(NamedTuple):
    """The functions of a game's `Kernel` and `Heuristics` that a search calls."""

    generate: Any
    play: Any
    result: Any
    mover: Any
    key: Any
    evaluate: Any
    tactical: Any
    prefer: Any
    foresee: Any
    skip: Any


_FUNCTIONS: Final = tuple(
    map(
        types.FunctionType,
        (
            types.int64(_ROW, _LIST),
            types.void(_ROWS, types.int64, types.int64),
            types.int64(_ROW),
            types.int64(_ROW),
            types.uint64(_ROW),
            types.int64(_ROW, types.int64, _WEIGHTS, _WEIGHTS),
            types.int64(_ROW, _LIST),
            types.void(_ROW, _LIST, types.int64, _LIST),
            types.int64(_ROW),
            types.boolean(_ROWS, types.int64),
        ),
    )
)
DOORS: Final = types.NamedTuple(_FUNCTIONS, Doors)
PLAIN_DOORS: Final = types.Tuple(_FUNCTIONS)
"""The same as Python hands it over: Numba takes functions as values in plain tuples only."""


@kernel(DOORS(PLAIN_DOORS))
def named(doors: tuple[Any, ...]) -> Doors:
    """The doors as Python hands them over, with their names."""
    return Doors(
        doors[0],
        doors[1],
        doors[2],
        doors[3],
        doors[4],
        doors[5],
        doors[6],
        doors[7],
        doors[8],
        doors[9],
    )


class Desk(NamedTuple):
    """What one thread of a search reads and writes; the table and the stop are shared by all."""

    rows: Words
    """Shapes: ply, word."""
    actions: Numbers
    """Shapes: ply, `most_actions`. The actions of the position of a ply."""
    scores: Numbers
    """Shapes: as `actions`. How promising they look."""
    lines: Numbers
    """Shapes: ply, ply. The best line found from a ply on, its length first."""
    killers: Numbers
    """Shapes: ply, 2. Actions that refuted another position of the ply."""
    history: Numbers
    """Shapes: player, action. How often an action has been good elsewhere."""
    keys: Words
    """Shapes: ply. The keys of positions in which a turn begins; 0 elsewhere."""
    past: Words
    """Shapes: any power of two, 2. Hash table of what has stood in the play: key, how often."""
    barred: Words
    """Shapes: any. Keys of the positions that the first turn must not end in."""
    memory: Weights
    """What the evaluation looks up."""
    values: Weights
    """What it writes."""
    table: Words
    """Shapes: buckets, 8. See `trine.search.kernel_table`."""
    stop: Counts
    """Shapes: 1. Not 0 when all threads must return."""
    state: Counts
    """Shapes: `STATES`. Numbers, see below."""


DESK: Final = types.NamedTuple(
    (
        _ROWS,
        _LISTS,
        _LISTS,
        _LISTS,
        _LISTS,
        _LISTS,
        _ROW,
        _ROWS,
        _ROW,
        _WEIGHTS,
        _WEIGHTS,
        _ROWS,
        _COUNTS,
        _COUNTS,
    ),
    Desk,
)

NODES: Final = 0
"""How many positions the thread has searched."""
MOST_NODES: Final = 1
"""With so many it stops."""
THIRD: Final = 2
"""What the third standing of a position means: as `third_time` of the room's mind."""
PLAYING: Final = 3
"""Who still plays, a bit each."""
AGE: Final = 4
"""The number of the search, for the table."""
BLIND: Final = 5
"""Units: 1/1024; how many of the actions are overlooked."""
SEED: Final = 6
"""Decides which."""
CHOICES: Final = 7
"""How many actions there are at the root; they are written there beforehand."""
PLAYERS: Final = 8
"""How many began the play."""
MARGIN: Final = 9
"""Units: points; what one quiet action can hardly gain."""
END: Final = 10
"""The action that only ends a turn, -1 where there is none: nobody overlooks it."""
STATES: Final = 11

MOST_PLIES: Final = 96
"""No line is searched further; the desk has so many plies and some to spare."""
