"""A share of the processor for each address: whoever asks for more waits, and nobody else does."""

from __future__ import annotations

import asyncio
import time
import types
from collections import Counter
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from http import HTTPStatus
from typing import Any, Final, cast

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trine.web.guard import Credits, home_of

BURST: Final = 1.0
"""Units: seconds of processor time that an address may spend before it has to wait. Guess: twenty
first visits at once, as when a club comes in together."""
REFILL: Final = 4.0
"""Units: seconds; the time in which an address has all of it again: a quarter of one core."""
BESIDE: Final = 0.001
"""Units: seconds; what reading a request and writing its answer take beside the work. Measured."""
AT_ONCE: Final = 4
"""The number of requests of an address that are worked on at once."""
MOST_WAITING: Final = 256
"""The number of those that wait; further ones are refused at once."""
PATIENCE: Final = 20.0
"""Units: seconds; how long a request waits before it is refused: longer than another may take to
be sent."""
LOOKS: Final = 0.1
"""Units: seconds; how often it is looked whether an address may go on."""
_WHY: Final = b"too much at once; try again in some seconds\n"
_NO: Final[Message] = {
    "type": "http.response.start",
    "status": int(HTTPStatus.TOO_MANY_REQUESTS),
    "headers": [
        (b"retry-after", b"5"),
        (b"content-type", b"text/plain"),
        (b"content-length", str(len(_WHY)).encode()),
        (b"connection", b"close"),
    ],
}
_END: Final[Message] = {"type": "http.response.body", "body": _WHY}


class Meter:
    """An ASGI app that measures the processor time of requests, and bounds that of an address.

    Requests of an address that has spent its time wait; those that wait for too long, and those
    that are too many, are refused before any work, in a few bytes. An answer that goes on (a
    stream) counts as begun, and its place is free, once its head is sent.
    Sockets have limits of their own (`trine.web.open_sockets`).

    Args: ``more`` is by how much time and places may be exceeded, such as by a benchmark.
    """

    def __init__(self, app: ASGIApp, more: float = 1.0) -> None:
        self._app = app
        self._time = Credits(BURST * more, REFILL)
        self._asking: Counter[str] = Counter()
        self._places: dict[str, asyncio.Semaphore] = {}
        self._at_once = max(1, round(AT_ONCE * more))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        client = scope.get("client")
        address = home_of(client[0]) if client else ""
        if self._asking[address] >= MOST_WAITING:
            await _refuse(send)
            return
        self._asking[address] += 1
        places = self._places.setdefault(address, asyncio.Semaphore(self._at_once))
        try:
            if await self._wait(places, address):
                await self._work(places, address, scope, receive, send)
            else:
                await _refuse(send)
        finally:
            self._asking[address] -= 1
            if not self._asking[address]:
                del self._asking[address], self._places[address]

    async def _wait(self, places: asyncio.Semaphore, address: str) -> bool:
        """Wait for a place and for processor time; return whether there is one in time."""
        try:
            async with asyncio.timeout(PATIENCE):
                await places.acquire()
                try:
                    while not self._time.has_some(address):
                        await asyncio.sleep(LOOKS)
                except BaseException:
                    places.release()
                    raise
        except TimeoutError:
            return False
        return True

    async def _work(
        self, places: asyncio.Semaphore, address: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        begun = False

        async def send_first(message: Message) -> None:
            nonlocal begun
            if not begun:
                begun = True
                places.release()
            await send(message)

        def spend(seconds: float) -> None:
            self._time.charge(address, seconds)

        spend(BESIDE)
        try:
            work = cast("Coroutine[Any, Any, None]", self._app(scope, receive, send_first))
            await measured(work, spend)
        finally:
            if not begun:
                places.release()


async def _refuse(send: Send) -> None:
    await send(dict(_NO))
    await send(dict(_END))


@types.coroutine
def measured(
    work: Coroutine[Any, Any, None], spend: Callable[[float], None]
) -> Generator[Any, Any, None]:
    """Do some work, and tell the processor time of each of its steps.

    Units: seconds of this thread.
    """
    step: Callable[[], Any] = partial(work.send, None)
    while True:
        began = time.thread_time()
        try:
            awaited = step()
        except StopIteration:
            return
        finally:
            spend(time.thread_time() - began)
        try:
            step = partial(work.send, (yield awaited))
        except BaseException as error:  # the work is told, and may go on
            step = partial(work.throw, error)
