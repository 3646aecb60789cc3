"""Positions as training examples of nets, compiled."""

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
        ("game", np.int32),  # the number of the position's game
        ("terms", np.int32),  # units: points; the terms' score for the player to move
        ("mover", np.uint8),
        ("bucket", np.uint8),  # the output bucket
        ("stage", np.uint8),  # the stage of the turn, as in `trine.core.contract.NetInputs`
    ],
    align=True,
)
"""A training position."""

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
    record: Any,
) -> bool:
    """Write a position's active inputs and its record; return whether any input is active."""
    game.inputs(row, active)
    some, mover = NONE, game.mover(row)
    for bits in active:
        some |= bits
    record.key, record.mover, record.bucket = game.key(row), mover, game.bucket(row)
    record.terms, record.stage = game.evaluate(row, mover, weights, term_counts), stage(row)
    return some != NONE  # type: ignore[no-any-return]


@kernel(types.void(GAME, _STAGE, ROWS, _FLOATS, _FLOATS, ROWS, _EXAMPLES, _COUNTS, _FLAGS))
def extract_all(
    game: GameFunctions,
    stage: Any,
    rows: Words,
    weights: Any,
    term_counts: Any,
    active: Words,
    records: Any,
    counts: Any,
    asked: Any,
) -> None:
    """Write positions as examples, and whether a search would evaluate the net in each.

    This is so if the play is ongoing, no win is detected, and some input is active. Of finished
    plays only this is written.
    """
    for place in range(len(rows)):
        row, asked[place] = rows[place], 0
        if game.result(row) == ONGOING:
            some = extract(game, stage, row, weights, term_counts, active[place], records[place])
            for term in range(counts.shape[1]):
                counts[place, term] = term_counts[term]
            asked[place] = some and game.detect_win(row) == 0
