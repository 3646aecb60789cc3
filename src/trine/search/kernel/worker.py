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


class GameFunctions(NamedTuple):
    """The functions of a game's `Kernel` and `Heuristics` that a search calls."""

    generate: Any
    play: Any
    result: Any
    mover: Any
    key: Any
    evaluate: Any
    tactical: Any
    score_moves: Any
    detect_win: Any
    null_move: Any


_SIGNATURES: Final = tuple(
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
GAME: Final = types.NamedTuple(_SIGNATURES, GameFunctions)
PLAIN_GAME: Final = types.Tuple(_SIGNATURES)
"""The same as Python hands it over: Numba takes functions as values in plain tuples only."""


@kernel(GAME(PLAIN_GAME))
def named(game: tuple[Any, ...]) -> GameFunctions:
    """The doors as Python hands them over, with their names."""
    return GameFunctions(
        game[0],
        game[1],
        game[2],
        game[3],
        game[4],
        game[5],
        game[6],
        game[7],
        game[8],
        game[9],
    )


class Worker(NamedTuple):
    """What one thread of a search reads and writes; the table and the stop are shared by all."""

    rows: Words
    """Shapes: ply, word."""
    actions: Numbers
    """Shapes: ply, `most_actions`. The actions of the position of a ply."""
    scores: Numbers
    """Shapes: as `actions`. How promising they look."""
    pv: Numbers
    """Shapes: ply, ply. The best line found from a ply on, its length first."""
    killers: Numbers
    """Shapes: ply, 2. Actions that refuted another position of the ply."""
    history: Numbers
    """Shapes: player, action. How often an action has been good elsewhere."""
    keys: Words
    """Shapes: ply. The keys of positions in which a turn begins; 0 elsewhere."""
    past: Words
    """Shapes: any power of two, 2. Hash table of what has stood in the play: key, how often."""
    excluded: Words
    """Shapes: any. Keys of the positions that the first turn must not end in."""
    weights: Weights
    """What the evaluation looks up."""
    features: Weights
    """What it writes."""
    table: Words
    """Shapes: buckets, 8. See `trine.search.kernel.table`."""
    stop: Counts
    """Shapes: 1. Not 0 when all threads must return."""
    state: Counts
    """Shapes: `STATES`. Numbers, see below."""


WORKER: Final = types.NamedTuple(
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
    Worker,
)

NODES: Final = 0
"""How many positions the thread has searched."""
NODE_LIMIT: Final = 1
"""With so many it stops."""
REPETITION_RULE: Final = 2
"""What the third standing of a position means: as `repetition_rule` of the room's mind."""
PLAYING: Final = 3
"""Who still plays, a bit each."""
AGE: Final = 4
"""The number of the search, for the table."""
HANDICAP: Final = 5
"""Units: 1/1024; how many of the actions are overlooked."""
SEED: Final = 6
"""Decides which."""
ROOT_ACTIONS: Final = 7
"""How many actions there are at the root; they are written there beforehand."""
PLAYERS: Final = 8
"""How many began the play."""
FUTILITY_MARGIN: Final = 9
"""Units: points; what one quiet action can hardly gain."""
END: Final = 10
"""The action that only ends a turn, -1 where there is none: nobody overlooks it."""
STATES: Final = 11

MOST_PLIES: Final = 96
"""No line is searched further; the desk has so many plies and some to spare."""
