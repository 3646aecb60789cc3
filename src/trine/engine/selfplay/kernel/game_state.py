"""The memory of a game in compiled code: the players' settings, the state, the moves."""

from __future__ import annotations

from typing import Annotated, Any, Final, NamedTuple

import numpy as np
from numba import from_dtype, types

from trine.core.compiled.jit import type_of
from trine.engine.search.kernel.worker import NumberRows, Numbers, WordRows, Words

LONGEST_TURN: Final = 64
"""Units: actions; the maximum length of any turn, reserved in the state before each turn."""

SETTINGS: Final = np.dtype(
    [
        ("nodes", np.int64),  # the node limit for a turn, or for each action
        ("depth", np.int64),  # units: actions; the maximum search depth
        ("by_turns", np.int64),  # whether a search decides a whole turn, or one action
        ("overlook_rate", np.int64),  # units: 1/1024; the share of actions that is overlooked
        ("seed", np.int64),  # selects the overlooked actions
    ],
    align=True,
)
"""The settings of a player."""

SEARCHED: Final = 1
"""The mark of an action with a search of its own, not from the search for an earlier action."""
QUIET_END: Final = 2
"""The mark of a search whose score is the evaluation of a kept position."""

MOVE: Final = np.dtype(
    [
        ("action", np.uint16),
        ("score", np.int16),  # the score of the action's search, for the player to move
        ("depth", np.uint8),  # the depth of the action's search
        ("marks", np.uint8),  # the sum of `SEARCHED` and `QUIET_END`
        ("mover", np.uint8),  # the player of the action
        ("nodes", np.int32),  # the nodes of the action's search, in total
        ("line_nodes", np.int32),  # the nodes of the action's search at its last line
    ],
    align=True,
)
"""An action of a game; unsearched actions have only the action, the mover and the marks."""

PROGRESS: Final = np.dtype(
    [
        ("actions", np.int64),  # the number of actions so far
        ("turns", np.int64),  # the number of turns of the play so far, the opening included
        ("turn_limit", np.int64),  # the game is stopped at this number of turns
        ("result", np.int64),  # the winner, or a constant of `trine.core.contract.score`
        ("rule", np.int64),  # the repetition rule
        ("keeps_ends", np.int64),  # whether the ends of principal variations are kept
    ],
    align=True,
)
"""The progress of a game."""


ROW, ROWS, LIST, LISTS = map(type_of, (Words, WordRows, Numbers, NumberRows))
ONE_MOVE: Final = from_dtype(MOVE)
MOVES: Final = types.Array(ONE_MOVE, 1, "C")
ONE_PROGRESS: Final = from_dtype(PROGRESS)
ONE_PLAYER: Final = from_dtype(SETTINGS)
PLAYERS: Final = types.Array(ONE_PLAYER, 1, "C")


class GameState(NamedTuple):
    """The memory of a running game."""

    rows: WordRows
    """Shapes: ply, word. The position, and scratch for a whole turn from there."""
    buffers: NumberRows
    """Shapes: ply, `max_actions`. Scratch."""
    lines: NumberRows
    """Shapes: see `trine.engine.search.kernel.deepening`. The lines found by a search."""
    moves: Annotated[Any, MOVES]
    """Shapes: action. Records of the fields of `MOVE`."""
    ends: WordRows
    """Shapes: action, word. The quiet ends of principal variations; empty if they are not kept."""
    progress: Annotated[Any, types.Array(ONE_PROGRESS, 1, "C")]
    """Shapes: 1. A record of the fields of `PROGRESS`."""


STATE: Final = type_of(GameState)
ACT: Final = types.FunctionType(types.int64(ROWS, types.int64, ROW, LIST, types.int64, ROWS, LISTS))
LIST_LEGAL: Final = types.FunctionType(types.int64(ROW, ROW, LIST, types.int64, ROWS, LISTS, LIST))
"""The types of the functions of `trine.core.compiled.repetition.HistoryKernel`."""
