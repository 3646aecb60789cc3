"""The choices of levels, clocks and days for a game, and times in words."""

from __future__ import annotations

import math
from typing import Final

from trine.core.clock import DAY, MINUTE, parse_time_control
from trine.core.text.sentence import Text, join, ntext, text, verbatim

LEVELS: Final = (
    text("plays almost anything, and overlooks most of what you do"),
    text("sees one turn ahead, and misses more than half"),
    text("sees a capture when it is there, and often not"),
    text("knows what it wants, and overlooks your best answers"),
    text("looks ahead, and misses about every third idea"),
    text("plays soundly, and misses something now and then"),
    text("makes few mistakes"),
    text("overlooks next to nothing"),
    text("plays with care, and takes about a second for it"),
    text("plays as well as it can"),
)
"""A description of each level of the computer, from the first."""
CLOCKS: Final = {
    "": text("no clock"),
    "1+5": text("very quick: 1 minute, and 5 seconds a turn"),
    "3+2": text("quick: 3 minutes, and 2 seconds a turn"),
    "5+5": text("lively: 5 minutes, and 5 seconds a turn"),
    "10+10": text("calm: 10 minutes, and 10 seconds a turn"),
    "15+15": text("thoughtful: 15 minutes, and 15 seconds a turn"),
    "30+20": text("slow: 30 minutes, and 20 seconds a turn"),
}
"""The clocks to choose from, by their notation."""
DAYS: Final = (1, 2, 3, 5, 7, 10, 14)
"""The choices of days per turn in correspondence games."""
VACATIONS: Final = (0, 3, 7, 14, 30)
"""The choices of vacation days per player in correspondence games."""
MATCH_CLOCK: Final = {"0:30/5/100/5": text("as in matches: 30 seconds a turn, and a reserve")}
"""The clock of official matches, in games that define the player who is ahead when time is up."""


def days(count: int) -> Text:
    return ntext("{count} day", "{count} days", count)


def days_a_turn(count: int) -> Text:
    return ntext("{count} day a turn", "{count} days a turn", count)


def clock_text(clock: str) -> Text:
    """Return a clock as text: in words if it has days per turn, or else in its notation.

    >>> str(clock_text("3d/7d/0")), str(clock_text("5+3"))
    ('3 days a turn, 7 days of vacation', '5+3')
    """
    control = parse_time_control(clock) if clock else None
    if not control or not control.by_days:
        return verbatim(clock) if clock else text("no clock")
    turn, vacation = days_a_turn(round(control.move / DAY)), round(control.reserve / DAY)
    if not vacation:
        return turn
    return text("{turn}, {vacation} of vacation", turn=turn, vacation=days(vacation))


def time_text(seconds: float) -> Text:
    """Return a time in words, with at most two units of days, hours and minutes.

    >>> str(time_text(2 * DAY + 3 * 3600 - 5)), str(time_text(3600)), str(time_text(0))
    ('2 days 3 hours', '1 hour', '0 minutes')
    """
    minutes = math.ceil(max(0.0, seconds) / MINUTE)
    parts = [
        ntext("{count} day", "{count} days", minutes // 1440),
        ntext("{count} hour", "{count} hours", minutes // 60 % 24),
        ntext("{count} minute", "{count} minutes", minutes % 60),
    ]
    first = next((n for n, part in enumerate(parts[:2]) if part.values["count"]), 2)
    nonzero = [part for part in parts[first : first + 2] if part.values["count"]]
    return join(nonzero or parts[2:], " ")
