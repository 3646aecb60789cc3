"""Times in records: the comments that tell what a turn took, when it ended, and of pauses.

Durations are for readers; moments, in UTC and to the millisecond, are what the clock of a game
that is gone on with is counted from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final, NamedTuple

from trine.core.clock import format_seconds, parse_seconds

_TIME: Final = r"((?:[0-9]{1,6}:)?[0-9]{1,6}:[0-5][0-9](?:\.[0-9])?)"
_MOMENT: Final = r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z)"
_AT: Final = rf"(?:, at {_MOMENT})?"
_USED: Final = re.compile(rf"{_TIME}(?:, .*?)??{_AT}")
_PAUSED: Final = re.compile(rf"paused {_TIME}( by consent)?{_AT}")
_RESUMED: Final = re.compile(rf"resumed {_TIME}{_AT}")


class TimeMark(NamedTuple):
    """A comment that tells a time."""

    kind: str
    """``used``, ``paused`` or ``resumed``."""
    spent: float
    """Units: seconds; what the turn has taken."""
    at: float | None
    """Units: seconds since 1970; when that was, if it is told."""
    by_consent: bool = False
    """Whether the players have agreed on the pause; else play was broken off."""


def format_used(used: float, reserve: float | None, at: float | None = None) -> str:
    """Format the time of a turn, the player's reserve if there is a clock, and when it ended.

    >>> format_used(12, 288), format_used(4.3, None)
    ('0:12, 4:48 left', '0:04.3')
    >>> format_used(12, None, 1_800_000_000.25)
    '0:12, at 2027-01-15T08:00:00.250Z'
    """
    left = "" if reserve is None else f", {format_seconds(round(reserve, 1))} left"
    return f"{format_seconds(used)}{left}{_behind(at)}"


def format_paused(spent: float, at: float | None = None, *, by_consent: bool = False) -> str:
    """Format the time that the open turn had taken when play was paused or broken off."""
    consent = " by consent" if by_consent else ""
    return f"paused {format_seconds(spent)}{consent}{_behind(at)}"


def format_resumed(spent: float, at: float | None = None) -> str:
    """Format the time that the open turn had taken when play went on."""
    return f"resumed {format_seconds(spent)}{_behind(at)}"


def read_time_mark(comment: str) -> TimeMark | None:
    """The time that a comment tells; None for what is not exactly a time.

    >>> read_time_mark("0:12, 4:48 left")
    TimeMark(kind='used', spent=12.0, at=None, by_consent=False)
    >>> read_time_mark("resumed 0:07, at 2027-01-15T08:00:00.250Z").at
    1800000000.25
    """
    if found := _USED.fullmatch(comment):
        return TimeMark("used", parse_seconds(found[1]), _moment(found[2]))
    if found := _PAUSED.fullmatch(comment):
        return TimeMark("paused", parse_seconds(found[1]), _moment(found[3]), bool(found[2]))
    if found := _RESUMED.fullmatch(comment):
        return TimeMark("resumed", parse_seconds(found[1]), _moment(found[2]))
    return None


def seconds_of(comments: Iterable[str]) -> float | None:
    """Return the time that a turn took by its comments; None if none tells it.

    Units: seconds.

    >>> seconds_of(["well played", "0:12, 4:48 left"])
    12.0
    """
    marks = filter(None, map(read_time_mark, comments))
    return next((mark.spent for mark in marks if mark.kind == "used"), None)


def format_moment(at: float) -> str:
    """Write a moment, in UTC.

    >>> format_moment(1_800_000_000.25)
    '2027-01-15T08:00:00.250Z'
    """
    seconds, thousandths = divmod(round(at * 1000), 1000)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{thousandths:03}Z"


def parse_moment(words: str) -> float | None:
    """Read a moment as `format_moment` writes it; None if it is none."""
    return _moment(words) if re.fullmatch(_MOMENT, words) else None


def _behind(at: float | None) -> str:
    return "" if at is None else f", at {format_moment(at)}"


def _moment(words: str | None) -> float | None:
    try:
        return round(datetime.fromisoformat(words).timestamp(), 3) if words else None
    except ValueError:  # such as the 30th of February
        return None
