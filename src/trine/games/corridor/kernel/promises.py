"""The scores of promising actions, for boards of all sizes."""

from __future__ import annotations

from typing import Final

from trine.core.jit import inner, kernel
from trine.games.corridor.kernel.races import NEVER, arrival
from trine.games.corridor.kernel.row import (
    NARROW,
    WIDE,
    Row,
    is_playing,
    mover,
    pawn_of,
    players_of,
    size_of,
)

BEST: Final = 1000
"""The bounds of the scores of `score_moves`. The numbers below are guesses, tested in matches."""
JUMP: Final = 900
"""A jump that gains a step."""
STEP: Final = 650
"""A step on a shortest way, if that is no longer than the rival's; else `STEP_BEHIND`."""
STEP_BEHIND: Final = 350
OTHER_MOVE: Final = -100
LONGER: Final = 200
"""A wall that makes both ways longer by equal steps; `EACH_STEP` is added for each step more of the
rival's way."""
EACH_STEP: Final = 150
TRAP: Final = 12
"""The count of steps for a wall that leaves no way at all."""
CROSSES: Final = 20
"""A wall that cuts some of the rival's shortest ways, but not all."""
GUARDS: Final = 10
"""A wall in the place of one that would cut all of one's own shortest ways."""
CLOSE: Final = -150
"""A wall near a pawn."""
APART: Final = -700
"""Any other wall."""
IN_OWN_WAY: Final = -300
"""Added for a wall that cuts some of one's own shortest ways."""
NEAR_BY: Final = 2
"""Units: squares; the distance of a wall that is near a pawn."""


@kernel("int64(uint64[::1])", forceinline=True)
def rival_of(row: Row) -> int:
    """Return the other player who would be first at the goal if no player were hindered."""
    rival, soonest = -1, NEVER + 1
    for player in range(players_of(row)):
        if player != mover(row) and is_playing(row, player):
            action = arrival(row, player, 1)
            if action < soonest:
                rival, soonest = player, action
    return rival


@inner("boolean(uint64[::1], int64, int64)", forceinline=True)
def is_close(row: Row, player: int, square: int) -> bool:
    """Return whether a wall named by a square is near a pawn."""
    stride = NARROW if size_of(row) <= NARROW else WIDE
    pawn = pawn_of(row, player)
    ranks = pawn // stride - square // stride
    files = pawn % stride - square % stride
    return -NEAR_BY < ranks <= NEAR_BY and -NEAR_BY < files <= NEAR_BY


@kernel("int64(int64, int64)", forceinline=True)
def worth_of(gained: int, lost: int) -> int:
    """Return the score of a wall that lengthens the rival's way and the player's own."""
    return max(-BEST, min(BEST - 50, LONGER + EACH_STEP * (gained - lost) - 20 * lost))


@inner("int64(int64, int64)", forceinline=True)
def longer_by(after: int, before: int) -> int:
    """Return the steps by which a way is longer, or `TRAP` if there is none after."""
    return TRAP if after < 0 else after - before
