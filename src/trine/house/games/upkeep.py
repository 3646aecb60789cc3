"""The care for a game in memory that the store asks for: after a stop, at a deadline, to remind."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from trine.house.games import commands
from trine.house.games.follows import DEADLINE, REMINDER, falls_due, next_reminder
from trine.house.games.host import Host
from trine.house.games.tables import downtimes_after
from trine.house.store.deadlines import change as change_deadlines


async def wake(host: Host, alive: float | None) -> None:
    """Begin to wait for players, after the house was closed, stopped or broke down.

    No player's time has passed since the last sign of life of the house. The game is held.

    Args: ``alive`` is that moment.
    """
    state = host.game.state
    if not state or not host.game.runs or not state.clock or state.by_consent:
        return
    if host.agreement.by_days:
        downtimes = await host.around.store.fetch(downtimes_after, state.at)
        await host.do_held(partial(commands.refund, downtimes=downtimes))
        return
    await host.do_held(partial(commands.stand_still, alive=alive))
    host.time.wait(host.game, host.around.now())
    host.show()


async def go_on(host: Host) -> None:
    """Have a game in memory again whose clock has run on meanwhile."""
    await host.around.store.commit(change_deadlines, {(DEADLINE, host.id): None})
    host.time.resume(host.game, host.around.now())


async def judge(host: Host) -> None:
    """Handle a deadline that seems to have passed, if it really has."""

    async def work() -> None:
        await host.do_held(host.time.run_out)
        if host.game.runs:
            await _set_due(host, falls_due(host.game))
        host.rest()

    await host.hold(work)


async def remind(host: Host) -> None:
    """Remind the player to move that time runs short."""

    async def work() -> None:
        if (state := host.game.state) and host.game.runs:
            now, mover = host.around.now(), host.game.seats[state.play.mover].person
            if mover:
                await host.around.store.commit(host.around.reminder(mover, host.id, now))
            await _set_due(host, {REMINDER: next_reminder(state, now)})
        host.rest()

    await host.hold(work)


async def _set_due(host: Host, due: Mapping[str, float | None]) -> None:
    times = {(kind, host.id): at for kind, at in due.items()}
    await host.around.store.commit(change_deadlines, times)
