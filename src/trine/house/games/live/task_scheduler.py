"""The scheduler of due tasks, such as deadlines of unloaded games, and crash recovery.

A correspondence game is loaded only while a page shows it; its deadlines are rows, stored with each
turn. Games whose clocks were running are resumed after the house was closed or stopped, or after
the loss of another process.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Final

from trine.house.background import Background, Report
from trine.house.games.live.actor_requests import check_deadlines, remind, resume_after_downtime
from trine.house.games.live.change_hooks import DEADLINE, REMINDER
from trine.house.games.live.game_actor import GameActor
from trine.house.games.live.games import Games
from trine.house.games.storage.tables import Stage
from trine.house.store.scheduled_tasks import schedule, tasks_due
from trine.house.store.store import Store

LEADER: Final = "correspondence"  # name of the leader, the one process that runs the due tasks
POLL_INTERVAL: Final = 5.0
BATCH_SIZE: Final = 16  # number of tasks run at once, so that their writes share commits. Guess
RETRY_DELAY: Final = 600.0  # seconds; the delay before a failed task is tried again
LOAD_BATCH: Final = 64
"""The number of games resumed at once, so that they share queries and commits. Guess."""
TaskHandler = Callable[[str], Awaitable[None]]


class TaskScheduler:
    """Runs due tasks: the deadlines and reminders of games, and tasks of the kinds in ``also``."""

    def __init__(
        self, store: Store, report: Report, games: Games, also: Mapping[str, TaskHandler]
    ) -> None:
        self._store, self._report = store, report
        self._games = games
        self.kinds: Final = {DEADLINE: self._end, REMINDER: self._remind, **also}
        self._ticking = {kind: asyncio.Lock() for kind in self.kinds}

    async def tick(self, *kinds: str) -> None:
        """Run the due tasks of some kinds, or of all; the kinds run concurrently."""
        await asyncio.gather(*(self._all(kind) for kind in kinds or self.kinds))

    async def _all(self, kind: str) -> None:
        async with self._ticking[kind]:  # no task runs twice at once
            while await self._some(kind, self.kinds[kind]):
                pass

    async def _some(self, kind: str, see_to: TaskHandler) -> bool:
        now = self._store.now()
        due = await self._store.fetch(tasks_due, kind, now, BATCH_SIZE)

        async def try_one(ref: str) -> None:
            try:
                await see_to(ref)
            except Exception as error:  # the other due tasks go on
                self._report("what is due could not be seen to", error, kind=kind, ref=ref)
                await self._store.commit(schedule, kind, ref, now + RETRY_DELAY)

        await asyncio.gather(*(try_one(one.ref) for one in due))
        return len(due) == BATCH_SIZE

    async def _end(self, game_id: str) -> None:
        await check_deadlines(await self._games.actor(game_id, move=True))

    async def _remind(self, game_id: str) -> None:
        await remind(await self._games.actor(game_id, move=True))


class Recovery:
    """The recovery of games with running clocks."""

    def __init__(self, games: Games, background: Background) -> None:
        self._games, self._background = games, background
        self.done: Final = asyncio.Event()
        """Set once all games whose clocks were running have been resumed."""

    async def resume(self, games: Sequence[str]) -> None:
        """Load games; their clocks resume as after a downtime."""
        for first in range(0, len(games), LOAD_BATCH):
            failed = await self._games.load_all(games[first : first + LOAD_BATCH])
            for game, error in failed.items():
                self._background.report("a game could not be resumed", error, game=game)
        self.done.set()

    async def adopt(self, taken: Mapping[str, float | None]) -> None:
        """Resume games of lost processes; ``taken`` has each game's last heartbeat, by game."""
        for game, alive in taken.items():
            self._games.adopt(game, alive)
        await self.resume(list(taken))

    async def wake(self, last_heartbeat: float | None) -> None:
        """Resume the games in memory, except lost ones, after the process stopped for a while."""
        self._games.stood_still(last_heartbeat)
        lost = asyncio.ensure_future(self._games.forget_lost())

        async def resume(actor: GameActor) -> None:
            await lost
            if self._games.loaded(actor.id) is actor and actor.snapshot.stage is Stage.PLAYING:
                await resume_after_downtime(actor, last_heartbeat)

        for actor in self._games.actors:  # queued before any other command
            actor.queue.write_later(partial(resume, actor))
        self._games.timers.recheck()
        await lost

    def doubt(self) -> None:
        """Check in the database whether other processes have taken games, and unload those."""
        if self._games.actors:
            self._background.run(self._games.forget_lost, "games played elsewhere by now")
