"""Positions as training examples of nets, compiled."""

from collections.abc import Callable
from typing import Annotated, Any, Final, TypeAlias

import numpy as np
from numba import from_dtype, types

from trine.core.compiled.arrays import Bytes, FloatRows, Floats, Row, Rows, WordRows, Words
from trine.core.compiled.bits import NONE
from trine.core.compiled.jit import kernel
from trine.core.contract.score import ONGOING
from trine.engine.search.kernel.worker import GameFunctions

EXAMPLE_DTYPE: Final = np.dtype(
    [
        ("key", np.uint64),
        ("game", np.int32),  # the number of the position's game
        ("terms", np.int32),  # units: points; the terms' score for the player to move
        ("mover", np.uint8),
        ("bucket", np.uint8),  # the output bucket
        ("stage", np.uint8),  # the stage of the turn, as in `contract.heuristics.NetInputs`
    ],
    align=True,
)
"""A training position."""

Example: TypeAlias = Annotated[Any, from_dtype(EXAMPLE_DTYPE)]
Examples: TypeAlias = Annotated[Any, types.Array(from_dtype(EXAMPLE_DTYPE), 1, "C")]
Stage: TypeAlias = Callable[[Row], int]


@kernel()
def extract(
    game: GameFunctions,
    stage: Stage,
    row: Row,
    weights: Floats,
    term_counts: Floats,
    active: Words,
    record: Example,
) -> bool:
    """Write a position's active inputs and its record; return whether any input is active."""
    game.inputs(row, active)
    some, mover = NONE, game.mover(row)
    for bits in active:
        some |= bits
    record.key, record.mover, record.bucket = game.key(row), mover, game.bucket(row)
    record.terms, record.stage = game.evaluate(row, mover, weights, term_counts), stage(row)
    return some != NONE  # type: ignore[no-any-return]


@kernel()
def extract_all(
    game: GameFunctions,
    stage: Stage,
    rows: Rows,
    weights: Floats,
    term_counts: Floats,
    active: WordRows,
    records: Examples,
    counts: FloatRows,
    asked: Bytes,
) -> None:
    """Write positions as examples, and whether a search would evaluate the net in each.

    A search evaluates the net if the play is ongoing, no win is detected, and some input is active.
    For a finished play, only ``asked`` is written.
    """
    for place in range(len(rows)):
        row, asked[place] = rows[place], 0
        if game.result(row) == ONGOING:
            some = extract(game, stage, row, weights, term_counts, active[place], records[place])
            for term in range(counts.shape[1]):
                counts[place, term] = term_counts[term]
            asked[place] = some and game.detect_win(row) == 0
