"""Limits of thinking in AEI and UGI, in both directions.

AEI sends the parts of a clock as options, in seconds, and each game has one time control. UGI sends
the remaining time and the increment of each player with each ``go``, in milliseconds.
"""

import math
import re
from collections.abc import Sequence
from typing import Final

from trine.core.clock import Clock, Limits, TimeControl
from trine.core.errors import MalformedError
from trine.core.play import Play
from trine.core.text.sentence import quoted

_NUMBER: Final = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,9})?")

# --- AEI -----------------------------------------------------------------------------------------

_INITIALLY: Final = {
    "tcmove": 0.0,
    "tcreserve": 0.0,
    "tcpercent": 100.0,
    "tcmax": 0.0,
    "tctotal": 0.0,
    "tcturns": 0.0,
    "tcturntime": 0.0,
}
_RESERVES: Final = ("greserve", "sreserve")
AEI_TIMES: Final = frozenset(
    (*_INITIALLY, *_RESERVES, "gused", "sused", "lastmoveused", "moveused")
)
"""The options of AEI about time."""


class AeiTimes:
    """The times that a controller has sent in a game of Arimaa.

    Units: seconds.

    >>> times = AeiTimes()
    >>> times.set("tcmove", "15"); times.set("tcreserve", "90"); times.set("sreserve", "40")
    >>> times.limits(used=(0.0, 0.0)).clock.left(0), times.limits(used=(0.0, 0.0)).clock.left(1)
    (105.0, 55.0)
    """

    def __init__(self) -> None:
        self._times = dict(_INITIALLY)

    def set(self, name: str, value: str) -> None:
        """Set one of `AEI_TIMES`; raises `MalformedError` if the value is no number."""
        if not _NUMBER.fullmatch(value.strip()):
            raise MalformedError(
                "{name}: {given} is no number of seconds", name=name, given=quoted(value)
            )
        self._times[name] = max(0.0, float(value))

    def new_game(self) -> None:
        self._times = {name: self._times[name] for name in _INITIALLY}

    def turn_over(self) -> None:
        self._times.pop("moveused", None)

    def limits(self, used: tuple[float, float]) -> Limits:
        """Return the limits of the next turn; ``used`` is the time of each side's turns."""
        times = self._times
        spent = times.get("moveused", 0.0)
        reserves = tuple(times.get(name, times["tcreserve"]) for name in _RESERVES)
        total = int(times["tctotal"])
        control = TimeControl(
            move=times["tcmove"],
            reserve=math.ceil(max(times["tcreserve"], *reserves)),
            percent=min(100, int(times["tcpercent"])),
            reserve_limit=int(times["tcmax"]),
            total=total,
            turns=0 if total else int(times["tcturns"]),
            turn_time=int(times["tcturntime"]),
        )
        if control.untimed and not control.turn_time:
            return Limits(used=spent)
        return Limits(clock=Clock(control, reserves, used, (0, 0)), used=spent)


def format_aei_times(play: Play, limits: Limits) -> dict[str, str]:
    """Return limits as options of AEI, version 1.

    Fractions of seconds are lost. AEI has no option for a fixed time, so it is sent as a time for
    each move without a reserve, at least 1 second; a shorter one is ended by ``stop``.
    """
    times = dict.fromkeys(_INITIALLY, 0)
    reserves = [0, 0]
    if limits.clock:
        control = limits.clock.control
        times |= {
            "tcmove": int(control.move),
            "tcreserve": math.ceil(control.reserve),  # both 0 would mean no limit
            "tcpercent": control.percent,
            "tcmax": control.reserve_limit,
            "tctotal": control.total,
            "tcturns": control.turns,
            "tcturntime": control.turn_time,
        }
        reserves = [int(reserve) for reserve in limits.clock.reserves]
        if limits.hard:
            most = max(1, int(limits.hard))
            times["tcturntime"] = min(times["tcturntime"] or most, most)
    elif limits.hard:
        times["tcmove"] = max(1, int(limits.hard))
    options = {**times, **dict(zip(_RESERVES, reserves, strict=True))}
    options["moveused"] = math.ceil(limits.used)
    return {name: str(value) for name, value in options.items()} | {"depth": str(limits.depth or 0)}


def time_limit(play: Play, limits: Limits) -> float | None:
    """Return the seconds left for the player to move; None without a time limit."""
    most = math.inf if limits.hard is None else limits.hard
    if clock := limits.clock:
        setup = play.room.sets_up_whole(play.turn_start)
        most = min(most, clock.left(play.mover, setup=setup), clock.game_left())
    return None if math.isinf(most) else max(0.0, most - limits.used)


# --- UGI -----------------------------------------------------------------------------------------

_CLOCK_WORD: Final = re.compile(r"p([1-9])(time|inc)")
_COUNTS: Final = ("depth", "nodes", "movetime")


def read_go(play: Play, words: Sequence[str]) -> tuple[Limits, list[str]]:
    """Read the words after ``go``.

    Returns: the limits, and the unknown words.

    Raises:
        MalformedError: the number after a word is missing or malformed.

    >>> from trine.games import new_play
    >>> limits, unknown = read_go(new_play("tzaar"), ["movetime", "250", "quickly"])
    >>> limits.hard, unknown
    (0.25, ['quickly'])
    """
    numbers: dict[str, int] = {}
    unknown = []
    rest = iter(words)
    for word in rest:
        if word in _COUNTS or _CLOCK_WORD.fullmatch(word):
            value = next(rest, "")
            if not re.fullmatch("-?[0-9]{1,15}", value):
                raise MalformedError(
                    "{name}: {given} is no whole number", name=word, given=quoted(value)
                )
            numbers[word] = max(0, int(value))
        elif word != "infinite":
            unknown.append(word)
    movetime = numbers.get("movetime")
    limits = Limits(
        depth=numbers.get("depth") or None,
        nodes=numbers.get("nodes") or None,
        hard=None if movetime is None else max(movetime, 1) / 1000,
        clock=_clock_of(play, numbers),
    )
    return (Limits() if "infinite" in words else limits), unknown


def _clock_of(play: Play, numbers: dict[str, int]) -> Clock | None:
    """Return the clock; players without a time get that of the player to move."""
    own = f"p{play.mover + 1}"
    if f"{own}time" not in numbers:
        return None
    players = range(1, len(play.position.seats) + 1)
    left = [numbers.get(f"p{player}time", numbers[f"{own}time"]) / 1000 for player in players]
    # The remaining time includes the increment of this turn.
    increment = min(numbers.get(f"{own}inc", 0) / 1000, left[play.mover])
    reserves = tuple(max(0.0, round(seconds - increment, 3)) for seconds in left)
    control = TimeControl(increment, max(1, math.ceil(max(left))))
    nothing = (0.0,) * len(players)
    return Clock(control, reserves, nothing, (0,) * len(players))


def format_go(play: Play, limits: Limits) -> str:
    """Return the ``go`` command for limits.

    >>> from trine.core.clock import parse_time_control
    >>> from trine.games import new_play
    >>> clock = Clock.start(parse_time_control("5+3"), 2)
    >>> format_go(new_play("corridor"), Limits(clock=clock, depth=8))
    'go p1time 303000 p2time 303000 p1inc 3000 p2inc 3000 depth 8'
    """
    words = ["go"]
    clock = limits.clock
    if clock and time_limit(play, Limits(clock=clock)) is not None:
        players = range(len(play.position.seats))
        setup = play.room.sets_up_whole(play.turn_start)
        for player in players:
            used = limits.used if player == play.mover else 0.0
            left = min(clock.left(player, setup=setup), clock.game_left()) - used
            words.append(f"p{player + 1}time {_milliseconds(left)}")
        gain = round(clock.control.move * clock.control.percent * 10)
        words += [f"p{player + 1}inc {gain}" for player in players]
    if limits.hard is not None:
        words.append(f"movetime {_milliseconds(limits.hard - limits.used)}")
    words += [f"depth {limits.depth}"] if limits.depth else []
    words += [f"nodes {limits.nodes}"] if limits.nodes else []
    return " ".join(words)


def _milliseconds(seconds: float) -> int:
    return max(1, int(seconds * 1000))
