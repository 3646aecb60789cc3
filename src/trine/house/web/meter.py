"""A share of the processor for each address: whoever asks for more waits, and nobody else does."""

from __future__ import annotations

import asyncio
import time
import types
from collections import Counter
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from http import HTTPStatus
from typing import Any, Final, TypeVar, cast

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trine.core.work.payer import PAYER
from trine.house.web.guard import home_of
from trine.house.web.shares import Account, RequestAccount, Shares

Result = TypeVar("Result")

BESIDE: Final = 0.001
"""Units: seconds; what reading a request and writing its answer take beside the work. Measured."""
AT_ONCE: Final = 4
"""The number of requests of an address that are worked on at once."""
MOST_WAITING: Final = 256
"""The number of those that wait; further ones are refused at once."""
MOST_OF_ALL: Final = 2048
"""The number of those of all addresses; beyond it an address has as many as are worked on."""
PATIENCE: Final = 20.0
"""Units: seconds; how long a request waits before it is refused: longer than another may take to
be sent."""
TOO_MUCH: Final = (HTTPStatus.TOO_MANY_REQUESTS, b"too much at once; try again in some seconds\n")
BUSY: Final = (
    HTTPStatus.SERVICE_UNAVAILABLE,
    b"too many want something of this house; try again in some seconds\n",
)


class Meter:
    """An ASGI app that measures the processor time of requests, and bounds that of an address.

    Requests of an address that has spent its time wait, and all do while all together ask for more
    than there is; those that wait for too long, and those that are too many, are refused before any
    work, in a few bytes. An answer that goes on (a stream, a socket) counts as begun, and its place
    is free, once its head is sent. Whatever a request sets going pays from the same share, in the
    event loop or not (`trine.core.work.payer`); what is said on a socket has a share of its own.

    Args: ``more`` is by how much time and places may be exceeded, such as by a benchmark.
    """

    def __init__(self, app: ASGIApp, more: float = 1.0) -> None:
        self._app = app
        self.shares: Final = Shares(more)
        self._asking: Counter[str] = Counter()
        self._places: dict[str, asyncio.Semaphore] = {}
        self._at_once = max(1, round(AT_ONCE * more))
        self.refused = 0
        """The number of requests that were refused, because the house was busy."""

    @property
    def waiting(self) -> int:
        """The number of requests that are worked on, or wait."""
        return self._asking.total()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        client = scope.get("client")
        address = home_of(client[0]) if client else ""
        asking = self._asking[address]
        if asking >= MOST_WAITING:
            await self._refuse(scope, send, TOO_MUCH)
            return
        if asking >= self._at_once and self.waiting >= MOST_OF_ALL:
            await self._refuse(scope, send, BUSY)
            return
        self._asking[address] += 1
        places = self._places.setdefault(address, asyncio.Semaphore(self._at_once))
        if await self._wait(places, address):
            await self._work(places, address, scope, receive, send)
        else:
            await self._refuse(scope, send, BUSY if self.shares.busy else TOO_MUCH)

    async def _wait(self, places: asyncio.Semaphore, address: str) -> bool:
        """Wait for a place and for processor time; return whether there is one in time."""
        placed = False
        try:
            async with asyncio.timeout(PATIENCE):
                placed = await places.acquire()
                await self.shares.turn(address)
        except BaseException as error:
            if placed:
                places.release()
            self._forget(address)
            if isinstance(error, TimeoutError):
                return False
            raise
        return True

    def _forget(self, address: str) -> None:
        """Count one request less of an address."""
        self._asking[address] -= 1
        if not self._asking[address]:
            del self._asking[address], self._places[address]

    async def _work(
        self, places: asyncio.Semaphore, address: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        begun = False

        def begin() -> None:
            nonlocal begun
            if not begun:
                begun = True
                places.release()
                self._forget(address)

        async def send_first(message: Message) -> None:
            begin()
            await send(message)

        account = RequestAccount(self.shares, address)
        account.charge(BESIDE, BESIDE)
        talks = scope["type"] == "websocket"
        payer = PAYER.set(Account(self.shares, address) if talks else account)
        try:
            work = cast("Coroutine[Any, Any, None]", self._app(scope, receive, send_first))
            await shared(work, account)
        finally:
            PAYER.reset(payer)
            begin()

    async def _refuse(self, scope: Scope, send: Send, why: tuple[HTTPStatus, bytes]) -> None:
        status, words = why
        if why is BUSY:
            self.refused += 1
        kind = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
        headers = [
            (b"retry-after", b"5"),
            (b"content-type", b"text/plain"),
            (b"content-length", str(len(words)).encode()),
            (b"connection", b"close"),
        ]
        await send({"type": f"{kind}.start", "status": int(status), "headers": headers})
        await send({"type": f"{kind}.body", "body": words})


@types.coroutine
def shared(work: Coroutine[Any, Any, Result], account: Account) -> Generator[Any, Any, Result]:
    """Do some work for an address, step by step, in its share of the event loop's time."""
    step: Callable[[], Any] = partial(work.send, None)
    while True:
        while account.round_is_full:
            try:
                yield
            except BaseException as error:
                step = partial(work.throw, error)
        began, at = time.thread_time(), time.perf_counter()
        try:
            awaited = step()
        except StopIteration as end:
            return cast("Result", end.value)
        finally:
            account.charge(time.thread_time() - began, time.perf_counter() - at)
        try:
            step = partial(work.send, (yield awaited))
        except BaseException as error:  # the work is told, and may go on
            step = partial(work.throw, error)


async def paid(work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Do some work as a task of its own, for the address that has asked for it."""
    payer = PAYER.get()
    return await (shared(work(), payer) if isinstance(payer, Account) else work())
