"""Bots of a house whose turns may be thought about by workers in other processes.

Nobody depends on those: a turn waits for a worker here as well, and is thought about where one is
free first. Where a worker elsewhere has died it is thought about here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from trine import __version__
from trine.house.bots import Bots
from trine.session.entries import Entry
from trine.store.refusals import StoreError
from trine.store.store import Store

LOOK: Final = 0.1
"""Units: seconds; so often one looks for an answer. Guess."""
PATIENCE: Final = 30.0
"""Units: seconds; who thinks for longer than this, elsewhere, has died. Guess."""
COUNTED: Final = 3.0
"""Units: seconds; the workers elsewhere are counted no more often."""


class SharedBots(Bots):
    """Workers here, and those in other processes that take jobs from the store."""

    def __init__(self, store: Store, workers: int | None = None) -> None:
        super().__init__(workers)
        self._store = store
        self._counted, self._elsewhere = 0.0, 0
        self.given_away = 0
        """Turns that were thought about elsewhere, for metrics."""

    async def choose(
        self,
        game: str,
        bot: str,
        entries: Sequence[Entry],
        elapsed: float,
        wanted: Callable[[], bool],
    ) -> tuple[str, ...] | None:
        """The rest of the turn that a bot plays; None where nobody wanted it any more."""
        if self.is_full and await self._has_others():
            with suppress(StoreError):
                return await self._choose_anywhere(game, bot, entries, elapsed, wanted)
        return await super().choose(game, bot, entries, elapsed, wanted)

    async def _has_others(self) -> bool:
        now = asyncio.get_running_loop().time()
        if now - self._counted > COUNTED:
            self._counted = now
            with suppress(StoreError):
                self._elsewhere = await asyncio.to_thread(self._store.jobs.count_workers)
        return self._elsewhere > 0

    async def _choose_anywhere(
        self,
        game: str,
        bot: str,
        entries: Sequence[Entry],
        elapsed: float,
        wanted: Callable[[], bool],
    ) -> tuple[str, ...] | None:
        store = self._store
        offered = store.jobs.offer(game, len(entries), bot, elapsed, __version__)
        job = (await asyncio.wrap_future(offered)).id
        taken = asyncio.Event()
        here = asyncio.create_task(
            super().choose(game, bot, entries, elapsed, lambda: wanted() and not taken.is_set())
        )
        there = asyncio.create_task(self._answered(job, taken))
        try:
            await asyncio.wait({here, there}, return_when=asyncio.FIRST_COMPLETED)
            if here.done() and (not taken.is_set() or here.result() is not None or not wanted()):
                return here.result()
            answer = await there
            if answer:
                self.given_away += 1
                return answer
            taken.clear()
            if not here.done() or here.result() is not None:
                return await here
            return await super().choose(game, bot, entries, elapsed, wanted)
        finally:
            here.cancel()
            there.cancel()
            with suppress(StoreError):
                store.jobs.withdraw(job)

    async def _answered(self, job: str, taken: asyncio.Event) -> tuple[str, ...]:
        """The answer from elsewhere; empty where there will be none."""
        until = asyncio.get_running_loop().time() + PATIENCE
        while asyncio.get_running_loop().time() < until:
            await asyncio.sleep(LOOK)
            state = (await asyncio.to_thread(self._store.jobs.states, [job])).get(job)
            if state is None:
                return ()
            if state.taken:
                taken.set()
            if state.answer is not None:
                return state.answer
        return ()
