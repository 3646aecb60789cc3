"""A search worker: the game's functions, the stack, the history table and the state.

The game's functions are passed as values, so that the search is compiled once for all games; an
indirect call costs about a nanosecond (measured: 5 ns for the four of a node in `perft`).
"""

from collections.abc import Callable
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

import numpy as np
from numba import from_dtype, types

from trine.core.compiled.arrays import (
    Buffer,
    Counts,
    Floats,
    NumberRows,
    Numbers,
    Row,
    Rows,
    ShortRows,
    WordRows,
    Words,
)
from trine.engine.search.kernel.by_address import by_address
from trine.engine.search.kernel.constants import SearchConstants


@by_address
class GameFunctions(NamedTuple):
    """The functions of a game's `Kernel` and `Heuristics` that a search calls."""

    generate: Callable[[Row, Buffer], int]
    play: Callable[[Rows, int, int], None]
    result: Callable[[Row], int]
    mover: Callable[[Row], int]
    key: Callable[[Row], np.uint64]
    evaluate: Callable[[Row, int, Floats, Floats], int]
    tactical: Callable[[Row, Buffer], int]
    must_act: Callable[[Row], bool]
    score_moves: Callable[[Row, Buffer, int, Buffer], None]
    detect_win: Callable[[Row], int]
    null_move: Callable[[Rows, int], bool]
    correction_key: Callable[[Row, int], np.uint64]
    inputs: Callable[[Row, Words], None]
    bucket: Callable[[Row], int]


SALT: Final = np.uint64(0xD6E8FEB86659FD93)
"""Mixed into the keys of searches that must not share table entries."""

MAX_BUCKETS: Final = 8  # maximum number of output buckets of a net

# Named fields of one record, so that compiled code reads and writes ``worker.state[0].nodes``.
STATE: Final = np.dtype(
    [
        ("nodes", np.int64),  # positions searched by the worker
        ("node_limit", np.int64),  # the worker stops at this node count
        ("root_actions", np.int64),  # the number of actions at the root, written there beforehand
        ("end_action", np.int64),  # the action that only ends a turn, -1 if there is none
        ("players", np.int64),  # the number of players at the start of the play
        ("playing", np.int64),  # the players still in the play, as bits
        ("repetition_rule", np.int64),  # the repetition rule of the game's kernel, for this play
        *((name, np.int64) for name in SearchConstants._fields),
        ("age", np.int64),  # the number of the search, for table replacement
        ("proven", np.int64),  # table scores beyond this hold at any depth
        ("salt", np.uint64),  # mixed into the keys of searches that overlook actions
        ("overlook_rate", np.int64),  # units: 1/1024; the share of overlooked actions
        ("overlook_seed", np.int64),  # selects the overlooked actions
        ("net_inputs", np.int64),  # the number of inputs of the net; 0 without a net
        ("net_buckets", np.int64),  # the number of the net's output buckets
        ("net_scale", np.float64),  # units: points for each unit of the net's output
        ("net_bias", np.int32, (MAX_BUCKETS,)),  # by bucket, the output bias
        ("net_margins", np.int32, (MAX_BUCKETS,)),  # units: points; bounds for lazy evaluation
    ],
    align=True,
)

States: TypeAlias = Annotated[Any, types.Array(from_dtype(STATE), 1, "C")]


@by_address
class Worker(NamedTuple):
    """The memory of a search.

    It is stored once per call from Python, and passed by address.
    """

    # The stack: an entry for each ply.
    rows: WordRows  # Shapes: ply, word
    actions: NumberRows  # Shapes: ply, `max_actions`. The actions of the position of a ply
    scores: NumberRows  # Shapes: as `actions`. The move ordering scores of the actions
    pv: NumberRows  # Shapes: ply, ply. The principal variation from a ply on, with its length first
    killers: NumberRows  # Shapes: ply, 2. Actions that caused cutoffs in other positions of the ply
    keys: Words
    """Shapes: any. The ``repetition_state[0]`` keys of the play, then one for each ply from 1 on: 0
    for positions within a turn."""

    history: NumberRows
    """Shapes: player, action. The history heuristic: bonuses for cutoffs elsewhere."""
    corrections: ShortRows
    """Shapes: 2 · part + player, entry. See `trine.engine.search.kernel.correction`."""
    repetition_state: Numbers  # Shapes: 2. See `trine.core.compiled.repetition`
    excluded: Words  # Shapes: any. The keys of positions where the first turn must not end
    weights: Floats  # all numbers that the evaluation looks up
    counts: Floats  # the terms, as the evaluation last counted them
    table: WordRows  # Shapes: buckets, 8. See `trine.engine.search.kernel.table`
    stop: Counts  # Shapes: 1. Nonzero when the search must return
    state: States  # Shapes: 1. A record of the fields of `STATE`
    net: ShortRows
    """Shapes: row, lane. The net beside the terms (`trine.engine.search.kernel.net`); empty for
    none."""
    active: WordRows  # Shapes: ply, word. The active inputs of the net; empty if there is none
    term_rows: ShortRows
    """Shapes: row, term. The rows of a net that takes terms (`trine.engine.search.kernel.net`)."""
    term_scales: Floats
    """Shapes: term. The factors from terms to the net's integers; empty if the net takes no
    terms."""
