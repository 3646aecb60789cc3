"""The bots of a house: a pool of worker processes with a priority queue.

Turns of live games come first. No search runs in the event loop. If a worker dies, another repeats
its job.
"""

import asyncio
import heapq
import itertools
import os
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from typing import Any, Final, TypeVar

from trine.core.compiled.ahead import NICENESS, Compilation, CompileProgress
from trine.core.work.pool import WorkerPool
from trine.engine.players.player import thinking_modules
from trine.games import ROOMS
from trine.house.games.live import bot_worker
from trine.house.games.live.bot_worker import ComputedHint
from trine.house.job_pool import HelperProcess, lower_priority
from trine.house.refusals import OverloadedError, PaceError, ShuttingDownError
from trine.play.session.state import Entry

Result = TypeVar("Result")
MAX_WAITING: Final = 4000  # the largest number of jobs that wait for a worker. Guess
MAX_WAITING_ASIDE: Final = 200
"""The largest number of waiting jobs for hints, analyses and compiling. Guess."""
MAX_OF_ADDRESS: Final = 24  # the largest number of waiting jobs of one network address. Guess
MAX_TRIES: Final = 4
"""The number of attempts at a job; limited, since the job itself may kill its workers."""
NOT_BEGUN: Final = CompileProgress(0, 0, 0)


class Warming:
    """The compilation of the engine, game by game; games that are needed now come first.

    The callbacks: ``do`` runs a job in a worker when there is nothing else to do, ``on_progress``
    is called after each step for a game, and ``before`` before a game is compiled.
    """

    def __init__(
        self,
        do: Callable[[Callable[[], Any]], Awaitable[Any]],
        on_progress: Callable[[str], None],
        before: Callable[[], None],
    ) -> None:
        self._do, self._on_progress, self._before = do, on_progress, before
        self._left: list[str] = []
        self._wanted: list[str] = []
        self._ready: dict[str, asyncio.Event] = {}
        self._progress: dict[str, CompileProgress] = {}
        self._compilation: Compilation | None = None
        self._closed = False
        self._task: asyncio.Task[None] | None = None

    def begin(self, games: Iterable[str]) -> None:
        self._left = list(games)
        self._ready = {game: asyncio.Event() for game in self._left}
        self._task = asyncio.create_task(self._go())

    def progress(self, game_name: str) -> CompileProgress | None:
        """Return the compilation progress of a game; None once the workers are ready for it."""
        return self._progress.get(game_name, NOT_BEGUN) if game_name in self._left else None

    def want(self, game_name: str) -> None:
        """Compile a game before games that are not needed yet."""
        if game_name not in self._left or game_name in self._wanted:
            return
        self._wanted.append(game_name)
        first = self._left[0]
        self._left.sort(key=lambda one: one not in self._wanted)
        # Compiled modules are cached, so restarting the other game later loses little.
        if first != self._left[0] and self._compilation:
            asyncio.get_running_loop().run_in_executor(None, self._compilation.close)

    async def wait(self, game_name: str) -> None:
        """Wait until the workers are ready for a game, or making them ready has failed."""
        self.want(game_name)
        if event := self._ready.get(game_name):
            await event.wait()

    def close(self) -> None:
        self._closed = True
        if self._compilation:
            self._compilation.close()

    async def _go(self) -> None:
        while self._left and not self._closed:
            game = self._left[0]
            with suppress(Exception):  # the next job for this game gets the error
                compiled = await self._do(partial(bot_worker.is_compiled, game))
                if self._left[0] == game and not compiled:
                    await self._compile(game)
                if self._left[0] != game or self._closed:
                    continue  # another game is needed first
                await self._do(partial(bot_worker.warm, game))
            self._left.remove(game)
            self._ready[game].set()
            self._on_progress(game)

    async def _compile(self, game_name: str) -> None:
        """Compile a game, until that ends or fails, or another game is needed first."""
        self._before()
        loop = asyncio.get_running_loop()

        def heard(progress: CompileProgress) -> None:
            with suppress(RuntimeError):  # the event loop is closed
                loop.call_soon_threadsafe(self._heard, game_name, progress)

        compilation = Compilation(thinking_modules(game_name), niceness=NICENESS)
        self._compilation = compilation
        await asyncio.to_thread(compilation.wait, heard)
        self._compilation = None

    def _heard(self, game_name: str, progress: CompileProgress) -> None:
        self._progress[game_name] = progress
        self._on_progress(game_name)


class Priority(IntEnum):
    """The priorities of jobs."""

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
    who: str = field(default="", compare=False)
    """The network address that sent the job; empty for a live game."""
    tries: int = field(default=0, compare=False)


class Bots:
    """The worker processes of a house, and the queue of their jobs."""

    def __init__(self, workers: int | None = None) -> None:
        self._count = workers or max(1, (os.cpu_count() or 2) - 1)
        self._pool: WorkerPool | None = None
        self._helper = HelperProcess()  # the process for stand-ins, used while the workers compile
        self._waiting: list[_Job] = []
        self._numbers = itertools.count()
        self._busy = 0
        self._closed = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._warming = Warming(
            partial(self._submit, Priority.WARMING),
            lambda game: self.on_progress(game),
            self._stand_by,
        )
        self.on_progress: Callable[[str], None] = lambda game: None
        self.died = 0

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def warm(self) -> None:
        """Compile each game's code and load it in a worker, at the lowest priority."""
        self._warming.begin(ROOMS)

    def progress(self, game_name: str) -> CompileProgress | None:
        """Return the compilation progress of a game; None once the workers are ready for it."""
        return self._warming.progress(game_name)

    def want(self, game_name: str) -> None:
        self._warming.want(game_name)

    async def ready(self, game_name: str) -> None:
        await self._warming.wait(game_name)

    async def choose(
        self,
        game_name: str,
        bot: str,
        entries: Sequence[Entry],
        elapsed: float,
        wanted: Callable[[], bool],
    ) -> tuple[str, ...] | None:
        call = partial(bot_worker.choose, game_name, bot, entries, elapsed)
        answer: tuple[str, ...] | None = await self._submit(Priority.LIVE, call, wanted)
        return answer

    async def choose_at_once(
        self, game_name: str, bot: str, entries: Sequence[Entry]
    ) -> tuple[str, ...]:
        return await self._do_beside(partial(bot_worker.stand_in, game_name, bot, entries))

    async def hint_at_once(
        self, game_name: str, entries: Sequence[Entry], draft: Sequence[str]
    ) -> ComputedHint:
        return await self._do_beside(partial(bot_worker.hint_at_once, game_name, entries, draft))

    async def hint(
        self, game_name: str, entries: Sequence[Entry], draft: Sequence[str], key: str = ""
    ) -> ComputedHint:
        """Return the computer's turn, with the reasons; ``key`` is the address of the request."""
        call = partial(bot_worker.hint, game_name, entries, draft)
        answer: ComputedHint = await self._submit(Priority.ANALYSIS, call, key=key)
        return answer

    @property
    def patience(self) -> float:
        """Units: seconds; how long one part of an analysis may occupy a worker.

        A single worker is occupied no longer than by a hint. Of several, one is always kept free
        for live games, so parts may take longer; longer parts search deeper, since each part may
        begin in a new worker.
        """
        return 1.0 if self._count == 1 else 4.0

    def close(self) -> None:
        self._closed = True
        self._warming.close()
        for job in self._waiting:
            job.answer.cancel()
        self._waiting.clear()
        if self._pool:
            self._pool.close()
        self._helper.close()

    async def _do_beside(self, call: Callable[[], Result]) -> Result:
        """Run a job in a process of its own while the workers compile."""
        if self._closed:
            raise ShuttingDownError
        return await self._helper.run(call)

    def _stand_by(self) -> None:
        """Start the process for stand-ins before its first job."""
        task = asyncio.create_task(self._do_beside(bot_worker.stand_by))
        self._tasks.add(task)
        task.add_done_callback(self._stands_by)

    def _stands_by(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # the next job for a stand-in gets the error

    def _submit(
        self,
        priority: Priority,
        call: Callable[[], Any],
        wanted: Callable[[], bool] = lambda: True,
        key: str = "",
    ) -> asyncio.Future[Any]:
        self._check_capacity(priority, key)
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        job = _Job(priority, next(self._numbers), call, answer, wanted, key)
        heapq.heappush(self._waiting, job)
        self._begin_next()
        return answer

    def _check_capacity(self, priority: Priority, key: str) -> None:
        same = (job.who == key and not job.answer.cancelled() for job in self._waiting)
        if key and sum(same) >= MAX_OF_ADDRESS:
            raise PaceError
        most = MAX_WAITING if priority is Priority.LIVE else MAX_WAITING_ASIDE
        if len(self._waiting) < most:
            return
        self._waiting = [job for job in self._waiting if not job.answer.cancelled()]
        heapq.heapify(self._waiting)
        aside = sum(job.priority is not Priority.LIVE for job in self._waiting)
        if (len(self._waiting) if priority is Priority.LIVE else aside) >= most:
            raise OverloadedError

    def _begin_next(self) -> None:
        while self._waiting and self._busy < self._count and not self._closed:
            aside = self._waiting[0].priority is not Priority.LIVE
            if aside and self._busy and self._busy >= self._count - 1:
                break  # one worker is kept free for live games
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
        pool = self._pool = self._pool or WorkerPool(self._count, initializer=lower_priority)
        try:
            result = await asyncio.wrap_future(pool.submit(job.call))
        except BrokenProcessPool as error:
            self._mourn(pool)
            job.tries += 1
            if job.tries < MAX_TRIES and not self._closed:
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
        """Replace the pool; when one worker has died, the whole pool is broken."""
        if self._pool is pool:
            self.died += 1
            self._pool = None
            pool.close()
