"""Time management: the share of the remaining time that is allotted to a turn."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from trine.core.clock import Clock
from trine.core.work.limits import Limits

LAG: Final = 0.05
"""Units: seconds; the time that may pass between the end of thinking and the stop of the clock."""
LAG_SHARE: Final = 0.02
"""The share of the remaining time that is added to the lag."""
TURNS_AHEAD: Final = 25
"""Units: turns; the reserve is divided as if it had to last for this many. Guess."""
MOST_SHARE: Final = 0.2
"""The greatest share of the reserve that one turn takes. Guess."""
BEGIN_UNTIL: Final = 0.6
"""The share of the turn's time after which no depth is begun: few would be finished. Guess."""


def allot(limits: Limits, player: int, *, setup: bool = False) -> Limits:
    """Return the same limits with the time for the turn of a player, counted from now on.

    A fixed time is used up whole; of a clock, the time for each turn is used, and a share of the
    reserve.

    >>> allot(Limits(hard=1), 0) == Limits(soft=0.95, hard=0.95)
    True
    """
    fixed = _without_lag(limits.hard, limits.used) if limits.hard not in (None, math.inf) else None
    soft = fixed if limits.soft is None else max(0.0, limits.soft - limits.used)
    clock = limits.clock
    left = min(clock.left(player, setup=setup), clock.game_left()) if clock else math.inf
    if clock is None or math.isinf(left):
        return replace(limits, soft=soft, hard=fixed, clock=None, used=0.0)
    most = _without_lag(left, limits.used)
    target = most if fixed is None else min(fixed, most)
    share = min(target, _share(clock, player, limits.used))
    begun = share * BEGIN_UNTIL
    if limits.soft is not None and soft is not None:
        begun = min(begun, soft)
    hard = min(target, share + MOST_SHARE * clock.reserve(player))
    return replace(limits, soft=begun, hard=hard, clock=None, used=0.0)


def _share(clock: Clock, player: int, used: float) -> float:
    # Without the lag: the hard limit of the clock, which caps this, includes it.
    control = clock.control
    if control.untimed:
        share = float(control.turn_time or clock.game_left() / TURNS_AHEAD)
    else:
        share = control.move + clock.reserve(player) / TURNS_AHEAD
    return max(0.0, share - used)


def _without_lag(left: float, used: float) -> float:
    return max(0.0, left - used - LAG - LAG_SHARE * max(0.0, left - 5.0))
