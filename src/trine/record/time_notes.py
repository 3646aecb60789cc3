"""Times in records: the comments that tell what a turn took, and what an open one has taken."""

from __future__ import annotations

import re

from trine.core.clock import format_seconds, parse_seconds

_TIME = r"((?:[0-9]{1,6}:)?[0-9]{1,6}:[0-5][0-9](?:\.[0-9])?)"
_USED = re.compile(rf"{_TIME}(?:, .*)?")
_PAUSED = re.compile(rf"paused {_TIME}")


def format_used(used: float, reserve: float | None) -> str:
    """What a turn took, and what the player has in reserve if there is a clock.

    >>> format_used(12, 288), format_used(4.3, None)
    ('0:12, 4:48 left', '0:04.3')
    """
    if reserve is None:
        return format_seconds(used)
    return f"{format_seconds(used)}, {format_seconds(round(reserve, 1))} left"


def format_paused(spent: float) -> str:
    """What the open turn had taken when play was broken off."""
    return f"paused {format_seconds(spent)}"


def used_time(comments: list[str]) -> float | None:
    """What a turn took, by its comments; what is not exactly a time is a remark.

    >>> used_time(["Gold offers a draw", "0:12, 4:48 left"])
    12.0
    """
    return _last(_USED, comments)


def paused_time(comments: list[str]) -> float | None:
    """What an open turn had taken when play was broken off, by its comments."""
    return _last(_PAUSED, comments)


def _last(pattern: re.Pattern[str], comments: list[str]) -> float | None:
    found = [match.group(1) for note in comments if (match := pattern.fullmatch(note))]
    return parse_seconds(found[-1]) if found else None


def as_remark(words: str) -> str:
    """Words of a person, so that they cannot be taken for a time.

    >>> as_remark("0:12"), as_remark("well played")
    ('“0:12”', 'well played')
    """
    words = " ".join(words.split())
    looks_like_time = _USED.fullmatch(words) or _PAUSED.fullmatch(words)
    return f"“{words}”" if looks_like_time else words
