"""A house and its clock for each test."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from house.houses import Time, a_house
from trine.house.app import House


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def house(
    request: pytest.FixtureRequest, runner: asyncio.Runner, time: Time, tmp_path: Path
) -> Iterator[House]:
    """A house in the folder of the test, or at `place` if the test uses it."""
    every = "place" in request.fixturenames
    opened = a_house(request.getfixturevalue("place") if every else tmp_path, time)
    house = runner.run(opened.__aenter__())
    yield house
    runner.run(opened.__aexit__(None, None, None))
