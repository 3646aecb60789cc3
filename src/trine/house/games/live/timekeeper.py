"""Time in games: lag compensation, timers, and the timekeeper of each game.

A timekeeper decides when a clock runs out, when absent players lose, and when the game can be
unloaded. Lag is the network's share of a player's time: measured here, and refunded within a quota.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from trine.house.background import Now
from trine.house.games.live.commands import CommandContext, lose_by_no_show, lose_on_time
from trine.house.games.live.live_game import Change, LiveGame
from trine.house.games.storage.tables import SeatKind
from trine.house.games.view.snapshot import Attendance, Audience, wanted_by

IDLE_TIMEOUT: Final = 60.0  # seconds; how long a game without watchers stays in memory
RETURN_GRACE: Final = 20.0
"""Units: seconds; how long a clock, paused by a downtime, waits for the mover's return."""
MIN_CHECK_INTERVAL: Final = 0.02  # seconds; the shortest interval between two checks of a game
FLAG_GRACE: Final = 0.05
"""Units: seconds; the time from a deadline until the house checks the clock. Guess."""
MAX_WAIT: Final = 10.0
"""Units: seconds; how long after a deadline a message that came in time may still wait. Guess."""
MAX_QUOTA: Final = 1.0  # seconds; the maximum lag quota of a player. Guess
QUOTA_GAIN: Final = 0.1  # seconds; the growth of the quota by each turn. Guess
MAX_REFUND: Final = 0.5  # seconds; the maximum refund for a turn. Guess
SMOOTHING: Final = 0.3  # the weight of the newest measurement in the running mean. Guess


@dataclass
class Lag:
    """The lag of a player, and the rest of the player's refund quota.

    >>> lag = Lag()
    >>> lag.add(0.2)
    >>> lag.refund(), round(lag.quota, 3)
    (0.2, 0.9)
    """

    round_trip: float = 0.0  # seconds; the exponentially smoothed round-trip time
    quota: float = MAX_QUOTA
    measured: bool = False

    def add(self, seconds: float) -> None:
        if not self.measured:
            self.round_trip, self.measured = seconds, True
        else:
            self.round_trip += SMOOTHING * (seconds - self.round_trip)

    @property
    def compensation(self) -> float:
        """Units: seconds; the refund for a turn that arrives now."""
        return min(self.round_trip, self.quota, MAX_REFUND)

    def refund(self) -> float:
        """Return the refund for a turn; deduct it from the quota, which then grows a little."""
        refund = self.compensation
        self.quota = min(MAX_QUOTA, self.quota - refund + QUOTA_GAIN)
        return refund


class Timers:
    """Timers, one for each key, that call a function at times by the clock of the house."""

    def __init__(self, now: Now, call: Callable[[str], None]) -> None:
        self._now, self._call = now, call
        self._timers: dict[str, tuple[float, asyncio.TimerHandle]] = {}

    def __len__(self) -> int:
        return len(self._timers)

    def set(self, key: str, at: float | None) -> None:
        """Set the time of a key's call; None cancels it."""
        if known := self._timers.pop(key, None):
            known[1].cancel()
        if at is not None:
            wait = max(0.0, at - self._now())
            timer = asyncio.get_running_loop().call_later(wait, self._ring, key)
            self._timers[key] = at, timer

    def recheck(self) -> None:
        """Restart all timers, because the clock has jumped."""
        for key, (at, _) in list(self._timers.items()):
            self.set(key, at)

    def _ring(self, key: str) -> None:
        at, _ = self._timers.pop(key)
        if self._now() < at:  # the loop rounds its time, and its clock may differ from the house's
            self.set(key, at)
        else:
            self._call(key)


def waits_to_be_seen(game: LiveGame) -> bool:
    """Return whether bots pause while no page shows their game: nothing depends on its end."""
    agreed = game.agreement
    return not (game.people or agreed.clock or agreed.tournament)


class Timekeeper:
    """Schedules the checks of a game, and decides what each check does."""

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
        """The time limit for players to come; None once all have come."""
        self._waking: float | None = None
        """The time when the clock resumes even if the player to move has not returned."""

    @property
    def waits(self) -> bool:
        """Whether the clock is paused until players return after a downtime."""
        return self._waking is not None

    def wait(self, game: LiveGame, now: float) -> None:
        """Begin to wait for players, who may not know yet that the house is open again."""
        self._waking = now + RETURN_GRACE
        for seat in game.people:
            self._attendance.miss(seat, now)

    def resume(self, game: LiveGame, now: float) -> None:
        """Continue a game that this process had unloaded.

        The time limit for players to come no longer applies, and no player has a page open now.
        """
        self._wanted = None
        for seat in game.people:
            self._attendance.miss(seat, now)

    def stops_waiting(self, game: LiveGame, now: float, *, at_once: bool = False) -> bool:
        """Return whether the clock can restart now; if so, stop waiting for players."""
        if self._waking is None or not game.state:
            return False
        here = self._attendance.is_here(game.state.play.mover)
        if not (at_once or here or now >= self._waking):
            return False
        self._waking = None
        return True

    def next(self, game: LiveGame, now: float) -> float | None:
        """Return the time of the next check of the game; None if none is needed."""
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
        # Never now: what is already due is being handled.
        return max(min(moments), now + MIN_CHECK_INTERVAL) if moments else None

    def lose_on_time(self, game: LiveGame, context: CommandContext) -> Change | None:
        if self.waits or self._is_behind(game, context):
            return None
        missing = self._missing(game) if self._wanted is not None else set()
        return lose_on_time(game, context, missing)

    def _is_behind(self, game: LiveGame, context: CommandContext) -> bool:
        """Return whether a message of the player to move, such as a turn, came in time and waits.

        A message is not waited for longer than `MAX_WAIT` past the deadline, because a client
        could keep the house waiting on purpose.
        """
        state = game.state
        if state is None or state.deadline is None or context.at > state.deadline + MAX_WAIT:
            return False
        mover = state.play.mover
        if not state.time_is_up(context.at, context.lags[mover]):  # nothing is lost: ask no watcher
            return False
        waited = self._audience.waited(game.seats[mover].person)
        return not state.time_is_up(context.at - waited, context.lags[mover])

    def no_show(self, game: LiveGame, context: CommandContext) -> Change | None:
        """In a tournament, end the game as lost by players who have not come in time."""
        if self._wanted is None or self.waits or not game.runs or context.at < self._wanted:
            return None
        if not (missing := self._missing(game)):
            self._wanted = None  # every player has come, or has played
            return None
        return lose_by_no_show(game, context, missing)

    def _missing(self, game: LiveGame) -> set[int]:
        """Return the seats of people who have neither opened the game nor played in it."""
        turns = game.state.play.turns if game.state else ()
        played = {turn.before.mover for turn in turns}
        away = (seat for seat in game.people if not self._attendance.has_come(seat))
        return set(away) - played

    def is_idle(self, game: LiveGame, now: float) -> bool:
        """Return whether the game has been unused for long enough to be unloaded."""
        leaves = self._leaves_at(game)
        return leaves is not None and now >= leaves

    def unload(self, game: LiveGame, now: float) -> None:
        """Unload the game soon, if no page shows it."""
        if not self._audience and self._may_leave_memory(game):
            self._audience.idle_from = now - IDLE_TIMEOUT

    def _leaves_at(self, game: LiveGame) -> float | None:
        """Return the time when the game can be unloaded; None while it is in use.

        It stays loaded if its clock runs out soon after that time.
        """
        if self._audience or not self._may_leave_memory(game):
            return None
        leaves = self._audience.idle_from + IDLE_TIMEOUT
        ends = game.state and game.runs and not game.agreement.claimed_time
        deadline = game.state.deadline if game.state and ends else None
        return None if deadline is not None and deadline < leaves + IDLE_TIMEOUT else leaves

    def _may_leave_memory(self, game: LiveGame) -> bool:
        """Return whether the game waits only for a turn, or for the end of the time for it."""
        state = game.state
        if not state or not game.runs:
            return True
        thinks = game.seats[state.play.mover].kind is SeatKind.BOT and not waits_to_be_seen(game)
        return not (thinks or self.waits or self._wanted is not None)

    def claimable(self, game: LiveGame, now: float) -> frozenset[int]:
        state = game.state
        if not state or not game.runs:
            return frozenset()
        if game.agreement.claimed_time:
            return frozenset({state.play.mover} if state.time_is_up(now) else ())
        froms = {seat: self._attendance.claimable_from(seat) for seat in game.people}
        return frozenset(seat for seat, at in froms.items() if at is not None and at <= now)
