"""The positions of recorded games as a net learns from them, compiled."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import from_dtype, types

from trine.core.bits import NONE
from trine.core.jit import kernel
from trine.search.kernel.games import MOVE
from trine.search.kernel.worker import PLAIN_GAME, Words, named

SEEN: Final = np.dtype(
    [
        ("key", np.uint64),
        ("game", np.int32),  # the number of the game among those replayed
        ("terms", np.int32),  # units: points; of the terms, for the player to move
        ("score", np.int16),  # of its search, for the player to move
        ("mover", np.uint8),
        ("bucket", np.uint8),  # the set of output weights
    ],
    align=True,
)
"""A position as it is learned from."""

_MOVES: Final = types.Array(from_dtype(MOVE), 1, "C")
_SEEN: Final = types.Array(from_dtype(SEEN), 1, "C")
_ROWS: Final = types.Array(types.uint64, 2, "C")
_COUNTS: Final = types.Array(types.int64, 1, "C")
_FLOATS: Final = types.Array(types.float32, 1, "C")


@kernel(
    types.int64(
        PLAIN_GAME, _ROWS, _COUNTS, _MOVES, types.int64, _FLOATS, _FLOATS, _ROWS, _ROWS, _SEEN
    )
)
def replay(
    functions: tuple[Any, ...],
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
    game, place, found = named(functions), 0, 0
    for number in range(len(starts)):
        for word in range(rows.shape[1]):
            rows[0, word] = starts[number, word]
        for _ in range(lengths[number]):
            move, row = moves[place], rows[0]
            place += 1
            if move.marks & wanted == wanted and game.detect_win(row) == 0:
                game.inputs(row, active[found])
                some = NONE
                for bits in active[found]:
                    some |= bits
                if some:
                    one, mover = seen[found], game.mover(row)
                    one.key, one.game, one.score = game.key(row), number, move.score
                    one.terms = game.evaluate(row, mover, weights, features)
                    one.mover, one.bucket = mover, game.bucket(row)
                    found += 1
            game.play(rows, 0, np.int64(move.action))
            for word in range(rows.shape[1]):
                rows[0, word] = rows[1, word]
    return found
