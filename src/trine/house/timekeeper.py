"""Time at a table: clocks that run out, players who do not come, and a table that nobody needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from trine.house import no_show
from trine.session import commands
from trine.store.seat_rows import SeatKind

if TYPE_CHECKING:
    from trine.house.table import Table

IDLE: Final = 60.0
"""Units: seconds; so long a game stays in memory when nobody is there."""
WAKING: Final = 20.0
"""Units: seconds; so long the player to move is waited for after the house was closed."""
SOON: Final = 0.02
"""Units: seconds; no game is looked at more often than that."""
FLAG_GRACE: Final = 0.05
"""Units: seconds; so much later the house itself looks at a clock. Guess."""


class Timekeeper:
    """The part of a table that knows when something falls due there, and sees to it."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._wanted = no_show.wanted_by(table.agreement, table.house.now())
        self._waking: float | None = None
        """Until when players are waited for before time goes on."""

    @property
    def waits(self) -> bool:
        """Whether time stands still for players who have yet to come back."""
        return self._waking is not None

    # --- after the house was closed ---------------------------------------------------------------

    async def wake(self, alive: float | None) -> None:
        """Begin to wait for players, after the house was closed or broke down.

        No time has passed for anybody since the house was last known to be at work.

        Args: ``alive`` is that moment.
        """
        table = self._table

        async def work() -> None:
            game = table.game
            if not game or not table.runs() or not game.clock or game.state.by_consent:
                return
            if table.agreement.by_days:
                await table.by_days.refund()
                return
            if game.state.paused is None:
                at = min(max(alive or 0.0, game.state.at), game.moment())
                await table.commit(game.prepare(commands.Pause(), at))
            self._waking = table.house.now() + WAKING
            for seat in table.people():
                table.attendance.miss(seat, table.house.now())
            table.show()

        await table.do(work)

    async def go_on(self, *, now: bool = False) -> None:
        """Let time go on, if it stands still only for who was waited for."""
        table, game = self._table, self._table.game
        if self._waking is None or not game:
            return
        here = table.attendance.is_here(game.play.mover)
        if now or here or table.house.now() >= self._waking:
            self._waking = None
            if game.state.paused is not None and not game.state.by_consent and not game.over:
                await table.commit(game.prepare(commands.Resume()))
            else:
                table.show()

    # --- deadlines --------------------------------------------------------------------------------

    def plan(self) -> None:
        """See to it that the game is looked at when something falls due."""
        self._table.house.deadlines.set(self._table.id, self._next())

    def _next(self) -> float | None:
        table, game = self._table, self._table.game
        moments = []
        if not table.audience and self._may_leave_memory():
            moments.append(table.audience.idle_from + IDLE)
        now = table.house.now()
        if game and table.runs():
            if self._waking is not None:
                moments.append(self._waking)
            elif (deadline := game.state.deadline) is not None:
                lag = table.lags[game.play.mover].compensation
                moments.append(deadline + lag + FLAG_GRACE)
            if self._wanted is not None and self._missing():
                moments.append(self._wanted)
            for seat in table.people():
                at = table.attendance.claimable_from(seat)
                if at is not None and at > now:
                    moments.append(at)
        # Never at once: whatever is due already is being seen to.
        return max(min(moments), now + SOON) if moments else None

    def tick(self) -> None:
        """A deadline of the game has come."""
        if not self._table.closing:
            self._table.post(self._tick)

    def _tick(self) -> None:
        table = self._table
        idle = not table.audience and table.house.now() >= table.audience.idle_from + IDLE
        if idle and self._may_leave_memory() and not table.busy:
            table.house.forget(table.id)
            return

        async def work() -> None:
            await self.go_on()
            await self._check_missing()
            await self.check_clock()

        if table.runs() and not table.busy:
            table.queue_own(work)
        table.show_time()

    # --- memory -----------------------------------------------------------------------------------

    def rest(self) -> None:
        """Leave memory soon, if nobody looks."""
        table = self._table
        if not table.audience and self._may_leave_memory():
            table.audience.idle_from = table.house.now() - IDLE
            self.plan()

    def _may_leave_memory(self) -> bool:
        table, game = self._table, self._table.game
        if not game or not table.runs():
            return True
        bot = table.seats[game.play.mover].kind is SeatKind.BOT and not table.agreement.show
        ticks = game.clock is not None and not table.agreement.by_days
        runs = ticks and (game.state.paused is None or self.waits)
        return not (runs or bot)

    # --- clocks -----------------------------------------------------------------------------------

    async def check_clock(self) -> None:
        """Let the player to move lose whose time is up; for the queue of the table."""
        table, game = self._table, self._table.game
        if not game or not table.runs() or self.waits:
            return
        grace = table.lags[game.play.mover].compensation
        moment = game.moment()
        if not game.state.time_is_up(moment, grace):
            return
        if not game.play.turns:
            away = self._missing() if self._wanted is not None else set()
            await table.break_off({*away, game.play.mover})
            return
        game.grace = grace
        await table.commit(game.prepare(commands.Flag(), moment))

    # --- players who do not come ------------------------------------------------------------------

    def _missing(self) -> set[int]:
        """The seats of people who have not come to the game, nor played in it."""
        table = self._table
        assert table.game
        played = {turn.before.mover for turn in table.game.play.turns}
        away = (seat for seat in table.people() if not table.attendance.has_come(seat))
        return set(away) - played

    async def _check_missing(self) -> None:
        """In a tournament, have those lose who have not come in time."""
        table, game = self._table, self._table.game
        if self._wanted is None or self.waits or not game or not table.runs():
            return
        if table.house.now() < self._wanted:
            return
        if not (missing := self._missing()):
            self._wanted = None  # everybody has come, or has played
            return
        if not game.play.turns:
            await table.break_off(missing)
            return
        await table.commit(game.prepare(commands.Forfeit(min(missing), no_show.WHY)))

    def stop_waiting(self) -> None:
        """Wait for nobody any more."""
        self._wanted = None
