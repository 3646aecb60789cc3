"""Background work: every fault is told, and none ends what goes on for ever."""

import asyncio
import threading
from pathlib import Path
from typing import Any

from house.houses import Heard, a_house, until
from trine.core.errors import TrineError
from trine.core.text.sentence import text
from trine.house import background
from trine.house.background import Background
from trine.house.games.live import task_scheduler
from trine.house.games.live.task_scheduler import TaskScheduler
from trine.house.games.storage.tables import count_games


async def test_whatever_goes_wrong_is_told_and_the_work_goes_on(monkeypatch: Any) -> None:
    monkeypatch.setattr(background, "MIN_RETRY_DELAY", 0.0)
    heard, done = Heard(), list[int]()
    errors = [TypeError("a fault of ours"), TrineError(text("a refusal")), KeyError("x")]

    async def work() -> None:
        done.append(len(done))
        if len(done) <= len(errors):
            raise errors[len(done) - 1]

    looked_after = Background(heard)
    looked_after.every(0.0, work, "the work")
    await until(lambda: len(done) > 4)
    await looked_after.close()
    assert heard.errors == errors and heard.about == [{"work": "the work"}] * len(errors)


async def test_a_fault_of_work_without_a_pause_is_no_hot_loop(monkeypatch: Any) -> None:
    monkeypatch.setattr(background, "MIN_RETRY_DELAY", 600.0)
    heard = Heard()

    async def work() -> None:
        raise TypeError("always")

    looked_after = Background(heard)
    looked_after.every(0.0, work, "the work")
    await until(lambda: heard.errors)
    for _ in range(20):
        await asyncio.sleep(0)
    assert len(heard.errors) == 1
    await looked_after.close()


async def test_closing_breaks_off_what_is_at_work() -> None:
    heard, told = Heard(), list[str]()

    async def for_ever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            told.append("broken off")

    looked_after = Background(heard)
    looked_after.run(for_ever, "for ever")
    await asyncio.sleep(0)
    await looked_after.close()
    assert told == ["broken off"] and not heard.errors


async def test_a_fault_of_ours_ends_no_correspondence(tmp_path: Path, monkeypatch: Any) -> None:
    heard, ticks = Heard(), list[int]()

    async def tick(self: TaskScheduler, kind: str) -> None:
        ticks.append(len(ticks))
        raise TypeError("a fault of ours")

    monkeypatch.setattr(background, "MIN_RETRY_DELAY", 0.01)
    monkeypatch.setattr(task_scheduler, "POLL_INTERVAL", 0.01)
    monkeypatch.setattr(TaskScheduler, "tick", tick)
    async with a_house(tmp_path, report=heard):
        await until(lambda: len(ticks) > 2)
    assert {about["work"].partition(":")[0] for about in heard.about} == {"what is due"}
    assert {type(error) for error in heard.errors} == {TypeError}


async def test_a_closed_house_leaves_no_threads(tmp_path: Path) -> None:
    before = {*threading.enumerate()}
    async with a_house(tmp_path) as house:
        await asyncio.wrap_future(house.push_notifications.threads.submit(int))
        await house.store.fetch(count_games)
    await until(lambda: not {*threading.enumerate()} - before - {*_of_loop()})


def _of_loop() -> list[threading.Thread]:
    """Return the threads of the event loop of a test, which outlive a house."""
    return [one for one in threading.enumerate() if one.name.startswith("asyncio_")]


async def test_work_that_a_last_message_of_another_process_begins_ends_with_the_house(
    tmp_path: Path, monkeypatch: Any
) -> None:
    cancelled = list[str]()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append("names")
            raise

    async with a_house(tmp_path) as house:
        end = house.process_bus.end

        async def end_after_a_message() -> None:
            house.background.run(work, "names changed elsewhere")
            await asyncio.sleep(0)
            await end()

        monkeypatch.setattr(house.process_bus, "end", end_after_a_message)
    assert cancelled == ["names"]
