"""The turns of the bots of a game."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from trine.house.drafts import read_draft
from trine.session import commands
from trine.store.seat_rows import SeatKind

if TYPE_CHECKING:
    from trine.house.table import Table

BOT_PATIENCE: Final = 5.0
"""Units: seconds; after so long a bot that has failed is asked again."""
AMONG_BOTS: Final = 2.0
"""Units: seconds; so long the bots of a game without people wait before they play."""
AT_SHOW: Final = 3.5
"""The same where they play only to be looked at."""


class BotTurns:
    """The turns that bots play at one table, each asked for once."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._asked_at = -1
        """The event at which a bot was last asked to think."""

    def ask(self) -> None:
        """Let a bot think, if one is to move and does not think already."""
        table = self._table
        game = table.game
        if not game or not table.runs() or table.closing:
            return
        seat = table.seats[game.play.mover]
        if seat.kind is not SeatKind.BOT or game.state.paused is not None:
            return
        if self._asked_at == table.turn_seq or (table.agreement.show and not table.watching):
            return
        self._asked_at = table.turn_seq
        asyncio.create_task(self._think(seat.name, table.turn_seq))  # noqa: RUF006

    async def _think(self, bot: str, turn_seq: int) -> None:
        table = self._table
        game = table.game
        assert game
        try:
            ids = await table.house.bots.choose(
                table.id,
                bot,
                tuple(game.journal.entries),
                game.elapsed,
                lambda: turn_seq == table.turn_seq,
            )
        except Exception as error:  # nobody forfeits by it: it is asked again
            table.house.report("a bot failed", error, game=table.id)
            await asyncio.sleep(BOT_PATIENCE)
            table.post(self._ask_again)
            return
        if ids is None or turn_seq != table.turn_seq:
            return
        if not table.people():  # so that it can be watched
            await asyncio.sleep(AT_SHOW if table.agreement.show else AMONG_BOTS)

        async def work() -> None:
            if turn_seq != table.turn_seq or not table.runs():
                return
            game = table.running()
            if game.state.paused is not None:
                self._asked_at = -1  # it is asked again when the pause is over
                return
            line = read_draft(game.play, ids)
            await table.commit(game.prepare(commands.Act(line, game.play.mover)))

        table.post(lambda: table.queue_own(work))

    def _ask_again(self) -> None:
        self._asked_at = -1
        self.ask()
