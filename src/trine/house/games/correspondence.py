"""The care for games that nobody looks at: what falls due by correspondence, and recovery.

A game by correspondence is in memory only while somebody looks at it; its deadlines are rows,
written with each turn. Games whose clocks ran are gone on with after the house was closed, stood
still, or lost another process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Final

from trine.house.background import Background, Report
from trine.house.games.acting import judge, remind, wake
from trine.house.games.follows import DEADLINE, REMINDER
from trine.house.games.games import Games
from trine.house.games.host import Host
from trine.house.games.tables import Stage
from trine.house.store.scheduled_tasks import schedule, tasks_due
from trine.house.store.store import Store

LEADER: Final = "correspondence"
"""The name of the leader that handles deadlines, one of several processes."""
LOOKS: Final = 5.0
"""Units: seconds; the interval of looking for due deadlines."""
TOGETHER: Final = 16
"""The number of games handled at once, so that their writes share commits. Guess."""
PUT_OFF: Final = 600.0
"""Units: seconds; the wait before a failed deadline is tried again."""
LOADED_AT_ONCE: Final = 16
"""The number of games resumed at once, so that their writes share commits. Guess."""
SeeTo = Callable[[str], Awaitable[None]]


class Correspondence:
    """Sees to what falls due in games that take days.

    Args: ``also`` is by kind what else falls due, and who sees to it.
    """

    def __init__(
        self, store: Store, report: Report, games: Games, also: Mapping[str, SeeTo]
    ) -> None:
        self._store, self._report = store, report
        self._games = games
        self.kinds: Final = {DEADLINE: self._end, REMINDER: self._remind, **also}
        self._ticking = {kind: asyncio.Lock() for kind in self.kinds}

    async def tick(self, *kinds: str) -> None:
        """See to what is due of some kinds, or of all; none waits for another."""
        await asyncio.gather(*(self._all(kind) for kind in kinds or self.kinds))

    async def _all(self, kind: str) -> None:
        async with self._ticking[kind]:  # nothing is seen to twice
            while await self._some(kind, self.kinds[kind]):
                pass

    async def _some(self, kind: str, see_to: SeeTo) -> bool:
        now = self._store.now()
        due = await self._store.fetch(tasks_due, kind, now, TOGETHER)

        async def try_one(ref: str) -> None:
            try:
                await see_to(ref)
            except Exception as error:  # it holds up nothing else that is due
                self._report("what is due could not be seen to", error, kind=kind, ref=ref)
                await self._store.commit(schedule, kind, ref, now + PUT_OFF)

        await asyncio.gather(*(try_one(one.ref) for one in due))
        return len(due) == TOGETHER

    async def _end(self, game: str) -> None:
        await judge(await self._games.host(game, move=True))

    async def _remind(self, game: str) -> None:
        await remind(await self._games.host(game, move=True))


class Recovery:
    """The recovery of games with running clocks."""

    def __init__(self, games: Games, background: Background) -> None:
        self._games, self._background = games, background
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
                    self._background.report("a game could not be gone on with", error, game=game)

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
            host.queue.write_later(partial(go_on, host))
        self._games.timers.look_again()
        await lost

    def doubt(self) -> None:
        """Check whether a game was taken without notice."""
        if self._games.hosts:
            self._background.run(self._games.forget_lost, "games played elsewhere by now")
