"""The recovery of games after the house was closed, stood still, or lost another process."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from trine.house.background import Background, Report
from trine.house.games.games import Games
from trine.house.games.host import Host
from trine.house.games.tables import Stage
from trine.house.games.upkeep import wake

LOADED_AT_ONCE: Final = 16
"""The number of games resumed at once, so that their writes share commits. Guess."""


class Recovery:
    """The recovery of games with running clocks."""

    def __init__(self, games: Games, report: Report, background: Background) -> None:
        self._games, self._report, self._background = games, report, background
        self.done: Final = asyncio.Event()
        """Set when all games whose clocks were running have been gone on with."""

    async def go_on(self, games: Sequence[str]) -> None:
        """Load games; their clocks go on as after a downtime."""
        waiting = iter(games)

        async def some() -> None:
            for game in waiting:
                try:
                    await self._games.host(game)
                except Exception as error:  # it holds up no other
                    self._report("a game could not be gone on with", error, game=game)

        await asyncio.gather(*(some() for _ in range(LOADED_AT_ONCE)))
        self.done.set()

    async def adopt(self, taken: Mapping[str, float | None]) -> None:
        """Resume games that were taken from processes that are gone.

        Args: ``taken`` has, by game, the last sign of life of its process.
        """
        for game, alive in taken.items():
            self._games.adopt(game, alive)
        await self.go_on(list(taken))

    async def wake(self, alive: float | None) -> None:
        """Resume the games in memory after this process stood still, except those it lost.

        Args: ``alive`` is its last sign of life.
        """
        self._games.stood_still(alive)
        lost = asyncio.ensure_future(self._games.forget_lost())

        async def go_on(host: Host) -> None:
            await lost
            if self._games.loaded(host.id) is host and host.snapshot.stage is Stage.PLAYING:
                await wake(host, alive)

        for host in self._games.hosts:  # at once, before anything else is asked of them
            host.hold_later(partial(go_on, host))
        self._games.timers.look_again()
        await lost

    def doubt(self) -> None:
        """Check whether a game was taken without notice."""
        if self._games.hosts:
            self._background.run(self._games.forget_lost, "games played elsewhere by now")
