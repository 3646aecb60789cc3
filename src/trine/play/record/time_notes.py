"""Comments in records of running games: times, and marks of offers, resignations and forfeits.

Durations are for readers; timestamps, in UTC and to the millisecond, restore the clock of a resumed
game. Marks restore its open offers. Other programs skip all these like any comment. A person's
remark that could be read as one of them is put in quotation marks.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final, NamedTuple

from trine.core.clock import format_seconds, parse_seconds

_TIME: Final = r"((?:[0-9]{1,6}:)?[0-9]{1,6}:[0-5][0-9](?:\.[0-9])?)"
_TIMESTAMP: Final = r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z)"
_AT: Final = rf"(?:, at {_TIMESTAMP})?"
_USED: Final = re.compile(rf"{_TIME}(?:, .*?)??{_AT}")
_PAUSED: Final = re.compile(rf"paused {_TIME}( by consent)?{_AT}")
_RESUMED: Final = re.compile(rf"resumed {_TIME}{_AT}")


class TimeMark(NamedTuple):
    """A comment that contains a time."""

    kind: str  # ``used``, ``paused`` or ``resumed``
    spent: float  # seconds; the time of the turn
    at: float | None  # seconds since 1970; the timestamp, if the comment has one
    by_consent: bool = False
    """Whether the players agreed on the pause; otherwise play was interrupted."""


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
    """Format the time that the open turn had taken when play was paused or interrupted."""
    consent = " by consent" if by_consent else ""
    return f"paused {format_seconds(spent)}{consent}{_behind(at)}"


def format_resumed(spent: float, at: float | None = None) -> str:
    """Format the time that the open turn had taken when play was resumed."""
    return f"resumed {format_seconds(spent)}{_behind(at)}"


def read_time_mark(comment: str) -> TimeMark | None:
    """Parse a time comment; return None for any other comment.

    >>> read_time_mark("0:12, 4:48 left")
    TimeMark(kind='used', spent=12.0, at=None, by_consent=False)
    >>> read_time_mark("resumed 0:07, at 2027-01-15T08:00:00.250Z").at
    1800000000.25
    """
    if match := _USED.fullmatch(comment):
        return TimeMark("used", parse_seconds(match[1]), _parse_optional(match[2]))
    if match := _PAUSED.fullmatch(comment):
        return TimeMark(
            "paused", parse_seconds(match[1]), _parse_optional(match[3]), bool(match[2])
        )
    if match := _RESUMED.fullmatch(comment):
        return TimeMark("resumed", parse_seconds(match[1]), _parse_optional(match[2]))
    return None


def seconds_of(comments: Iterable[str]) -> float | None:
    """Return the time that a turn took, from its comments; None if they have no time.

    Units: seconds.

    >>> seconds_of(["well played", "0:12, 4:48 left"])
    12.0
    """
    marks = filter(None, map(read_time_mark, comments))
    return next((mark.spent for mark in marks if mark.kind == "used"), None)


def format_timestamp(at: float) -> str:
    """Format a timestamp in UTC.

    >>> format_timestamp(1_800_000_000.25)
    '2027-01-15T08:00:00.250Z'
    """
    seconds, thousandths = divmod(round(at * 1000), 1000)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{thousandths:03}Z"


def parse_timestamp(words: str) -> float | None:
    """Parse a timestamp as `format_timestamp` writes it; None for any other text."""
    return _parse_optional(words) if re.fullmatch(_TIMESTAMP, words) else None


def _behind(at: float | None) -> str:
    return "" if at is None else f", at {format_timestamp(at)}"


def _parse_optional(words: str | None) -> float | None:
    try:
        return round(datetime.fromisoformat(words).timestamp(), 3) if words else None
    except ValueError:  # such as the 30th of February
        return None


DRAW: Final = "draw"  # the only request whose mark says "offers" instead of "asks for"

_MARK: Final = re.compile(
    r"([A-Z][a-z]+) (?:"
    r"(?P<asks>offers a draw|asks for .+)|accepts (?P<accepts>.+)|declines (?P<declines>.+)"
    r"|withdraws (?P<withdraws>.+)|(?P<resigns>resigns)|(?P<lost>has lost on time)"
    r"|forfeits: (?P<forfeits>.*))"
)


class CommentMark(NamedTuple):
    """A comment about a player's action that is no turn, such as an offer or a resignation."""

    tag: str  # the tag of the player's seat
    kind: str  # the name of a group in `_MARK`, such as ``asks``
    words: str = ""  # the request, or the reason why the player forfeits


def format_mark(mark: CommentMark) -> str:
    """Write a mark as a comment.

    >>> format_mark(CommentMark("Gold", "asks", "draw"))
    'Gold offers a draw'
    >>> format_mark(CommentMark("Gold", "asks", "takeback"))
    'Gold asks for takeback'
    """
    if mark.kind == "asks":
        action = "offers a draw" if mark.words == DRAW else f"asks for {mark.words}"
    elif mark.kind == "forfeits":
        action = f"forfeits: {mark.words}"
    elif mark.kind == "lost":
        action = "has lost on time"
    else:
        action = f"{mark.kind} {mark.words}".rstrip()
    return f"{mark.tag} {action}"


def read_mark(comment: str) -> CommentMark | None:
    """Return the mark that a comment contains, None if it is an ordinary comment.

    >>> read_mark("Gold asks for fill 7")
    CommentMark(tag='Gold', kind='asks', words='fill 7')
    >>> read_mark("Gold plays well") is None
    True
    """
    if not (match := _MARK.fullmatch(comment)):
        return None
    kind = str(match.lastgroup)
    words = match[kind]
    if kind == "asks":
        words = DRAW if words == "offers a draw" else words.removeprefix("asks for ")
    return CommentMark(match[1], kind, "" if kind in ("resigns", "lost") else words)


def as_remark(remark: str) -> str:
    """Return a person's remark as a comment, quoted if it would be read as a mark or a time.

    >>> as_remark("0:12"), as_remark("well played"), as_remark("Gold accepts draw")
    ('“0:12”', 'well played', '“Gold accepts draw”')
    """
    remark = " ".join(remark.split())
    return f"“{remark}”" if read_mark(remark) or read_time_mark(remark) else remark
