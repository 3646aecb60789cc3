"""The rounds of the event loop: who waits costs nothing, and goes on when it is their turn."""

import asyncio
import time
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from house.houses import until
from house.web.loops import burn, counted_rounds
from trine.core.work.cpu_account import CPU_ACCOUNT
from trine.house.games.live.write_queue import WriteQueue
from trine.house.web.cpu_limit import CpuBudgets, SocketBudget
from trine.house.web.rounds import ROUND_TIME, run_within
from waiting import PATIENCE

ADDRESS = "192.0.2.1"


async def test_a_thousand_steps_that_wait_wake_less_than_once_a_step() -> None:
    """Each step is woken when it fits, and not in every round until then."""
    budgets, done = CpuBudgets(limit_factor=1e9), list[int]()

    async def work(number: int) -> None:
        for _ in range(3):
            burn(ROUND_TIME / 50)
            await asyncio.sleep(0)
        done.append(number)

    budget = SocketBudget(budgets, ADDRESS)

    async def run(number: int) -> None:
        await run_within(work(number), budget)

    await asyncio.gather(*map(run, range(1000)))
    rounds = budgets.rounds
    assert len(done) == 1000 and rounds.steps >= 4000 and not rounds.waiting
    assert rounds.empty_wakes < rounds.steps / 2
    assert done[:10] == sorted(done[:10]), "first come, first served"


async def test_an_address_with_a_queue_leaves_the_loop_to_others() -> None:
    budgets = CpuBudgets(limit_factor=1e9)
    budget = SocketBudget(budgets, ADDRESS)

    async def work() -> None:
        burn(ROUND_TIME)

    async def run() -> None:
        await run_within(work(), budget)

    with counted_rounds() as rounds:
        await asyncio.gather(*(run() for _ in range(20)))
    assert rounds.count >= 20


async def test_a_slice_is_time_of_a_processor_and_not_on_the_wall() -> None:
    """A step that waits for a lock or another program has not used the time of others."""
    budgets = CpuBudgets(limit_factor=1e9)
    budget = SocketBudget(budgets, ADDRESS)

    async def work() -> None:
        time.sleep(3 * ROUND_TIME)  # as if another program had the processor

    await run_within(work(), budget)
    assert not budgets.rounds.must_wait(ADDRESS)


async def test_what_is_cancelled_while_it_waits_ends_and_holds_up_nobody() -> None:
    budgets, ends = CpuBudgets(limit_factor=1e9), list[str]()
    budget = SocketBudget(budgets, ADDRESS)

    async def work(name: str) -> None:
        try:
            await asyncio.sleep(0)
            burn(2 * ROUND_TIME)
            await asyncio.sleep(0)
        except asyncio.CancelledError:
            ends.append(f"{name} cancelled")
            raise
        ends.append(name)

    async def run(name: str) -> None:
        await run_within(work(name), budget)

    tasks = [asyncio.create_task(run(str(number))) for number in range(6)]
    await until(lambda: budgets.rounds.waiting >= 3)
    for task in tasks[1:4]:
        task.cancel()
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*tasks, return_exceptions=True)
    assert sorted(ends) == ["0", "1 cancelled", "2 cancelled", "3 cancelled", "4", "5"]
    assert not budgets.rounds.waiting and not budgets.rounds._queues


async def test_what_a_commit_releases_goes_on_slice_by_slice() -> None:
    """A commit answers hundreds of writes at once: the loop must not do the rest in one go."""
    budgets, committed = CpuBudgets(limit_factor=1e9), asyncio.Event()
    CPU_ACCOUNT.set(SocketBudget(budgets, ADDRESS))
    faults: list[Any] = []
    actors = [WriteQueue(str(number), faults.append, faults.append) for number in range(100)]

    async def write() -> None:
        await committed.wait()
        burn(ROUND_TIME / 5)

    writes = [asyncio.create_task(actor.write(write)) for actor in actors]
    await until(lambda: all(actor.busy for actor in actors))
    await asyncio.sleep(0)
    longest, over = 0.0, False

    async def watch() -> None:
        nonlocal longest
        last = time.thread_time()
        while not over:
            await asyncio.sleep(0)
            now = time.thread_time()
            longest, last = max(longest, now - last), now

    watching = asyncio.create_task(watch())
    await asyncio.sleep(0)
    committed.set()
    await asyncio.gather(*writes)
    over = True
    await watching
    assert not faults and longest < 5 * ROUND_TIME, "all of it would be twenty slices"


async def test_messages_that_wait_for_a_debt_go_on_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One timer for all that wait, however many: not one each, which all wake together."""
    budgets, loop = CpuBudgets(), asyncio.get_running_loop()
    budget, timers = SocketBudget(budgets, ADDRESS), 0
    call_later = loop.call_later

    def counted(*given: Any, **named: Any) -> Any:
        nonlocal timers
        timers += 1
        return call_later(*given, **named)

    monkeypatch.setattr(loop, "call_later", counted)
    with monkeypatch.context() as still:
        stands = SimpleNamespace(monotonic=partial(float, time.monotonic()))
        still.setattr("trine.house.web.rate_limits.time", stands)  # a busy machine pays nothing
        budget.charge(2.05)  # some more than there is
        waits = [asyncio.create_task(budget.wait()) for _ in range(50)]
        other = asyncio.create_task(SocketBudget(budgets, "192.0.2.2").wait())
        await asyncio.sleep(0)
        assert timers == 1 and other.done() and not any(one.done() for one in waits)
    waits[3].cancel()
    await asyncio.wait(waits)
    assert timers <= 60 and not budgets.debts_of_talk._waiting


async def test_a_round_is_divided_among_the_addresses_that_wait() -> None:
    """Otherwise each further address would hold up all others for as long again."""
    budgets = CpuBudgets(limit_factor=1e9)

    async def work() -> None:
        burn(ROUND_TIME / 10)

    each = [SocketBudget(budgets, f"192.0.2.{number}") for number in range(4)]
    with counted_rounds() as rounds:
        await asyncio.gather(*(run_within(work(), one) for one in each for _ in range(50)))
    assert rounds.count >= 15, "undivided, there would be five and the first"
