"""The share of the processor that an address has: who asks for more waits, and nobody else."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from house.houses import until
from house.web.loops import burn, counted_rounds
from trine.core.work.cpu_account import CPU_ACCOUNT, in_thread
from trine.house.job_pool import JobPool
from trine.house.web import cpu_limit
from trine.house.web.rounds import ROUND_TIME, run_within


async def ask(
    app: cpu_limit.CpuLimitMiddleware, address: str = "192.0.2.1", kind: str = "http"
) -> list[dict[str, Any]]:
    answer: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        answer.append(message)

    async def receive() -> Any:
        return {"type": "http.request"}

    await app({"type": kind, "client": (address, 1), "path": "/where"}, receive, send)
    return answer


def app_of(work: Callable[[Any], Awaitable[None]]) -> cpu_limit.CpuLimitMiddleware:
    """An app that works and then says 200."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await work(send)
        await send({"type": "http.response.start", "status": 200})

    return cpu_limit.CpuLimitMiddleware(app)


async def test_whoever_has_spent_the_time_waits_and_others_do_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cpu_limit, "POLL_INTERVAL", 0.001)
    monkeypatch.setattr(cpu_limit, "QUEUE_TIMEOUT", 0.05)

    async def work(send: Any) -> None: ...

    app = app_of(work)
    assert (await ask(app))[0]["status"] == 200
    app.budgets.charge("192.0.2.1", cpu_limit.BURST + 60, 0.0)
    refused = await ask(app)  # it owes some now
    assert refused[0]["status"] == 429 and dict(refused[0]["headers"])[b"retry-after"]
    assert len(refused[1]["body"]) < 100
    assert (await ask(app, "192.0.2.2"))[0]["status"] == 200


async def test_an_address_has_so_many_places_and_the_rest_waits_for_them() -> None:
    go, working = asyncio.Event(), 0

    async def work(send: Any) -> None:
        nonlocal working
        working += 1
        await go.wait()

    app = app_of(work)
    asked = [asyncio.create_task(ask(app)) for _ in range(cpu_limit.MAX_WAITING)]
    await until(lambda: working == cpu_limit.MAX_CONCURRENT)
    assert (await ask(app))[0]["status"] == 429, "one more than may wait"
    other = asyncio.create_task(ask(app, "192.0.2.2"))
    await until(lambda: working == cpu_limit.MAX_CONCURRENT + 1)
    go.set()
    answers = await asyncio.gather(*asked, other)
    assert {answer[0]["status"] for answer in answers} == {200}
    assert not app._asking and not app._places


async def test_a_stream_that_has_begun_keeps_no_place() -> None:
    go, begun = asyncio.Event(), 0

    async def work(send: Any) -> None:
        nonlocal begun
        await send({"type": "http.response.start", "status": 200})
        begun += 1
        await go.wait()

    app = app_of(work)
    streams = [asyncio.create_task(ask(app)) for _ in range(3 * cpu_limit.MAX_CONCURRENT)]
    await until(lambda: begun == 3 * cpu_limit.MAX_CONCURRENT)
    go.set()
    await asyncio.gather(*streams)


async def test_of_what_is_left_for_all_each_address_has_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cpu_limit, "POLL_INTERVAL", 0.001)
    done: list[str] = []

    async def work(send: Any) -> None:
        burn(0.001)

    app = app_of(work)
    app.budgets.charge("somebody", 0.0, cpu_limit.BURST_OF_ALL + 0.05)

    async def one(address: str) -> None:
        assert (await ask(app, address))[0]["status"] == 200
        done.append(address)

    addresses = ["192.0.2.1"] * cpu_limit.MAX_CONCURRENT + [
        f"192.0.2.{number}" for number in range(2, 9)
    ]
    await asyncio.gather(*map(one, addresses))
    assert "192.0.2.1" not in done[1:8], "after its first one all others had their turn"


async def test_a_house_that_is_busy_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpu_limit, "QUEUE_TIMEOUT", 0.1)

    async def work(send: Any) -> None: ...

    app = app_of(work)
    app.budgets.charge("somebody", 0.0, cpu_limit.BURST_OF_ALL + 60)
    head, body = await ask(app)
    assert head["status"] == 503 and b"try again" in body["body"]
    socket = await ask(app, "192.0.2.2", kind="websocket")
    assert [part["type"] for part in socket] == [
        "websocket.http.response.start",
        "websocket.http.response.body",
    ]
    assert app.refused == 2 and app.waiting == 0
    app.budgets.charge("somebody", 0.0, -cpu_limit.BURST_OF_ALL - 60)
    monkeypatch.setattr(cpu_limit, "QUEUE_TIMEOUT", 60.0)
    assert (await ask(app))[0]["status"] == 200


async def test_whatever_is_ready_waits_for_a_slice_of_all_requests() -> None:
    async def work(send: Any) -> None:
        burn(ROUND_TIME)

    app = app_of(work)
    with counted_rounds() as rounds:
        await asyncio.gather(*(ask(app, f"192.0.2.{number}") for number in range(20)))
    assert rounds.count >= 20


async def test_the_time_of_all_steps_is_told_and_errors_pass_through() -> None:
    spent: list[float] = []

    class Told(cpu_limit.SocketBudget):
        def charge_loop(self, cpu: float, wall: float) -> None:
            spent.append(cpu)

    async def work() -> None:
        burn(0.01)
        await asyncio.sleep(0)
        burn(0.01)
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            burn(0.01)
            raise ValueError("told") from None

    async def measured() -> None:
        await run_within(work(), Told(cpu_limit.CpuBudgets(), ""))

    running = asyncio.create_task(measured())
    await until(lambda: len(spent) == 2)
    running.cancel()
    with pytest.raises(ValueError, match="told"):
        await running
    assert len(spent) == 3 and all(0.01 <= one < 0.5 for one in spent)


async def test_the_task_of_a_request_bears_its_path() -> None:
    async def work(send: Any) -> None:
        task = asyncio.current_task()
        assert task and task.get_name() == "socket /where"

    await ask(app_of(work), kind="websocket")


async def test_threads_and_helpers_are_paid_for() -> None:
    paid_for: list[float] = []

    class Told(cpu_limit.SocketBudget):
        def charge(self, seconds: float) -> None:
            paid_for.append(seconds)

    CPU_ACCOUNT.set(Told(cpu_limit.CpuBudgets(), "192.0.2.1"))
    await in_thread(partial(burn, 0.01))
    await until(lambda: len(paid_for) == 1)
    helpers = JobPool()
    await helpers.run_cached("192.0.2.1", "key", partial(sum, range(400_000)))
    assert await helpers.run_cached("192.0.2.2", "key", partial(sum, range(3))) > 3, "it is kept"
    assert len(paid_for) == 2 and min(paid_for) > 0.001
    await asyncio.to_thread(helpers.close)


async def test_messages_wait_while_their_address_owes_some() -> None:
    budgets = cpu_limit.CpuBudgets()
    talks, other = (
        cpu_limit.SocketBudget(budgets, "192.0.2.1"),
        cpu_limit.SocketBudget(budgets, "192.0.2.2"),
    )
    began = time.monotonic()
    talks.charge(cpu_limit.BURST_OF_TALK + 0.05)
    await other.wait()
    await talks.wait()
    assert time.monotonic() - began > 0.05
    await budgets.wait_for_slot("192.0.2.1")  # its requests have a share of their own
