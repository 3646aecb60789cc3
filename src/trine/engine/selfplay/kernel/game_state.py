"""The memory of a game that compiled code plays: the players' settings, the state, what is kept."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numba import from_dtype, types

from trine.engine.search.kernel.worker import Numbers, Words

LONGEST_TURN: Final = 64
"""Units: actions; no turn is longer. So much room is left in a state when a turn begins."""

SETTINGS: Final = np.dtype(
    [
        ("nodes", np.int64),  # the nodes of a turn, or of each action
        ("depth", np.int64),  # units: actions; the greatest depth of a search
        ("by_turns", np.int64),  # whether a search decides about a turn, or only about an action
        ("overlook_rate", np.int64),  # units: 1/1024; the share of actions that is overlooked
        ("seed", np.int64),  # decides which actions are overlooked
    ],
    align=True,
)
"""The settings of a player."""

SEARCHED: Final = 1
"""The mark of an action that was searched for, not taken from the search for one before it."""
QUIET_END: Final = 2
"""The mark of a search whose score is the evaluation of a position, which is kept."""

MOVE: Final = np.dtype(
    [
        ("action", np.uint16),
        ("score", np.int16),  # of its search, for the player to move
        ("depth", np.uint8),  # of its search
        ("marks", np.uint8),  # the sum of `SEARCHED` and `QUIET_END`
        ("mover", np.uint8),  # the player whose action it is
        ("nodes", np.int32),  # that its search has taken
        ("told", np.int32),  # that its search had taken when it found its last line
    ],
    align=True,
)
"""An action of a game; of one that was not searched for, only it, its mover and its marks."""

PROGRESS: Final = np.dtype(
    [
        ("actions", np.int64),  # the number of actions so far
        ("turns", np.int64),  # of the play so far, those of its opening included
        ("turn_limit", np.int64),  # the number of turns at which it is left
        ("result", np.int64),  # the winner, or what `trine.core.contract.score` has
        ("rule", np.int64),  # the rule about positions that stand for the third time
        ("keeps_ends", np.int64),  # whether the ends of principal variations are kept
    ],
    align=True,
)
"""The progress of a game."""


class GameState(NamedTuple):
    """The memory of a game that is being played."""

    rows: Words
    """Shapes: ply, word. The position, and scratch for a whole turn from there."""
    buffers: Numbers
    """Shapes: ply, `max_actions`. Scratch."""
    lines: Numbers
    """Shapes: as `trine.engine.search.kernel.deepening` has them. The lines that a search has
    found."""
    moves: Any
    """Shapes: action. Records of the fields of `MOVE`."""
    ends: Words
    """Shapes: action, word. The quiet ends of principal variations; none if they are not kept."""
    progress: Any
    """Shapes: 1. A record of the fields of `PROGRESS`."""


ROW: Final = types.Array(types.uint64, 1, "C")
ROWS: Final = types.Array(types.uint64, 2, "C")
LIST: Final = types.Array(types.int32, 1, "C")
LISTS: Final = types.Array(types.int32, 2, "C")
ONE_MOVE: Final = from_dtype(MOVE)
MOVES: Final = types.Array(ONE_MOVE, 1, "C")
ONE_PROGRESS: Final = from_dtype(PROGRESS)
ONE_PLAYER: Final = from_dtype(SETTINGS)
PLAYERS: Final = types.Array(ONE_PLAYER, 1, "C")
STATE: Final = types.NamedTuple(
    (ROWS, LISTS, LISTS, MOVES, ROWS, types.Array(ONE_PROGRESS, 1, "C")), GameState
)
ACT: Final = types.FunctionType(types.int64(ROWS, types.int64, ROW, LIST, types.int64, ROWS, LISTS))
LIST_LEGAL: Final = types.FunctionType(types.int64(ROW, ROW, LIST, types.int64, ROWS, LISTS, LIST))
"""The types of the functions of `trine.core.compiled.repetition.Referee`."""
