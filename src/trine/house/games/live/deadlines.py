"""Deadlines of a game in memory: recovery after a downtime, stored deadlines and reminders."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from trine.house.games.live import commands
from trine.house.games.live.change_hooks import DEADLINE, REMINDER, falls_due, next_reminder
from trine.house.games.storage.tables import downtimes_after
from trine.house.store.scheduled_tasks import reschedule

if TYPE_CHECKING:
    from trine.house.games.live.game_actor import GameActor


async def resume_after_downtime(host: GameActor, alive: float | None) -> None:
    """Pause the clock until players return, after the house was closed, stopped or crashed.

    The time since the last heartbeat, ``alive``, is not charged to any player. The caller runs this
    within a queued write.
    """
    state = host.game.state
    if not state or not host.game.runs or not state.clock or state.by_consent:
        return
    if host.agreement.by_days:
        downtimes = await host.dependencies.store.fetch(downtimes_after, state.at)
        await host.do_held(partial(commands.refund, downtimes=downtimes))
        return
    await host.do_held(partial(commands.pause_for_downtime, alive=alive))
    host.time.wait(host.game, host.now())
    host.show()


async def resume_clock(host: GameActor) -> None:
    """Resume a reloaded game whose clock has been running: delete its stored deadline."""
    await host.dependencies.store.commit(reschedule, {(DEADLINE, host.id): None})
    host.time.resume(host.game, host.now())


async def check_deadlines(host: GameActor) -> None:
    """Check a game whose stored deadline has passed; end it if time is really up."""

    async def work() -> None:
        await host.do_held(host.time.lose_on_time)
        if (state := host.game.state) and host.game.runs:
            due = falls_due(host.game)
            if state.time_is_up(host.now()):  # true; the opponents decide whether to claim
                due[DEADLINE] = None
            await _set_due(host, due)
        host.unload()

    await host.queue.write(work)


async def remind(host: GameActor) -> None:
    async def work() -> None:
        if (state := host.game.state) and host.game.runs:
            now, mover = host.now(), host.game.seats[state.play.mover].person
            if mover:
                await host.dependencies.store.commit(
                    host.dependencies.reminder(mover, host.id, now)
                )
            await _set_due(host, {REMINDER: next_reminder(state, now)})
        host.unload()

    await host.queue.write(work)


async def _set_due(host: GameActor, due: Mapping[str, float | None]) -> None:
    times = {(kind, host.id): at for kind, at in due.items()}
    await host.dependencies.store.commit(reschedule, times)
