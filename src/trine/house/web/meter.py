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

from trine.core.work.cpu_account import CPU_ACCOUNT
from trine.house.web.access_log import path_told
from trine.house.web.fair_queue import FairQueue
from trine.house.web.guard import Credits, home_of

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
BURST: Final = 1.0
"""Units: seconds of processor time that an address may spend before it has to wait. Guess: twenty
first visits at once, as when a club comes in together."""
REFILL: Final = 4.0
"""Units: seconds; the time in which an address has all of it again: a quarter of one core."""
BURST_OF_TALK: Final = 2.0
"""The same for what is said on sockets, with what it sets going: half of one core, twice as much
as a hundred messages a second take, which is the most that an address may send."""
BURST_OF_ALL: Final = 2.0
"""Units: seconds on the wall for which all addresses together may have the event loop before they
have to wait: more than one of them has."""
REFILL_OF_ALL: Final = 4.0
"""Units: seconds; the time in which they have all of it again: half of the loop's time, however
much of a processor it is given. The other half is for the games."""
LOOKS: Final = 0.02
"""Units: seconds; how often it is looked whether somebody may go on."""
SLICE: Final = 0.005
"""Units: seconds on the wall that all requests have together in one round of the event loop, and
the sockets of one address: what else is ready, such as a turn, waits no longer. Guess."""
_ALL: Final = ""


class Shares:
    """The shares of the event loop's time.

    Whoever has to wait does so in a line: the addresses are let in one after the other, one
    request of each, so that the same is left for each when there is not enough for all.

    Args: ``more`` is by how much shares may be exceeded, such as by a benchmark.
    """

    def __init__(self, more: float = 1.0) -> None:
        self.own: Final = Credits(BURST * more, REFILL)
        self.talk: Final = Credits(BURST_OF_TALK * more, REFILL)
        self._all = Credits(BURST_OF_ALL * more, REFILL_OF_ALL)
        self._line = FairQueue()
        self._usher: asyncio.Task[None] | None = None
        self.busy = False
        """Whether all together have lately asked for more than there is."""
        self._spent: dict[str, float] = {}
        """The time that was spent in this round of the event loop: by all requests, and by the
        sockets of an address."""

    def charge(self, address: str, worked: float, took: float) -> None:
        """Note that time was spent for a request of an address.

        Units: seconds; of a processor, and on the wall.
        """
        self.own.charge(address, worked)
        self._all.charge(_ALL, took)
        self.spend(_ALL, took)

    def spend(self, whose: str, took: float) -> None:
        """Note that time was spent in this round of the event loop."""
        if not self._spent:
            asyncio.get_running_loop().call_soon(self._spent.clear)
        self._spent[whose] = self._spent.get(whose, 0.0) + took

    def round_is_full(self, whose: str) -> bool:
        """Whether what is left to be done is for a later round of the event loop."""
        return self._spent.get(whose, 0.0) >= SLICE

    async def turn(self, address: str) -> None:
        """Wait until there is time for an address."""
        first = not self.busy and not self._line.count(address)
        if first and self._all.has_some(_ALL) and self.own.has_some(address):
            return
        turn = self._line.join(address)
        self._usher = self._usher or asyncio.create_task(self._let_in())
        try:
            await turn
        finally:
            self._line.leave(address, turn)  # it may have been broken off

    async def _let_in(self) -> None:
        """Let those in who wait, one after the other, until nobody does."""
        while self._line:
            for address in self._line:
                if not (enough := self._all.has_some(_ALL)):
                    break
                waits = self._line.count(address) and self.own.has_some(address)
                if waits and self._line.let_in(address):
                    await asyncio.sleep(0)  # what it begins with is charged then
            self.busy = not enough
            await asyncio.sleep(LOOKS)
        self._usher, self.busy = None, False


class SocketBudget:
    """The share of the sockets of an address, from which all is paid that their messages set going.

    It takes nothing from what all have together, since turns are played so.
    """

    def __init__(self, shares: Shares, address: str) -> None:
        self._shares, self._address = shares, address
        self._credits, self._round = shares.talk, address

    def charge(self, seconds: float) -> None:
        self._credits.charge(self._address, seconds)

    async def wait(self) -> None:
        while (seconds := self._credits.debt(self._address)) > 0:
            await asyncio.sleep(seconds)

    def charge_loop(self, worked: float, took: float) -> None:
        """Note that time was spent in the event loop."""
        self.charge(worked)
        self._shares.spend(self._round, took)

    @property
    def round_is_full(self) -> bool:
        """Whether what is left to be done is for a later round of the event loop."""
        return self._shares.round_is_full(self._round)


class RequestAccount(SocketBudget):
    """The share of the requests of an address."""

    def __init__(self, shares: Shares, address: str) -> None:
        super().__init__(shares, address)
        self._credits, self._round = shares.own, _ALL

    def charge_loop(self, worked: float, took: float) -> None:
        """Note that time was spent in the event loop, which all have together."""
        self._shares.charge(self._address, worked, took)


class Meter:
    """An ASGI app that measures the processor time of requests, and bounds that of an address.

    Requests of an address that has spent its time wait, and all do while all together ask for more
    than there is; those that wait for too long, and those that are too many, are refused before any
    work, in a few bytes. An answer that goes on (a stream, a socket) counts as begun, and its place
    is free, once its head is sent. Whatever a request sets going pays from the same share, in the
    event loop or not (`trine.core.work.cpu_account`); socket messages have a share of their own.

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
        account.charge_loop(BESIDE, BESIDE)
        call_task(f"{scope.get('method', 'socket')} {path_told(scope)}")
        talks = scope["type"] == "websocket"
        payer = CPU_ACCOUNT.set(SocketBudget(self.shares, address) if talks else account)
        try:
            work = cast("Coroutine[Any, Any, None]", self._app(scope, receive, send_first))
            await shared(work, account)
        finally:
            CPU_ACCOUNT.reset(payer)
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
def shared(work: Coroutine[Any, Any, Result], account: SocketBudget) -> Generator[Any, Any, Result]:
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
            account.charge_loop(time.thread_time() - began, time.perf_counter() - at)
        try:
            step = partial(work.send, (yield awaited))
        except BaseException as error:  # the work is told, and may go on
            step = partial(work.throw, error)


def call_task(name: str) -> None:
    """Say what the present task is for, in case that the event loop stands still for it."""
    if task := asyncio.current_task():
        task.set_name(name)


async def paid(work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Do some work as a task of its own, for the address that has asked for it."""
    payer = CPU_ACCOUNT.get()
    return await (shared(work(), payer) if isinstance(payer, SocketBudget) else work())
