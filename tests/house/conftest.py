"""A house and its clock for each test."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from house.houses import OpenHouse, Time, a_house
from trine.house.app import House


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def options() -> dict[str, Any]:
    """Options of the house; modules and parametrized tests have their own."""
    return {}


@pytest.fixture
def open_house(
    request: pytest.FixtureRequest,
    runner: asyncio.Runner,
    time: Time,
    tmp_path: Path,
    options: dict[str, Any],
) -> Iterator[OpenHouse]:
    """Opens a house in the folder of the test, or at `place` if the test uses it.

    Called again, it closes the house and, after a number of seconds, opens it anew.
    """
    every = "place" in request.fixturenames
    place = request.getfixturevalue("place") if every else tmp_path
    stack = AsyncExitStack()

    async def open_house(after: float = 0, **more: Any) -> House:
        await stack.aclose()
        time.now += after
        return await stack.enter_async_context(a_house(place, time, **options | more))

    yield open_house
    runner.run(stack.aclose())


@pytest.fixture
def house(runner: asyncio.Runner, open_house: OpenHouse) -> House:
    return runner.run(open_house())
