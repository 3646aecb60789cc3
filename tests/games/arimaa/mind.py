"""What tests of the evaluation, and of what a search asks of the room, have in common.

``TRINE_PLAYS`` sets how many random positions are compared.
"""

import os
import random

import numpy as np

from games.arimaa.enumeration import Array, crowded, rows_within
from trine.games import open_heuristics
from trine.games.arimaa.kernel import rules as kernel
from trine.games.arimaa.kernel.movegen import MAX_ACTIONS
from trine.games.arimaa.position import Position

PLAYS = int(os.environ.get("TRINE_PLAYS", "50"))
HEURISTICS = open_heuristics("arimaa")
NAMES = [term.name for term in HEURISTICS.terms]
OPENING = "2g rrrrrrrr/dhcemchd/8/8/8/8/DHCMECHD/RRRRRRRR"


def counted(row: Array, player: int) -> dict[str, float]:
    counts = np.full(len(HEURISTICS.terms), np.nan, np.float32)
    HEURISTICS.evaluate(row, player, HEURISTICS.weights, counts)
    return dict(zip(NAMES, map(float, counts), strict=True))


def score(row: Array, player: int) -> int:
    return int(
        HEURISTICS.evaluate(row, player, HEURISTICS.weights, np.zeros(len(NAMES), np.float32))
    )


def rows_of_plays(seed: int, plays: int) -> list[Array]:
    rng = random.Random(seed)
    positions = [crowded(rng, near_goal=0.2) for _ in range(plays)]
    return [row for position in positions for row in rows_within(position, rng)]


def generated(row: Array) -> list[int]:
    out = np.zeros(MAX_ACTIONS, np.int32)
    return [int(action) for action in out[: kernel.generate(row, out)]]


def swapped(position: Position) -> Position:
    """The same with the sides changed: upside down, and in the other colours."""
    board = "".join(position.board[square ^ 56] for square in range(64)).swapcase()
    return Position.of(position.rules, board, 1 - position.mover)


def mirrored(position: Position) -> Position:
    """The same seen in a mirror that stands along the d- and e-files."""
    board = "".join(position.board[square ^ 7] for square in range(64))
    return Position.of(position.rules, board, position.mover)
