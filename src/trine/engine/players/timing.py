"""Time management: the share of the remaining time that is allotted to a turn."""

import math
from dataclasses import replace
from typing import Final

from trine.core.clock import Clock, Limits

LAG: Final = 0.05  # seconds; the longest time between the end of thinking and the stop of the clock
LAG_SHARE: Final = 0.02  # the share of the remaining time that is added to the lag
EXPECTED_TURNS: Final = 25  # turns; the reserve is spread over this many turns. Guess
MAX_RESERVE_SHARE: Final = 0.2  # maximum share of the reserve that one turn takes. Guess
LAST_START_SHARE: Final = 0.6
"""No new depth starts after this share of the turn's time: few would finish. Guess."""


def allot(limits: Limits, player: int, *, setup: bool = False) -> Limits:
    """Return the limits with soft and hard times for a player's turn, counted from now on.

    A fixed time is used up; a clock allows the time of the turn and a share of the reserve.

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
    begun = share * LAST_START_SHARE
    if limits.soft is not None and soft is not None:
        begun = min(begun, soft)
    hard = min(target, share + MAX_RESERVE_SHARE * clock.reserve(player))
    return replace(limits, soft=begun, hard=hard, clock=None, used=0.0)


def _share(clock: Clock, player: int, used: float) -> float:
    # The hard limit, which bounds this time, already subtracts the lag.
    control = clock.control
    if control.untimed:
        share = float(control.turn_time or clock.game_left() / EXPECTED_TURNS)
    else:
        share = control.move + clock.reserve(player) / EXPECTED_TURNS
    return max(0.0, share - used)


def _without_lag(left: float, used: float) -> float:
    return max(0.0, left - used - LAG - LAG_SHARE * max(0.0, left - 5.0))
