"""Days and hours in words."""

from __future__ import annotations

import math

from trine.core.clock import DAY, MINUTE, parse_time_control
from trine.core.text.sentence import Text, join, ntext, text, verbatim


def days(count: int) -> Text:
    """Return a number of days in words."""
    return ntext("{count} day", "{count} days", count)


def days_a_turn(count: int) -> Text:
    """Return a number of days for each turn in words."""
    return ntext("{count} day a turn", "{count} days a turn", count)


def clock_told(clock: str) -> Text:
    """Return a clock in words if it has days for a turn, or else in its notation.

    >>> str(clock_told("3d/7d/0")), str(clock_told("5+3"))
    ('3 days a turn, 7 days of vacation', '5+3')
    """
    control = parse_time_control(clock) if clock else None
    if not control or not control.by_days:
        return verbatim(clock) if clock else text("no clock")
    turn, vacation = days_a_turn(round(control.move / DAY)), round(control.reserve / DAY)
    if not vacation:
        return turn
    return text("{turn}, {vacation} of vacation", turn=turn, vacation=days(vacation))


def time_told(seconds: float) -> Text:
    """Return a time in words, with at most two units of days, hours and minutes.

    >>> str(time_told(2 * DAY + 3 * 3600 - 5)), str(time_told(3600)), str(time_told(0))
    ('2 days 3 hours', '1 hour', '0 minutes')
    """
    minutes = math.ceil(max(0.0, seconds) / MINUTE)
    parts = [
        ntext("{count} day", "{count} days", minutes // 1440),
        ntext("{count} hour", "{count} hours", minutes // 60 % 24),
        ntext("{count} minute", "{count} minutes", minutes % 60),
    ]
    first = next((n for n, part in enumerate(parts[:2]) if part.values["count"]), 2)
    told = [part for part in parts[first : first + 2] if part.values["count"]]
    return join(told or parts[2:], " ")
