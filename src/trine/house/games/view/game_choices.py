"""The choices for a game: levels with their measured strength, clocks and days; times in words."""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from trine.core.clock import DAY, MINUTE, parse_time_control
from trine.core.text.sentence import Text, join, ntext, text, verbatim
from trine.engine.players.player import parse_level
from trine.house.games.storage.tables import SeatKind, SeatRow
from trine.play.session.seats import BOT

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
DAYS: Final = (1, 2, 3, 5, 7, 10, 14)  # the choices of days per turn in correspondence games
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


NEWCOMER: Final = 1500.0  # the rating of a new player


class LevelStep(NamedTuple):
    """The measured Elo difference of a level and the one below.

    ``error`` is half the width of the 95 % confidence interval.
    """

    gain: int
    error: int


def _steps(written: str) -> tuple[LevelStep, ...]:
    return tuple(LevelStep(*map(int, one.split("±"))) for one in written.split())


# docs/why/measuring.md describes how these games were played, and their number. A level that is not
# listed has not been measured, and is no anchor.
STEPS: Final[Mapping[tuple[str, str], Sequence[LevelStep]]] = {
    ("arimaa", "official"): _steps("173±53 246±63 235±62 258±65 275±69 258±65 330±100 241±213"),
    ("arimaa", "classic"): _steps("164±52 200±56 196±57 230±60"),
    ("tzaar", "official"): _steps("249±44 184±39 193±40 191±40 198±40 173±48 225±57 280±114"),
    ("tzaar", "open"): _steps("196±52 139±49 205±55 241±63 230±63"),
    ("corridor", "quoridor"): _steps("123±48 156±51 160±55 222±58 222±61 160±50 173±52 241±273"),
    ("corridor", "corridor-8"): _steps("263±63 196±53 179±51 108±45"),
    ("corridor", "corridor"): _steps("228±53 210±53 100±46 125±43 119±36"),
}
"""The rating gains from level 1 to 2, 2 to 3, and so on, by game and rule set; they hold at
any speed, because these levels search a fixed number of positions."""
ORIGIN: Final = 4  # the level with the rating of a new player. Guess


@cache
def ratings_of_levels(game_name: str, rules: str) -> Mapping[int, float]:
    """Return the ratings of the levels of a rule set; empty if none were measured.

    >>> [round(rating) for rating in ratings_of_levels("tzaar", "official").values()]
    [874, 1123, 1307, 1500, 1691, 1889, 2062, 2287, 2567]
    """
    if not (steps := STEPS.get((game_name, rules))):
        return {}
    above = [0, *(sum(step.gain for step in steps[: n + 1]) for n in range(len(steps)))]
    return {number: NEWCOMER + height - above[ORIGIN - 1] for number, height in enumerate(above, 1)}


def level_of(seat: SeatRow) -> int | None:
    level = seat.name.removeprefix(BOT)
    return parse_level(level) if seat.kind is SeatKind.BOT and level.isdecimal() else None


def rating_of_level(game_name: str, rules: str, seat: SeatRow) -> float | None:
    """Return the rating of the level at a seat; None for people, and for unmeasured bots."""
    level = level_of(seat)
    return None if level is None else ratings_of_levels(game_name, rules).get(level)
