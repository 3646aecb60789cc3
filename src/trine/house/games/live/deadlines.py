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


async def resume_after_downtime(actor: GameActor, last_heartbeat: float | None) -> None:
    """Pause the clock until players return, after the house was closed, stopped or crashed.

    The time since the last heartbeat is not charged to any player. The caller runs this within a
    queued write.
    """
    state = actor.game.state
    if not state or not actor.game.runs or not state.clock or state.by_consent:
        return
    if actor.agreement.by_days:
        downtimes = await actor.dependencies.store.fetch(downtimes_after, state.at)
        await actor.do_held(partial(commands.refund, downtimes=downtimes))
        return
    await actor.do_held(partial(commands.pause_for_downtime, last_heartbeat=last_heartbeat))
    actor.time.wait(actor.game, actor.now())
    actor.show()


async def resume_clock(actor: GameActor) -> None:
    """Resume a reloaded game whose clock has been running: delete its stored deadline."""
    await actor.dependencies.store.commit(reschedule, {(DEADLINE, actor.id): None})
    actor.time.resume(actor.game, actor.now())


async def check_deadlines(actor: GameActor) -> None:
    """Check a game whose stored deadline has passed; end it if time is really up."""

    async def work() -> None:
        await actor.do_held(actor.time.lose_on_time)
        if (state := actor.game.state) and actor.game.runs:
            due = falls_due(actor.game)
            if state.time_is_up(actor.now()):  # true; the opponents decide whether to claim
                due[DEADLINE] = None
            await _set_due(actor, due)
        actor.unload()

    await actor.queue.write(work)


async def remind(actor: GameActor) -> None:
    async def work() -> None:
        if (state := actor.game.state) and actor.game.runs:
            now, mover = actor.now(), actor.game.seats[state.play.mover].person
            if mover:
                await actor.dependencies.store.commit(
                    actor.dependencies.reminder(mover, actor.id, now)
                )
            await _set_due(actor, {REMINDER: next_reminder(state, now)})
        actor.unload()

    await actor.queue.write(work)


async def _set_due(actor: GameActor, due: Mapping[str, float | None]) -> None:
    times = {(kind, actor.id): at for kind, at in due.items()}
    await actor.dependencies.store.commit(reschedule, times)
