"""Making the workers of a house ready for each game: its code is compiled, then loaded."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Any, Final

from trine.core.compiled.ahead import BEHIND, Compilation, Progress
from trine.engine.players.readiness import thinking_modules
from trine.house.games import worker

NOT_BEGUN: Final = Progress(0, 0, 0)


class Warming:
    """The games for which workers are not ready yet, one after the other; those wanted come first.

    Args: ``do`` has a worker do something when nothing else is to be done, ``told`` hears of each
    step for a game, and ``before`` is called before a game is compiled.
    """

    def __init__(
        self,
        do: Callable[[Callable[[], Any]], Awaitable[Any]],
        told: Callable[[str], None],
        before: Callable[[], None],
    ) -> None:
        self._do, self._told, self._before = do, told, before
        self._left: list[str] = []
        self._wanted: list[str] = []
        self._ready: dict[str, asyncio.Event] = {}
        self._progress: dict[str, Progress] = {}
        self._compilation: Compilation | None = None
        self._closed = False
        self._task: asyncio.Task[None] | None = None

    def begin(self, games: Iterable[str]) -> None:
        """Make ready for games."""
        self._left = list(games)
        self._ready = {game: asyncio.Event() for game in self._left}
        self._task = asyncio.create_task(self._go())

    def progress(self, game: str) -> Progress | None:
        """Return the progress of compiling for a game; None once the workers are ready for it."""
        return self._progress.get(game, NOT_BEGUN) if game in self._left else None

    def want(self, game: str) -> None:
        """Make ready for a game before those that nobody has asked for."""
        if game not in self._left or game in self._wanted:
            return
        self._wanted.append(game)
        first = self._left[0]
        rank = {one: place for place, one in enumerate(self._wanted)}
        self._left.sort(key=lambda one: rank.get(one, len(rank)))
        # Modules that are compiled stay so: little is lost by beginning the other game anew.
        if first != self._left[0] and self._compilation:
            asyncio.get_running_loop().run_in_executor(None, self._compilation.close)

    async def wait(self, game: str) -> None:
        """Wait until the workers are ready for a game, or cannot be made so."""
        self.want(game)
        if event := self._ready.get(game):
            await event.wait()

    def close(self) -> None:
        """End what is being compiled."""
        self._closed = True
        if self._compilation:
            self._compilation.close()

    async def _go(self) -> None:
        while self._left and not self._closed:
            game = self._left[0]
            with suppress(Exception):  # whoever needs it next hears of it
                compiled = await self._do(partial(worker.is_compiled, game))
                if self._left[0] == game and not compiled:
                    await self._compile(game)
                if self._left[0] != game or self._closed:
                    continue  # another game is wanted first
                await self._do(partial(worker.warm, game))
            self._left.remove(game)
            self._ready[game].set()
            self._told(game)

    async def _compile(self, game: str) -> None:
        """Compile for a game until that ends, successful or not, or another is wanted first."""
        self._before()
        loop = asyncio.get_running_loop()

        def heard(progress: Progress) -> None:
            with suppress(RuntimeError):  # nobody listens any more
                loop.call_soon_threadsafe(self._heard, game, progress)

        compilation = Compilation(thinking_modules(game), behind=BEHIND)
        self._compilation = compilation
        await asyncio.to_thread(compilation.wait, heard)
        self._compilation = None

    def _heard(self, game: str, progress: Progress) -> None:
        self._progress[game] = progress
        self._told(game)
