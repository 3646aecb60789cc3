"""Open sockets: each ends with its session, whenever that ends."""

import asyncio
from collections import Counter
from collections.abc import Collection
from types import SimpleNamespace
from typing import Any

from starlette.websockets import WebSocketState

from house.houses import until
from trine.house.store.secrets import token_hash
from trine.house.web.open_sockets import OpenSockets
from trine.house.web.socket import RESTART


class Browser:
    def __init__(self, token: str) -> None:
        self.cookies = {"trine": token}
        self.url = SimpleNamespace(scheme="ws")
        self.headers: dict[str, str] = {}
        self.application_state = WebSocketState.CONNECTING
        self.closed: list[int] = []

    async def accept(self) -> None:
        self.application_state = WebSocketState.CONNECTED

    async def close(self, code: int) -> None:
        self.application_state = WebSocketState.DISCONNECTED
        self.closed.append(code)


class Page:
    def __init__(self, browser: Browser) -> None:
        self.browser = browser

    async def run(self) -> None:
        while self.browser.application_state is WebSocketState.CONNECTED:
            await asyncio.sleep(0)


class Doorway:
    def __init__(self) -> None:
        self.valid = {"anna", "béla"}
        self.recognising, self.go_on = asyncio.Event(), asyncio.Event()
        self.go_on.set()
        self.queries: list[Collection[str]] = []
        self.told: list[Any] = []
        self.opened = Counter[str]()
        gauge = SimpleNamespace(inc=lambda: None, dec=lambda: None)
        frame: Any = SimpleNamespace(
            address_of=lambda socket: "192.0.2.1",
            address_credits=100,
            addresses=SimpleNamespace(take=lambda *spent: True),
            metrics=SimpleNamespace(sockets=gauge),
            origins=SimpleNamespace(is_own=lambda *of: True),
            person_of=self.person_of,
            sockets=0,
        )
        self.sockets: OpenSockets[Any] = OpenSockets(
            frame, lambda hashes, person: self.told.append((hashes, person)), self.find_valid
        )

    async def person_of(self, browser: Any) -> Any:
        token = browser.cookies["trine"]
        person = SimpleNamespace(id=token) if token in self.valid else None
        self.recognising.set()
        await self.go_on.wait()
        return person

    async def find_valid(self, hashes: Collection[str]) -> Collection[str]:
        self.queries.append(hashes)
        return {token_hash(token) for token in self.valid} & {*hashes}

    def open(self, token: str) -> tuple[Browser, asyncio.Task[None]]:
        browser: Any = Browser(token)

        async def open_page(person: Any) -> Any:
            self.opened[token] += 1
            return Page(browser)

        return browser, asyncio.create_task(self.sockets.accept(browser, open_page))


async def test_a_socket_whose_session_ends_while_it_is_recognised_is_closed() -> None:
    doorway = Doorway()
    doorway.go_on.clear()
    browser, task = doorway.open("anna")
    await doorway.recognising.wait()
    doorway.valid.discard("anna")
    await doorway.sockets.close_sessions([token_hash("anna")], "anna's id")
    doorway.go_on.set()
    await task
    assert browser.closed == [RESTART] and not doorway.opened
    assert doorway.told == [([token_hash("anna")], "anna's id")]
    assert not doorway.sockets.people()


async def test_sockets_of_sessions_that_have_ended_unheard_are_found_by_one_query() -> None:
    doorway = Doorway()
    anna, first = doorway.open("anna")
    bela, second = doorway.open("béla")
    stranger, third = doorway.open("")
    await until(lambda: doorway.opened.total() == 3)
    doorway.valid.discard("anna")
    await doorway.sockets.recheck()
    await first
    assert anna.closed == [RESTART] and not bela.closed and not stranger.closed
    (query,) = doorway.queries
    assert {*query} == {token_hash("anna"), token_hash("béla")}
    for browser, task in ((bela, second), (stranger, third)):
        await browser.close(1000)
        await task
