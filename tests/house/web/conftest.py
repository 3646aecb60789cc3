"""The parts that tests of the web share in a process: one browser, one house that is served."""

from __future__ import annotations

import asyncio
from asyncio import AbstractEventLoop
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from house.web.browsing import chromium
from house.web.served import Served, a_server


@pytest.fixture(scope="session")
def running() -> Iterator[tuple[Browser, AbstractEventLoop]]:
    """A browser, and the loop in which Playwright speaks with it."""
    with chromium() as browser:
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield browser, loop
        asyncio._set_running_loop(loop)


@pytest.fixture
def browser(running: tuple[Browser, AbstractEventLoop]) -> Iterator[Browser]:
    """The browser; only while a test uses it does its loop run, so that other tests run theirs."""
    browser, loop = running
    asyncio._set_running_loop(loop)
    yield browser
    asyncio._set_running_loop(None)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A house with bots that need no compiling, for all tests that leave it as it is."""
    with a_server(tmp_path_factory.mktemp("house"), address_credits=1_000_000) as served:
        yield served
