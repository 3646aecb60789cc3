"""The part of a table for games by correspondence: downtimes given back, deadlines, reminders."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from trine.house.correspondence import REMINDER, falls_due, next_reminder, spent_without
from trine.house.notices import Told
from trine.session import commands
from trine.store.notices import note

if TYPE_CHECKING:
    from trine.house.table import Table


class ByDays:
    """The part of a table that is for games whose turns have days."""

    def __init__(self, table: Table) -> None:
        self._table = table

    async def refund(self) -> None:
        """Give back what the house has missed of the open turn; for the queue of the table."""
        table = self._table
        game = table.running()
        after = table.house.store.downtimes_after
        downtimes = await asyncio.to_thread(after, game.state.at)
        spent = spent_without(game.state, downtimes, game.moment())
        if spent is not None:
            await table.commit(game.prepare(commands.Resume(spent)))

    async def judge(self) -> None:
        """See to a deadline that has been found to be over, unless it is not."""
        table = self._table

        async def work() -> None:
            await table.time.check_clock()
            if table.game and table.runs():
                due = falls_due(table.agreement, table.seats, table.game.state)
                await self._set_due(due)
            table.time.rest()

        await table.do(work)

    async def remind(self) -> None:
        """Tell the player to move that time runs short."""
        table = self._table

        async def work() -> None:
            if (game := table.game) and table.runs():
                now, mover = table.house.now(), table.seats[game.play.mover].person
                if mover:
                    await asyncio.wrap_future(
                        table.house.store.write(
                            note, person=mover, about=table.id, kind=Told.REMINDER, at=now
                        )
                    )
                await self._set_due({REMINDER: next_reminder(game.state, now)})
            table.time.rest()

        await table.do(work)

    async def _set_due(self, due: Mapping[str, float | None]) -> None:
        table = self._table
        for kind, at in due.items():
            await asyncio.wrap_future(table.house.store.set_due(kind, table.id, at))
