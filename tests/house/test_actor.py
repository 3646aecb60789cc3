"""The queue of a game: what waits in it when it closes."""

import asyncio
from itertools import count
from typing import Any

import pytest

from house.houses import until
from trine.core.errors import IllegalError
from trine.core.text.sentence import text
from trine.house.games.live.write_queue import WriteQueue
from trine.house.refusals import ShuttingDownError
from trine.house.store.store_errors import BusyError
from trine.house.web.refusing import InternalError
from waiting import PATIENCE


class Faults(list[BaseException]):
    def actor(self) -> WriteQueue:
        return WriteQueue("a game", self.append, self.append)


async def test_an_actor_that_closes_does_not_look_again_and_again_whether_it_is_done() -> None:
    faults, done, loop = Faults(), list[int](), asyncio.get_running_loop()
    actor, gate = faults.actor(), asyncio.Event()

    async def work() -> None:
        await gate.wait()
        done.append(len(done))

    for _ in range(3):
        actor.write_later(work)
    await until(lambda: actor.busy)
    closing = asyncio.create_task(actor.drain())
    await asyncio.sleep(0)
    timers: list[Any] = []
    call_at = loop.call_at
    loop.call_at = lambda *given, **named: timers.append(given) or call_at(*given, **named)  # type: ignore
    ticks = count()  # a clock by which each round of the loop takes a millisecond
    began = loop.time()
    loop.time = lambda: began + next(ticks) / 1000  # type: ignore
    for _ in range(200):
        await asyncio.sleep(0)
    assert not timers, "it looks again and again whether it is at rest"
    gate.set()
    assert await closing and done == [0, 1, 2] and not faults
    assert not await actor.drain(), "it is closed already"


async def test_an_actor_waits_not_for_ever_for_what_never_ends() -> None:
    faults = Faults()
    actor = faults.actor()
    never = asyncio.create_task(actor.write(asyncio.Event().wait))
    waiting = asyncio.create_task(actor.write(asyncio.Event().wait))
    await until(lambda: actor.busy)
    async with asyncio.timeout(PATIENCE):
        assert await actor.drain(timeout=0.05)
    for one in (never, waiting):
        with pytest.raises(ShuttingDownError):
            await one
    assert [type(one) for one in faults] == [TimeoutError] and actor.broken


async def test_a_refusal_is_told_to_whoever_asked_and_a_fault_has_the_game_loaded_anew() -> None:
    async def refused() -> None:
        raise IllegalError(text("no"))

    async def busy() -> None:
        raise BusyError(3)

    async def fails() -> None:
        raise KeyError("nobody")

    faults = Faults()
    actor = faults.actor()
    with pytest.raises(IllegalError):
        await actor.write(refused)
    actor.write_later(busy)
    await until(lambda: not actor.busy)
    assert not faults and not actor.broken
    with pytest.raises(InternalError):
        actor.ask(lambda: [][0])
    assert len(faults) == 1 and not actor.broken, "nothing is changed, and somebody knows"
    with pytest.raises(InternalError):
        await actor.write(fails)
    assert isinstance(faults[1], KeyError) and actor.broken
    for fail in (lambda actor: actor.write_later(refused), lambda actor: actor.do(lambda: [][0])):
        actor = faults.actor()
        fail(actor)
        await until(lambda actor=actor: actor.broken)
