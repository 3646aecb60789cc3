"""Dividing time: how much of what a clock leaves is given to the turn at hand."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from trine.core.clock import Clock
from trine.engine.limits import Limits

LAG: Final = 0.05
"""Units: seconds; what may pass between the end of thinking and the stop of the clock."""
LAG_SHARE: Final = 0.02
"""And so much of all that is left."""
TURNS_AHEAD: Final = 25
"""A reserve is thought to have to last for so many turns. Guess."""
MOST_SHARE: Final = 0.2
"""No turn takes more of the reserve than that. Guess."""
BEGIN_UNTIL: Final = 0.6
"""After that share of the time no further depth is begun: it would hardly be finished. Guess."""


@dataclass(frozen=True)
class Allotment:
    """The time for a turn.

    Units: seconds.
    """

    enough: float | None
    """After so long nothing new is begun; None without a limit of time."""
    most: float | None
    """After so long the turn is to be played."""


def allot(limits: Limits, player: int, *, setup: bool = False) -> Allotment:
    """The time for the turn of a player.

    A fixed time is used up whole; of a clock, what the turn gets in any case is used, and a share
    of the reserve.

    >>> allot(Limits(seconds=1), 0)
    Allotment(enough=0.95, most=0.95)
    >>> allot(Limits(depth=4), 0)
    Allotment(enough=None, most=None)
    """
    fixed = None if limits.seconds is None else _without_lag(limits.seconds, limits.used)
    if limits.clock is None or math.isinf(limits.clock.left(player, setup=setup)):
        return Allotment(fixed, fixed)
    clock = limits.clock
    left = min(clock.left(player, setup=setup), clock.game_left())
    most = _without_lag(left, limits.used)
    target = most if fixed is None else min(fixed, most)
    share = min(target, _share(clock, player, limits.used))
    return Allotment(share * BEGIN_UNTIL, min(target, share + MOST_SHARE * clock.reserve(player)))


def _share(clock: Clock, player: int, used: float) -> float:
    # Without a lag: what is left is the cap, and the cap has it.
    return max(0.0, clock.control.move + clock.reserve(player) / TURNS_AHEAD - used)


def _without_lag(left: float, used: float) -> float:
    return max(0.0, left - used - LAG - LAG_SHARE * max(0.0, left - 5.0))
