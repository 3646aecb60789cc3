"""Time controls, clocks of plays, and the limits of a search.

A clock is a value that knows neither the game nor the time of day: the caller says how long a turn
took, and gets a new clock.

Source: arimaa.com/arimaa/learn/matchRules.html, "Time Controls", in force since 2008-07-01; called
"match rules" here. Where the match rules are silent, the archive of the Arimaa server decides.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Self, TypeVar

from trine.core.errors import MalformedError
from trine.core.text.sentence import Text, ctext, quoted

MINUTE: Final = 60
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR


@dataclass(frozen=True)
class TimeControl:
    """The limits of a play: ``M/R/P/L/G/T``.

    Units: seconds, unless another unit is named; integers except in M and R; 0 in L, G and T means
    no limit.
    """

    move: float
    """M: the time that a player gets for each turn. A turn may take longer, from the reserve."""
    reserve: float  # r: the reserve at the start; a turn longer than M takes from it
    percent: int = 100
    """P: the share of unused M added to the reserve, rounded to the second if M and R are whole."""
    reserve_limit: int = 0
    """L: the limit for additions to the reserve. A larger reserve is kept, but does not grow."""
    total: int = 0  # g: when all turns together have taken this long, the board is scored
    turns: int = 0
    """G, written with a ``t``: when each player has made this many turns, the board is scored."""
    turn_time: int = 0  # t: the maximum time of one turn, whatever M and the reserve allow

    def __post_init__(self) -> None:
        assert 0 <= self.percent <= 100, self
        assert not (self.total and self.turns), self

    @property
    def untimed(self) -> bool:
        """Whether M and R are both 0, so that only G and T limit a turn.

        Read literally, no player could move, but the server's postal games of 2002, some of them
        weeks long, are recorded as ``0/0/0/0/0``.
        """
        return not self.move and not self.reserve

    @property
    def by_days(self) -> bool:
        """Whether a turn may take a day or more (correspondence)."""
        return self.move >= DAY

    @property
    def fractional(self) -> bool:
        """Whether M or R has a fraction of a second, unknown to the rules: nothing is rounded."""
        return bool(self.move % 1 or self.reserve % 1)


_FIELDS: Final = (
    ctext("time control", "time per move (M)"),
    ctext("time control", "reserve (R)"),
    ctext("time control", "percent (P)"),
    ctext("time control", "limit of the reserve (L)"),
    ctext("time control", "game time (G)"),
    ctext("time control", "time for one turn (T)"),
)
_DEFAULTS: Final = ("", "", "100", "0", "0", "0")
_NUMBER: Final = "([0-9]{1,9})"
_BARE: Final = re.compile(f"{_NUMBER}(?::([0-9]{{1,2}}))?")
_LETTERED: Final = re.compile(
    f"(?=[0-9])(?:{_NUMBER}d)?(?:{_NUMBER}h)?(?:{_NUMBER}m)?"
    rf"(?:([0-9]{{1,9}}(?:\.[0-9]{{1,3}})?)s)?"
)
_TURNS: Final = re.compile(f"{_NUMBER}t")
_FISCHER: Final = re.compile(rf"(.+)\+{_NUMBER}")
_DURATION: Final = re.compile(rf"(?:{_NUMBER}:(?=[0-5].:))?{_NUMBER}:([0-5][0-9])(\.[0-9])?")
_T = TypeVar("_T")


def parse_time_control(words: str) -> TimeControl:
    """Read ``M/R/P/L/G/T`` (only M and R are required), or a short name.

    A bare number is in minutes, in G in hours; after a colon comes the next smaller unit. The
    letters ``d h m s`` name units instead; with them, seconds of M and R can have a fraction:
    ``0.1s/10s``. Short names: ``5+3`` (Fischer: 5 minutes, plus 3 seconds for each turn) is
    ``0:03/5``; ``G/5`` (5 minutes for all turns) is ``0/5``.

    Raises:
        MalformedError: the text is no time control; the message names the field.

    >>> parse_time_control("4/2/50/10") == TimeControl(240, 120, percent=50, reserve_limit=600)
    True
    >>> parse_time_control("5+3") == parse_time_control("0:03/5/100/0/0/0")
    True
    """
    given = words.strip()
    if fischer := _FISCHER.fullmatch(given):
        return TimeControl(int(fischer[2]), _parse_fine_span(fischer[1], _FIELDS[1]))
    parts = re.sub("^G/", "0/", given).split("/")
    if not 2 <= len(parts) <= len(_FIELDS):
        raise MalformedError(
            "{given} is not a time control; write one such as 2/2/100/10/8, 15s/2m, 5+3 or G/5",
            given=quoted(given),
        )
    move, reserve, percent, limit, game, turn = (*parts, *_DEFAULTS[len(parts) :])
    turns = _TURNS.fullmatch(game)
    return TimeControl(
        _parse_fine_span(move, _FIELDS[0]),
        _parse_fine_span(reserve, _FIELDS[1]),
        _parse_percent(percent, _FIELDS[2]),
        _parse_span(limit, _FIELDS[3]),
        0 if turns else _parse_span(game, _FIELDS[4], HOUR),
        int(turns[1]) if turns else 0,
        _parse_span(turn, _FIELDS[5]),
    )


def _parse_span(word: str, field: Text, unit: int = MINUTE) -> int:
    seconds = _parse_fine_span(word, field, unit)
    if isinstance(seconds, float):
        raise _malformed(_examples(unit), word, field)
    return seconds


def _parse_fine_span(word: str, field: Text, unit: int = MINUTE) -> int | float:
    """Read a duration that may have a fraction. Units: seconds, a float only with a fraction."""
    if bare := _BARE.fullmatch(word):
        return int(bare[1]) * unit + int(bare[2] or 0) * (unit // 60)
    if lettered := _LETTERED.fullmatch(word):
        *whole, seconds = lettered.groups()
        days, hours, minutes = (int(number or 0) for number in whole)
        span = days * DAY + hours * HOUR + minutes * MINUTE
        fine = round(span + float(seconds or 0), 3)
        return fine if fine % 1 else int(fine)
    raise _malformed(_examples(unit), word, field)


def _examples(unit: int) -> str:
    return "6, 1:30, 7h13s, 90t" if unit == HOUR else "4, 0:30, 15s, 24h5m10s"


def _parse_percent(word: str, field: Text) -> int:
    if re.fullmatch("[0-9]{1,3}", word) and int(word) <= 100:
        return int(word)
    raise _malformed("0, 50, 100", word, field)


def _malformed(examples: str, word: str, field: Text) -> MalformedError:
    return MalformedError(
        "{field}: {given} cannot be read; write for example {examples}",
        field=field,
        given=quoted(word),
        examples=examples,
    )


def format_time_control(control: TimeControl) -> str:
    """Write a time control, without default values at its end.

    Guarantee: `parse_time_control` reads the same value.

    >>> format_time_control(TimeControl(move=30, reserve=300, reserve_limit=180))
    '0:30/5/100/3'
    >>> format_time_control(TimeControl(move=0.1, reserve=90))
    '0.1s/1m30s'
    """
    fields = [
        _format_span(control.move, named=control.fractional),
        _format_span(control.reserve, named=control.fractional),
        str(control.percent),
        _format_span(control.reserve_limit),
        f"{control.turns}t" if control.turns else _format_span(control.total, HOUR),
        _format_span(control.turn_time),
    ]
    while fields[-1] == _DEFAULTS[len(fields) - 1]:
        fields.pop()
    return "/".join(fields)


def _format_span(span: float, unit: int = MINUTE, *, named: bool = False) -> str:
    """Write a duration; ``named`` forces letters as units, and must be set for fractions."""
    seconds, thousandths = divmod(round(span * 1000), 1000)
    if not named:
        if seconds and not seconds % DAY:
            return f"{seconds // DAY}d"
        if seconds < 60 * unit and not seconds % (unit // 60):
            major, minor = divmod(seconds // (unit // 60), 60)
            return f"{major}:{minor:02}" if minor else f"{major}"
    hours, minutes = seconds // HOUR, seconds % HOUR // MINUTE
    rest = f"{seconds % MINUTE}.{thousandths:03}".rstrip("0").rstrip(".")
    numbers = ((hours, "h"), (minutes, "m"), (rest, "s"))
    return "".join(f"{number}{name}" for number, name in numbers if number not in (0, "0")) or "0"


@dataclass(frozen=True)
class Clock:
    """The time that each player has used and has left, between two turns.

    The setup is a special turn: the caller passes ``setup=True`` for it.

    Units: seconds.

    >>> clock = Clock.start(parse_time_control("2/2/100/5/6"))
    >>> clock = clock.after_turn(0, 34).after_turn(1, 150.5)
    >>> clock.reserve(0), clock.reserve(1), clock.left(1)
    (206.0, 89.5, 209.5)
    >>> clock.overstepped(1, 209.5), clock.overstepped(1, 210)
    (False, True)
    >>> clock.game_left(), clock.game_over()
    (21415.5, False)
    """

    control: TimeControl
    reserves: tuple[float, ...]
    used: tuple[float, ...]  # the total time of each player's turns
    turns: tuple[int, ...]  # number of turns that each player has made, the setup included

    @classmethod
    def start(cls, control: TimeControl, players: int = 2) -> Self:
        return cls(control, (float(control.reserve),) * players, (0.0,) * players, (0,) * players)

    def reserve(self, player: int) -> float:
        """Return the reserve of a player: the time left beyond the time per move."""
        return self.reserves[player]

    def after_turn(self, player: int, used: float, *, setup: bool = False) -> Self:
        """Return the clock after a turn that took ``used`` seconds.

        The clock judges nothing: after a turn that took too long the reserve is empty. Additions to
        the reserve are rounded, half a second up; what a turn takes from the reserve is not
        rounded, and nothing is rounded if M or R has a fraction of a second.

        Source: match rules. They exclude unused time of the setup from the reserve in a paragraph
        on M below 1 minute; the server does so for every M (games 669127, 669139 of 2026-02).
        """
        assert used >= 0, used
        reserve, limit = self.reserves[player], self.control.reserve_limit or math.inf
        unused = max(self.control.move, self._setup_minute(setup)) - used
        if unused < 0:
            reserve = max(0.0, reserve + unused)
        elif not setup:
            gain = unused * self.control.percent / 100
            if not self.control.fractional:
                gain = math.floor(gain + 0.5)
            reserve = max(reserve, min(reserve + gain, limit))
        return replace(
            self,
            reserves=_with(self.reserves, player, float(reserve)),
            used=_with(self.used, player, self.used[player] + used),
            turns=_with(self.turns, player, self.turns[player] + 1),
        )

    def taken_back(self, later: Sequence[Self], player: int) -> Self:
        """Return the clock after turns are taken back, so that a turn of a player is open again.

        Called on the clock before the first of these turns; ``later`` are the clocks after each of
        them. The player gets back the time from before the turn: the caller counts the thinking
        time since then. The other players' thinking time is not given back; only the additions of
        their turns to the reserve are undone.

        >>> before = Clock.start(parse_time_control("1/2"))
        >>> later = before.after_turn(0, 5), before.after_turn(0, 5).after_turn(1, 90)
        >>> before.taken_back(later, 0).reserves, before.taken_back(later, 0).used
        ((120.0, 90.0), (0.0, 90.0))
        """
        reserves = list(self.reserves)
        for clock, after in pairwise((self, *later)):
            for seat, (old, new) in enumerate(zip(clock.reserves, after.reserves, strict=True)):
                reserves[seat] -= max(0.0, old - new)
        return replace(
            self,
            reserves=_with(tuple(reserves), player, self.reserves[player]),
            used=_with(later[-1].used, player, self.used[player]),
        )

    def left(self, player: int, *, setup: bool = False) -> float:
        """Return how long a turn that begins now may take before its player loses on time.

        Infinity if the turn has no limit. No player loses when the game time ends, so it is
        ignored: see `game_left`.

        Source: match rules, which "always" give 1 minute for the setup if M is less. A shorter T
        does not take that minute away.
        """
        control, minute = self.control, self._setup_minute(setup)
        longest = max(control.turn_time, minute) if control.turn_time else math.inf
        if control.untimed:
            return float(longest)
        return float(min(max(control.move, minute) + self.reserves[player], longest))

    def overstepped(self, player: int, used: float, *, setup: bool = False) -> bool:
        """Return whether a turn of ``used`` seconds is over the limit and so has lost on time.

        If the game time ends no later than the player's own, the game is halted and scored.
        """
        return used > (left := self.left(player, setup=setup)) and left < self.game_left()

    def game_left(self) -> float:
        """Return the rest of the game time; a turn that takes this long halts the game.

        Infinity without a limit G. Source: match rules; as in the server's archive (``game:``),
        pauses do not count.
        """
        return max(0.0, (self.control.total or math.inf) - sum(self.used))

    def game_over(self) -> bool:
        """Whether the game time or the turns are used up, so that the board has to be scored.

        Source: match rules: ``90t`` ends "after move 90 of silver", and the setup is move 1.
        """
        return not self.game_left() or 0 < self.control.turns <= min(self.turns)

    def _setup_minute(self, setup: bool) -> int:
        return MINUTE if setup and self.control.move < MINUTE else 0


def _with(values: tuple[_T, ...], player: int, value: _T) -> tuple[_T, ...]:
    return (*values[:player], value, *values[player + 1 :])


def format_seconds(seconds: float) -> str:
    """Write a duration: minutes and seconds, and hours if there are any.

    Units: seconds, at least 0, finite; rounded to a tenth, which is omitted if it is 0.

    >>> format_seconds(12), format_seconds(12.3), format_seconds(3900)
    ('0:12', '0:12.3', '1:05:00')
    """
    whole, tenth = divmod(round(seconds * 10), 10)
    minutes, second = divmod(whole, 60)
    hour, minute = divmod(minutes, 60)
    shown = f"{hour}:{minute:02}:{second:02}" if hour else f"{minute}:{second:02}"
    return f"{shown}.{tenth}" if tenth else shown


def parse_seconds(words: str) -> float:
    """Read a duration written by `format_seconds`.

    Raises:
        MalformedError: the text is no duration.

    >>> parse_seconds("1:05:00"), parse_seconds("0:12.3")
    (3900.0, 12.3)
    """
    given = words.strip()
    if not (match := _DURATION.fullmatch(given)):
        raise MalformedError(
            "{given} is not a time such as 0:12, 0:12.3 or 1:05:00", given=quoted(given)
        )
    hours, minutes, seconds, tenth = match.groups()
    whole = int(hours or 0) * HOUR + int(minutes) * MINUTE + int(seconds)
    return float(f"{whole}{tenth or ''}")


@dataclass(frozen=True)
class Limits:
    """The limits of thinking about one turn; the first one reached ends it. None: no limit.

    >>> Limits().endless, Limits(hard=1.0).endless, Limits(hard=0.0).endless
    (True, False, False)
    """

    depth: int | None = None  # actions of all players
    nodes: int | None = None  # positions searched
    soft: float | None = None
    """Units: seconds; after this soft limit no further depth begins. None: the hard limit."""
    hard: float | None = None  # seconds; the hard limit: by then the whole turn has to be played
    clock: Clock | None = None
    """The clock at the beginning of the turn; `trine.engine.players.timing.allot` derives soft and
    hard limits from it, the only times that a search uses."""
    play_forced_instantly: bool = False
    """Whether a forced action is played at once, which saves time but gives no information."""
    used: float = 0.0  # seconds; the time that the turn has taken so far

    @property
    def endless(self) -> bool:
        """Whether only a stop ends the thinking."""
        limits = (self.depth, self.nodes, self.soft, self.hard, self.clock)
        return all(limit is None for limit in limits)
