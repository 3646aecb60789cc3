"""The parts that tests of the web share in a process: one browser, one house that is served."""

import asyncio
from asyncio import AbstractEventLoop
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from house.web.browsing import DESK, PHONE, a_page, chromium
from house.web.clients import Client
from house.web.served import Served, a_server

PAGES = pytest.StashKey[ExitStack]()


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Close the pages of a test with its error, which then says what they show."""
    with pyfuncitem.stash.setdefault(PAGES, ExitStack()):
        return (yield)


@pytest.fixture
def pages(request: pytest.FixtureRequest) -> ExitStack:
    return request.node.stash.setdefault(PAGES, ExitStack())  # type: ignore[no-any-return]


@pytest.fixture
def page(pages: ExitStack, browser: Browser) -> Page:
    return pages.enter_context(a_page(browser, DESK))


@pytest.fixture
def phone(pages: ExitStack, browser: Browser) -> Page:
    return pages.enter_context(a_page(browser, PHONE))


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
def shared_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A house with bots that need no compiling, for all tests that leave it as it is."""
    with a_server(tmp_path_factory.mktemp("house"), address_credits=1_000_000) as served:
        yield served


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("house")


@pytest.fixture(scope="module")
def served(request: pytest.FixtureRequest, folder: Path) -> Iterator[Served]:
    """A house of the module's own, with the options in its `OWN_HOUSE`; without, the shared one."""
    own = getattr(request.module, "OWN_HOUSE", None)
    if own is None:
        yield request.getfixturevalue("shared_house")
        return
    with a_server(folder, **own) as served:
        yield served


def a_visitor(served: Served) -> Client:
    return Client(served.address)


one, ada, anna, eve, guest, stranger = (pytest.fixture(a_visitor) for _ in range(6))
"""People with browsers whom the house does not know yet."""
