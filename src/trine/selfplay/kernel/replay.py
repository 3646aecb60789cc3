"""Positions as a net learns from them, those of recorded games or any others, compiled."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import from_dtype, types

from trine.core.compiled.bits import NONE
from trine.core.compiled.jit import kernel
from trine.core.contract.score import ONGOING
from trine.search.kernel.worker import GAME, GameFunctions, Words
from trine.selfplay.kernel.state import MOVES, ROW, ROWS

SEEN: Final = np.dtype(
    [
        ("key", np.uint64),
        ("game", np.int32),  # the number of the game among those replayed
        ("terms", np.int32),  # units: points; of the terms, for the player to move
        ("score", np.int16),  # of its search, for the player to move
        ("mover", np.uint8),
        ("bucket", np.uint8),  # the set of output weights
        ("stage", np.uint8),  # of the turn, as `trine.core.contract.NetInputs` has it
    ],
    align=True,
)
"""A position as it is learned from."""

_SEEN: Final = types.Array(from_dtype(SEEN), 1, "C")
_COUNTS: Final = types.Array(types.int64, 1, "C")
_FLOATS: Final = types.Array(types.float32, 1, "C")
_FLAGS: Final = types.Array(types.uint8, 1, "C")
_STAGE: Final = types.FunctionType(types.int64(ROW))
_ONE: Final = from_dtype(SEEN)


@kernel(types.boolean(GAME, _STAGE, ROW, _FLOATS, _FLOATS, ROW, _ONE))
def see(
    game: GameFunctions,
    stage: Any,
    row: Words,
    weights: Any,
    features: Any,
    active: Words,
    one: Any,
) -> bool:
    """Write a position as a net sees it; its game and its score are the caller's.

    Returns: whether any input is set.
    """
    game.inputs(row, active)
    some, mover = NONE, game.mover(row)
    for bits in active:
        some |= bits
    one.key, one.mover, one.bucket = game.key(row), mover, game.bucket(row)
    one.terms, one.stage = game.evaluate(row, mover, weights, features), stage(row)
    return some != NONE  # type: ignore[no-any-return]


@kernel(
    types.int64(
        GAME,
        _STAGE,
        ROWS,
        _COUNTS,
        MOVES,
        types.int64,
        _FLOATS,
        _FLOATS,
        ROWS,
        ROWS,
        _SEEN,
    )
)
def replay(
    game: GameFunctions,
    stage: Any,
    starts: Words,
    lengths: Any,
    moves: Any,
    wanted: int,
    weights: Any,
    features: Any,
    rows: Words,
    active: Words,
    seen: Any,
) -> int:
    """Replay games, and write the positions that were searched for, with the inputs that are set.

    Positions whose end is known without a search, and those in which no input is set, are left out:
    a net is not asked about them.

    Args: ``wanted`` are the marks of the actions whose positions are written; ``rows`` are two of
    scratch. ``active`` and ``seen`` have room for all actions.

    Returns: the number of positions.
    """
    place, found = 0, 0
    for number in range(len(starts)):
        for word in range(rows.shape[1]):
            rows[0, word] = starts[number, word]
        for _ in range(lengths[number]):
            move, row = moves[place], rows[0]
            place += 1
            if move.marks & wanted == wanted and game.detect_win(row) == 0:
                one = seen[found]
                if see(game, stage, row, weights, features, active[found], one):
                    one.game, one.score = number, move.score
                    found += 1
            game.play(rows, 0, np.int64(move.action))
            for word in range(rows.shape[1]):
                rows[0, word] = rows[1, word]
    return found


@kernel(types.void(GAME, _STAGE, ROWS, _FLOATS, _FLOATS, ROWS, _SEEN, _FLAGS))
def see_all(
    game: GameFunctions,
    stage: Any,
    rows: Words,
    weights: Any,
    features: Any,
    active: Words,
    seen: Any,
    asked: Any,
) -> None:
    """Write positions as a net sees them, and whether a search asks a net about each.

    It does where the play goes on, no end is known without a search, and some input is set; of the
    positions after the end of the play nothing else is written.
    """
    for place in range(len(rows)):
        row, asked[place] = rows[place], 0
        if game.result(row) == ONGOING:
            some = see(game, stage, row, weights, features, active[place], seen[place])
            asked[place] = some and game.detect_win(row) == 0
