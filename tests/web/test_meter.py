"""The share of the processor that an address has: who asks for more waits, and nobody else."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from house.houses import story, until
from trine.web import meter
from trine.web.meter import AT_ONCE, BURST, MOST_WAITING, Meter, measured


def burn(seconds: float) -> None:
    """Use the processor."""
    began = time.thread_time()
    while time.thread_time() - began < seconds:
        pass


async def ask(app: Meter, address: str = "192.0.2.1") -> list[dict[str, Any]]:
    """The answer to a request from an address."""
    answer: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        answer.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    await app({"type": "http", "client": (address, 1)}, receive, send)
    return answer


def app_of(work: Callable[[Any], Awaitable[None]]) -> Meter:
    """An app that works and then says 200."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await work(send)
        await send({"type": "http.response.start", "status": 200})

    return Meter(app)


@story
async def test_whoever_has_spent_the_time_waits_and_others_do_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(meter, "LOOKS", 0.001)
    monkeypatch.setattr(meter, "PATIENCE", 0.05)

    async def work(send: Any) -> None:
        burn(BURST * 3)

    app = app_of(work)
    assert (await ask(app))[0]["status"] == 200
    refused = await ask(app)  # it owes some now
    assert refused[0]["status"] == 429 and dict(refused[0]["headers"])[b"retry-after"]
    assert len(refused[1]["body"]) < 100
    assert (await ask(app, "192.0.2.2"))[0]["status"] == 200


@story
async def test_an_address_has_so_many_places_and_the_rest_waits_for_them() -> None:
    go, working = asyncio.Event(), 0

    async def work(send: Any) -> None:
        nonlocal working
        working += 1
        await go.wait()

    app = app_of(work)
    asked = [asyncio.create_task(ask(app)) for _ in range(MOST_WAITING)]
    await until(lambda: working == AT_ONCE)
    assert (await ask(app))[0]["status"] == 429, "one more than may wait"
    other = asyncio.create_task(ask(app, "192.0.2.2"))
    await until(lambda: working == AT_ONCE + 1)
    go.set()
    answers = await asyncio.gather(*asked, other)
    assert {answer[0]["status"] for answer in answers} == {200}
    assert not app._asking and not app._places


@story
async def test_a_stream_that_has_begun_keeps_no_place() -> None:
    go, begun = asyncio.Event(), 0

    async def work(send: Any) -> None:
        nonlocal begun
        await send({"type": "http.response.start", "status": 200})
        begun += 1
        await go.wait()

    app = app_of(work)
    streams = [asyncio.create_task(ask(app)) for _ in range(3 * AT_ONCE)]
    await until(lambda: begun == 3 * AT_ONCE)
    go.set()
    await asyncio.gather(*streams)


@story
async def test_the_time_of_all_steps_is_told_and_errors_pass_through() -> None:
    spent: list[float] = []

    async def work() -> None:
        burn(0.01)
        await asyncio.sleep(0)
        burn(0.01)
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            burn(0.01)
            raise ValueError("told") from None

    running = asyncio.create_task(measured_task(work, spent))
    await until(lambda: len(spent) == 2)
    running.cancel()
    with pytest.raises(ValueError, match="told"):
        await running
    assert len(spent) == 3 and all(0.01 <= one < 0.5 for one in spent)


async def measured_task(work: Callable[[], Any], spent: list[float]) -> None:
    await measured(work(), spent.append)
