"""Making workers ready: one game after the other, and those that somebody plays first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from threading import Event
from typing import Any

import pytest

from house.houses import until
from trine.core.compiled.ahead import CompileProgress, Show
from trine.house.games.live import bot_worker, bots
from trine.house.games.live.bots import NOT_BEGUN, Warming


class Compiling:
    begun: list[Compiling]

    def __init__(self, modules: tuple[str, ...], *, niceness: int) -> None:
        assert niceness, "players come first"
        self.game = modules[1].split(".")[2]
        self.ended = Event()
        self.show: Show | None = None

    def wait(self, show: Show) -> None:
        self.show = show
        self.begun.append(self)
        self.ended.wait()

    def close(self) -> None:
        self.ended.set()


class Workers:
    def __init__(self, *compiled: str) -> None:
        self.compiled = set(compiled)
        self.warmed: list[str] = []
        self.heard: list[str] = []
        self.warming = Warming(self.do, self.heard.append, lambda: self.heard.append("standing by"))

    async def do(self, job: Callable[[], Any]) -> bool | None:
        assert isinstance(job, partial)
        (game,) = job.args
        if job.func is bot_worker.is_compiled:
            return game in self.compiled
        assert job.func is bot_worker.warm
        if game == "tzaar":
            raise OSError("the worker has died")
        self.warmed.append(game)
        return None


@pytest.fixture(autouse=True)
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[Compiling]:
    Compiling.begun = []
    monkeypatch.setattr(bots, "Compilation", Compiling)
    return Compiling.begun


async def test_nothing_that_is_compiled_is_compiled_again() -> None:
    workers = Workers("arimaa", "tzaar", "corridor")
    workers.warming.begin(["arimaa", "tzaar", "corridor"])
    assert workers.warming.progress("tzaar") == NOT_BEGUN
    for game in ("arimaa", "tzaar", "corridor", "nine men's morris"):
        await workers.warming.wait(game)  # also for one that a worker has failed at
        assert workers.warming.progress(game) is None
    assert workers.warmed == ["arimaa", "corridor"]
    assert Compiling.begun == []


async def test_progress_is_told_and_the_game_that_is_wanted_comes_first() -> None:
    workers, begun = Workers(), Compiling.begun
    workers.warming.begin(["arimaa", "corridor"])
    await until(lambda: len(begun) == 1)
    assert begun[0].game == "arimaa"
    waiting = asyncio.ensure_future(workers.warming.wait("corridor"))
    await until(lambda: len(begun) == 2)
    assert begun[0].ended.is_set() and begun[1].game == "corridor"
    workers.warming.want("arimaa")  # too late to be before one that is wanted already
    step = CompileProgress(2, 14, 30, 12.5)
    assert begun[1].show
    begun[1].show(step)
    await until(lambda: workers.warming.progress("corridor") == step)
    assert workers.heard == ["standing by", "standing by", "corridor"]
    assert not begun[1].ended.is_set() and not waiting.done()
    begun[1].close()
    await waiting
    assert workers.warming.progress("corridor") is None
    await until(lambda: len(begun) == 3)
    assert begun[2].game == "arimaa"
    workers.warming.close()
    assert begun[2].ended.is_set()
