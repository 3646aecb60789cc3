"""Positions as a net learns from them, compiled."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import from_dtype, types

from trine.core.compiled.bits import NONE
from trine.core.compiled.jit import kernel
from trine.core.contract.score import ONGOING
from trine.engine.search.kernel.worker import GAME, GameFunctions, Words
from trine.engine.selfplay.kernel.game_state import ROW, ROWS

EXAMPLE_DTYPE: Final = np.dtype(
    [
        ("key", np.uint64),
        ("game", np.int32),  # the number of its game
        ("terms", np.int32),  # units: points; of the terms, for the player to move
        ("mover", np.uint8),
        ("bucket", np.uint8),  # the set of output weights
        ("stage", np.uint8),  # of the turn, as `trine.core.contract.NetInputs` has it
    ],
    align=True,
)
"""A position as it is learned from."""

_EXAMPLES: Final = types.Array(from_dtype(EXAMPLE_DTYPE), 1, "C")
_FLOATS: Final = types.Array(types.float32, 1, "C")
_COUNTS: Final = types.Array(types.float32, 2, "C")
_FLAGS: Final = types.Array(types.uint8, 1, "C")
_STAGE: Final = types.FunctionType(types.int64(ROW))
_ONE: Final = from_dtype(EXAMPLE_DTYPE)


@kernel(types.boolean(GAME, _STAGE, ROW, _FLOATS, _FLOATS, ROW, _ONE))
def extract(
    game: GameFunctions,
    stage: Any,
    row: Words,
    weights: Any,
    term_counts: Any,
    active: Words,
    one: Any,
) -> bool:
    """Write a position as a net sees it; its game is the caller's.

    Returns: whether any input is set.
    """
    game.inputs(row, active)
    some, mover = NONE, game.mover(row)
    for bits in active:
        some |= bits
    one.key, one.mover, one.bucket = game.key(row), mover, game.bucket(row)
    one.terms, one.stage = game.evaluate(row, mover, weights, term_counts), stage(row)
    return some != NONE  # type: ignore[no-any-return]


@kernel(types.void(GAME, _STAGE, ROWS, _FLOATS, _FLOATS, ROWS, _EXAMPLES, _COUNTS, _FLAGS))
def extract_all(
    game: GameFunctions,
    stage: Any,
    rows: Words,
    weights: Any,
    term_counts: Any,
    active: Words,
    seen: Any,
    counts: Any,
    asked: Any,
) -> None:
    """Write positions as a net sees them, and whether a search asks a net about each.

    It does where the play goes on, no end is known without a search, and some input is set; of the
    positions after the end of the play nothing else is written.
    """
    for place in range(len(rows)):
        row, asked[place] = rows[place], 0
        if game.result(row) == ONGOING:
            some = extract(game, stage, row, weights, term_counts, active[place], seen[place])
            for term in range(counts.shape[1]):
                counts[place, term] = term_counts[term]
            asked[place] = some and game.detect_win(row) == 0
