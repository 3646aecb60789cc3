"""The times of games: the lag of players, timers, and the timekeeper of each game.

A timekeeper knows when its clocks run out, who does not come, and when nobody needs it. Lag is the
network's share of a player's time: it is measured here, and refunded within a quota.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from trine.house.background import Now
from trine.house.games.commands import Moment, run_out, stay_away
from trine.house.games.live_game import Change, LiveGame
from trine.house.games.snapshot import Attendance, Audience, wanted_by
from trine.house.games.tables import SeatKind

IDLE: Final = 60.0
"""Units: seconds; how long a game stays in memory without watchers."""
WAKING: Final = 20.0
"""Units: seconds; the wait for the player to move after the house was closed."""
SOON: Final = 0.02
"""Units: seconds; the shortest interval between two checks of a game."""
FLAG_GRACE: Final = 0.05
"""Units: seconds; the delay of the house's own check of a clock. Guess."""
LARGEST_QUOTA: Final = 1.0
"""Units: seconds; the largest quota. Guess."""
QUOTA_GAIN: Final = 0.1
"""Units: seconds; the addition to the quota by each turn. Guess."""
LARGEST_REFUND: Final = 0.5
"""Units: seconds; the largest refund of a turn. Guess."""
SMOOTHING: Final = 0.3
"""The weight of the newest measurement in the mean. Guess."""


@dataclass
class Lag:
    """The lag of a player, and the rest of the quota.

    >>> lag = Lag()
    >>> lag.measure(0.2)
    >>> lag.refund(), round(lag.quota, 3)
    (0.2, 0.9)
    """

    round_trip: float = 0.0
    """Units: seconds; the smoothed mean of the round-trip time."""
    quota: float = LARGEST_QUOTA
    measured: bool = False

    def measure(self, seconds: float) -> None:
        """Record the round-trip time of a ping."""
        if not self.measured:
            self.round_trip, self.measured = seconds, True
        else:
            self.round_trip += SMOOTHING * (seconds - self.round_trip)

    @property
    def compensation(self) -> float:
        """Units: seconds; the refund of a turn that comes now."""
        return min(self.round_trip, self.quota, LARGEST_REFUND)

    def refund(self) -> float:
        """Return the refund of a turn, taken from the quota, which then grows a little."""
        refund = self.compensation
        self.quota = min(LARGEST_QUOTA, self.quota - refund + QUOTA_GAIN)
        return refund


class Timers:
    """The moments at which a function is called; each key has one moment, or none.

    Units: seconds since 1970, by the clock that the house goes by.
    """

    def __init__(self, now: Now, call: Callable[[str], None]) -> None:
        self._now, self._call = now, call
        self._timers: dict[str, tuple[float, asyncio.TimerHandle]] = {}

    def __len__(self) -> int:
        return len(self._timers)

    def set(self, key: str, at: float | None) -> None:
        """Set the moment of a key; None removes it."""
        if known := self._timers.pop(key, None):
            known[1].cancel()
        if at is not None:
            wait = max(0.0, at - self._now())
            timer = asyncio.get_running_loop().call_later(wait, self._ring, key)
            self._timers[key] = at, timer

    def look_again(self) -> None:
        """Look at the clock, which has jumped."""
        for key, (at, _) in list(self._timers.items()):
            self.set(key, at)

    def _ring(self, key: str) -> None:
        at, _ = self._timers.pop(key)
        if self._now() < at:  # the loop rounds its time, and the clock may be another one
            self.set(key, at)
        else:
            self._call(key)


def waits_to_be_seen(game: LiveGame) -> bool:
    """Whether bots play a game only while somebody watches: nothing else depends on its end."""
    agreed = game.agreement
    return not (game.people or agreed.clock or agreed.tournament)


class Timekeeper:
    """Knows when a game is to be looked at next, and what is to be done then."""

    def __init__(
        self,
        game: LiveGame,
        now: float,
        attendance: Attendance,
        audience: Audience,
        lags: Sequence[Lag],
    ) -> None:
        self._attendance, self._audience, self._lags = attendance, audience, lags
        self._wanted = wanted_by(game.agreement, now)
        """The moment by which players must have come; None once they have."""
        self._waking: float | None = None
        """Until when players are waited for before time goes on."""

    # --- after the house was closed ---------------------------------------------------------------

    @property
    def waits(self) -> bool:
        """Whether the clock stands still for players who have yet to come back."""
        return self._waking is not None

    def wait(self, game: LiveGame, now: float) -> None:
        """Begin to wait for players, who may not know yet that the house is open again."""
        self._waking = now + WAKING
        for seat in game.people:
            self._attendance.miss(seat, now)

    def resume(self, game: LiveGame, now: float) -> None:
        """Go on where the game left memory: everybody has come before, and nobody is here."""
        self._wanted = None
        for seat in game.people:
            self._attendance.miss(seat, now)

    def stops_waiting(self, game: LiveGame, now: float, *, at_once: bool = False) -> bool:
        """Whether time can go on now for which players were waited; then nobody is any more."""
        if self._waking is None or not game.state:
            return False
        here = self._attendance.is_here(game.state.play.mover)
        if not (at_once or here or now >= self._waking):
            return False
        self._waking = None
        return True

    # --- deadlines --------------------------------------------------------------------------------

    def next(self, game: LiveGame, now: float) -> float | None:
        """The moment at which the game is to be looked at; None where nothing falls due."""
        state, moments = game.state, []
        if (leaves := self._leaves_at(game)) is not None:
            moments.append(leaves)
        if state and game.runs:
            if self._waking is not None:
                moments.append(self._waking)
            elif (deadline := state.deadline) is not None:
                lag = self._lags[state.play.mover].compensation
                if not game.agreement.claimed_time or deadline > now:
                    moments.append(deadline + lag + FLAG_GRACE)
            if self._wanted is not None:
                moments.append(self._wanted)
            for seat in game.people:
                at = self._attendance.claimable_from(seat)
                if at is not None and at > now:
                    moments.append(at)
        # Never at once: whatever is due already is being seen to.
        return max(min(moments), now + SOON) if moments else None

    def run_out(self, game: LiveGame, moment: Moment) -> Change | None:
        missing = self._missing(game) if self._wanted is not None else set()
        return None if self.waits else run_out(game, moment, missing)

    def no_show(self, game: LiveGame, moment: Moment) -> Change | None:
        """In a tournament, let those lose who have not come in time."""
        if self._wanted is None or self.waits or not game.runs or moment.at < self._wanted:
            return None
        if not (missing := self._missing(game)):
            self._wanted = None  # everybody has come, or has played
            return None
        return stay_away(game, moment, missing)

    def _missing(self, game: LiveGame) -> set[int]:
        """Return the seats of people who have neither come to the game nor played in it."""
        turns = game.state.play.turns if game.state else ()
        played = {turn.before.mover for turn in turns}
        away = (seat for seat in game.people if not self._attendance.has_come(seat))
        return set(away) - played

    # --- memory -----------------------------------------------------------------------------------

    def is_idle(self, game: LiveGame, now: float) -> bool:
        """Whether nobody has needed the game for a while, so that it can leave memory."""
        leaves = self._leaves_at(game)
        return leaves is not None and now >= leaves

    def rest(self, game: LiveGame, now: float) -> None:
        """Have the game leave memory soon, if nobody looks."""
        if not self._audience and self._may_leave_memory(game):
            self._audience.idle_from = now - IDLE

    def _leaves_at(self, game: LiveGame) -> float | None:
        """The moment at which the game can leave memory; None while somebody or something needs it.

        A clock that runs out soon after is waited for.
        """
        if self._audience or not self._may_leave_memory(game):
            return None
        leaves = self._audience.idle_from + IDLE
        ends = game.state and game.runs and not game.agreement.claimed_time
        deadline = game.state.deadline if game.state and ends else None
        return None if deadline is not None and deadline < leaves + IDLE else leaves

    def _may_leave_memory(self, game: LiveGame) -> bool:
        """Whether nothing is awaited here but a turn, and the end of the time for it."""
        state = game.state
        if not state or not game.runs:
            return True
        thinks = game.seats[state.play.mover].kind is SeatKind.BOT and not waits_to_be_seen(game)
        return not (thinks or self.waits or self._wanted is not None)

    # --- who is there -----------------------------------------------------------------------------

    def claimable(self, game: LiveGame, now: float) -> frozenset[int]:
        state = game.state
        if not state or not game.runs:
            return frozenset()
        if game.agreement.claimed_time:
            return frozenset({state.play.mover} if state.time_is_up(now) else ())
        froms = {seat: self._attendance.claimable_from(seat) for seat in game.people}
        return frozenset(seat for seat, at in froms.items() if at is not None and at <= now)
