"""The thinking of a house: worker processes, and a queue in which live games come first.

The event loop never thinks. A worker that dies forfeits nothing: its job is done again by another.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import os
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from typing import Any, Final, TypeVar

from trine.core.pool import WorkerPool
from trine.engine.review import Worth
from trine.games import ROOMS
from trine.house import analyst, worker
from trine.house.analyst import ReviewPart, Thought
from trine.house.worker import Hint
from trine.session.entries import Entry

Result = TypeVar("Result")
MOST_TRIES: Final = 4
"""Attempts at a job whose worker dies; after them it may be the job that kills it."""


class Priority(IntEnum):
    """The order in which requests are thought about."""

    LIVE = 0
    ANALYSIS = 1
    REVIEW = 2
    WARMING = 3


@dataclass(order=True)
class _Job:
    priority: Priority
    number: int
    call: Callable[[], Any] = field(compare=False)
    answer: asyncio.Future[Any] = field(compare=False)
    wanted: Callable[[], bool] = field(compare=False)
    tries: int = field(default=0, compare=False)


class Bots:
    """The workers of a house, and what waits for them."""

    def __init__(self, workers: int | None = None) -> None:
        self._count = workers or max(1, (os.cpu_count() or 2) - 1)
        self._pool: WorkerPool | None = None
        self._waiting: list[_Job] = []
        self._numbers = itertools.count()
        self._busy = 0
        self._closed = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._warming: set[str] = set()
        self.died = 0
        """Workers that have died, for metrics."""

    @property
    def waiting(self) -> int:
        """Jobs that wait for a worker."""
        return len(self._waiting)

    @property
    def is_full(self) -> bool:
        """Whether one more job has to wait."""
        return self._busy >= self._count

    def warm(self) -> None:
        """Have each worker make ready for each game, when nothing else is to be done."""
        for game in ROOMS:
            self._warming.add(game)
            done = self._submit(Priority.WARMING, partial(worker.warm, game))
            done.add_done_callback(partial(self._warmed, game))

    def _warmed(self, game: str, _: asyncio.Future[Any]) -> None:
        self._warming.discard(game)

    def is_warm(self, game: str) -> bool:
        """Whether a worker can think about a game at once."""
        return game not in self._warming

    async def choose(
        self,
        game: str,
        bot: str,
        entries: Sequence[Entry],
        elapsed: float,
        wanted: Callable[[], bool],
    ) -> tuple[str, ...] | None:
        """The rest of the turn that a bot plays; None where nobody wanted it any more."""
        call = partial(worker.choose, game, bot, entries, elapsed)
        answer: tuple[str, ...] | None = await self._submit(Priority.LIVE, call, wanted)
        return answer

    async def hint(self, game: str, entries: Sequence[Entry], draft: Sequence[str]) -> Hint:
        """Return what the computer would play, and why."""
        call = partial(worker.hint, game, entries, draft)
        answer: Hint = await self._submit(Priority.ANALYSIS, call)
        return answer

    async def think(self, record: str, draft: Sequence[str], seconds: float, lines: int) -> Thought:
        """Think about the end of a record for some seconds."""
        call = partial(analyst.think, record, draft, seconds, lines)
        answer: Thought = await self._submit(Priority.ANALYSIS, call)
        return answer

    async def review_part(
        self, record: str, done: int, after: Worth | None, seconds: float
    ) -> ReviewPart:
        """Review the turns of a record for some seconds, behind those that are done."""
        call = partial(analyst.review_part, record, done, after, seconds)
        answer: ReviewPart = await self._submit(Priority.REVIEW, call)
        return answer

    @property
    def patience(self) -> float:
        """For how many seconds one part of an analysis may hold a worker.

        One worker alone is held no longer than by a hint; of several one is always kept free for
        live games, and longer parts go deeper where they come to a worker that begins anew.
        """
        return 1.0 if self._count == 1 else 4.0

    def close(self) -> None:
        """Break off what is being thought."""
        self._closed = True
        for job in self._waiting:
            job.answer.cancel()
        self._waiting.clear()
        if self._pool:
            self._pool.close()

    def _submit(
        self,
        priority: Priority,
        call: Callable[[], Any],
        wanted: Callable[[], bool] = lambda: True,
    ) -> asyncio.Future[Any]:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        job = _Job(priority, next(self._numbers), call, answer, wanted)
        heapq.heappush(self._waiting, job)
        self._begin_next()
        return answer

    def _begin_next(self) -> None:
        while self._waiting and self._busy < self._count and not self._closed:
            aside = self._waiting[0].priority is not Priority.LIVE
            if aside and self._busy and self._busy >= self._count - 1:
                break  # a worker is kept free for live games
            job = heapq.heappop(self._waiting)
            if job.answer.cancelled():
                continue
            if not job.wanted():
                job.answer.set_result(None)
                continue
            self._busy += 1
            task = asyncio.create_task(self._do(job))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _do(self, job: _Job) -> None:
        pool = self._pool = self._pool or WorkerPool(self._count, begin=worker.stand_back)
        try:
            result = await asyncio.wrap_future(pool.submit(job.call))
        except BrokenProcessPool as error:
            self._mourn(pool)
            job.tries += 1
            if job.tries < MOST_TRIES and not self._closed:
                heapq.heappush(self._waiting, job)
            elif not job.answer.done():
                job.answer.set_exception(error)
        except asyncio.CancelledError:
            job.answer.cancel()
            raise
        except Exception as error:
            if not job.answer.done():
                job.answer.set_exception(error)
                job.answer.exception()
        else:
            if not job.answer.done():
                job.answer.set_result(result)
        finally:
            self._busy -= 1
            self._begin_next()

    def _mourn(self, pool: WorkerPool) -> None:
        """Have new workers where one has died; a pool gives up all of them then."""
        if self._pool is pool:
            self.died += 1
            self._pool = None
            pool.close()
