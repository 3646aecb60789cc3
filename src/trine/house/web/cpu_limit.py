"""CPU limits per network address: requests over the limit wait; others are not delayed."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any, Final, TypeVar, cast

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trine.core.work.cpu_account import CPU_ACCOUNT
from trine.house.web.access_log import redacted_path
from trine.house.web.rate_limits import RateLimiter, network_of
from trine.house.web.rounds import FairQueue, Rounds, run_within

Result = TypeVar("Result")

OVERHEAD: Final = 0.001
"""Units: seconds; the cost of a request besides its work: reading and responding. Measured."""
MAX_CONCURRENT: Final = 4  # requests of an address
MAX_WAITING: Final = 256  # requests of an address; further ones are refused at once
MAX_WAITING_OF_ALL: Final = 2048
"""If more requests wait, an address may have only as many as are handled concurrently."""
QUEUE_TIMEOUT: Final = 20.0
"""Units: seconds; the wait before a request is refused: longer than the time to send one."""
TOO_MUCH: Final = (HTTPStatus.TOO_MANY_REQUESTS, b"too much at once; try again in some seconds\n")
BUSY: Final = (
    HTTPStatus.SERVICE_UNAVAILABLE,
    b"too many want something of this house; try again in some seconds\n",
)
BURST: Final = 1.0
"""Units: seconds of CPU time that an address may spend before it has to wait. Guess: twenty first
visits at once, as when a club comes in together."""
REFILL: Final = 4.0  # seconds; the time to refill a full burst: a quarter of one core
BURST_OF_TALK: Final = 2.0
"""Units: seconds of CPU time for the messages of an address's sockets and the work that they start.
With `REFILL` half of one core: twice the time of a hundred messages a second, the maximum of an
address."""
BURST_OF_ALL: Final = 2.0
"""Units: seconds of wall time; the burst of all addresses together, more than `BURST`."""
REFILL_OF_ALL: Final = 4.0
"""Units: seconds; the time to refill the burst of all addresses: requests get half of the loop,
whatever its share of a core. The other half is for games."""
POLL_INTERVAL: Final = 0.02  # seconds
_ALL: Final = ""


class CpuBudgets:
    """The CPU time of the event loop, limited by network address.

    Waiting requests are admitted round-robin by address, one at a time, so that under load every
    address gets an equal share. ``limit_factor`` multiplies the limits, for benchmarks.
    """

    def __init__(self, limit_factor: float = 1.0) -> None:
        self.own: Final = RateLimiter(BURST * limit_factor, REFILL)
        self.talk: Final = RateLimiter(BURST_OF_TALK * limit_factor, REFILL)
        self.debts: Final = DebtQueue(self.own)
        self.debts_of_talk: Final = DebtQueue(self.talk)
        self.rounds: Final = Rounds(self._end_round)
        self._all = RateLimiter(BURST_OF_ALL * limit_factor, REFILL_OF_ALL)
        self._queue = FairQueue()
        self._dispatcher: asyncio.Task[None] | None = None
        self.busy = False  # whether all requests together have recently used more than their budget

    def charge(self, address: str, cpu: float, wall: float) -> None:
        """Charge an address for a step of a request. Units: seconds of CPU time and wall time."""
        self.own.charge(address, cpu)
        self._all.charge(_ALL, wall)
        self.rounds.spend(_ALL, cpu)

    def _end_round(self, key: str, cpu: float) -> None:
        if key != _ALL:  # requests have already been charged
            self.talk.charge(key, cpu)

    async def wait_for_slot(self, address: str) -> None:
        first = not self.busy and not self._queue.count(address)
        if first and self._all.has_credit(_ALL) and self.own.has_credit(address):
            return
        slot = self._queue.join(address)
        self._dispatcher = self._dispatcher or asyncio.create_task(self._let_in())
        try:
            await slot
        finally:
            self._queue.leave(address, slot)  # the slot may have been cancelled

    async def _let_in(self) -> None:
        """Admit waiting requests one by one until none waits."""
        while self._queue:
            for address in self._queue:
                if not (enough := self._all.has_credit(_ALL)):
                    break
                waits = self._queue.count(address) and self.own.has_credit(address)
                if waits and self._queue.let_in(address):
                    await asyncio.sleep(0)  # the first step is charged before the next check
            self.busy = not enough
            await asyncio.sleep(POLL_INTERVAL)
        self._dispatcher, self.busy = None, False


class DebtQueue:
    """Messages of addresses that owe CPU time, each released once the debt is paid.

    Each address has one timer, however many of its messages wait.
    """

    def __init__(self, limiter: RateLimiter) -> None:
        self._credits = limiter
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    async def wait(self, address: str) -> None:
        """Wait while an address owes CPU time, after its messages that already wait."""
        waiting = self._waiting.get(address)
        if waiting is None:
            if self._credits.seconds_of_debt(address) <= 0:
                return
            waiting = self._waiting[address] = deque()
            self._schedule(address)
        slot: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting.append(slot)
        await slot

    def _schedule(self, address: str) -> None:
        wait = self._credits.seconds_of_debt(address)
        asyncio.get_running_loop().call_later(wait, self._admit, address)

    def _admit(self, address: str) -> None:
        waiting = self._waiting[address]
        while waiting and self._credits.seconds_of_debt(address) <= 0:
            slot = waiting.popleft()
            if not slot.done():  # the slot's task may have been cancelled
                slot.set_result(None)
                break
        if waiting:
            self._schedule(address)
        else:
            del self._waiting[address]


class SocketBudget:
    """The CPU budget of an address's sockets, charged with all work that their messages start.

    It does not draw on the budget that all requests share, because turns arrive this way.
    """

    def __init__(self, budgets: CpuBudgets, address: str) -> None:
        self._budgets, self._address = budgets, address
        self._credits, self._debts, self.key = budgets.talk, budgets.debts_of_talk, address
        self.rounds: Final = budgets.rounds

    def charge(self, seconds: float) -> None:
        """Charge for CPU time outside the event loop."""
        self._credits.charge(self._address, seconds)

    async def wait(self) -> None:
        await self._debts.wait(self._address)

    def charge_loop(self, cpu: float, wall: float) -> None:
        """Charge for a step in the event loop."""
        self.rounds.spend(self.key, cpu)


class RequestBudget(SocketBudget):
    """The CPU budget of an address's requests."""

    def __init__(self, budgets: CpuBudgets, address: str) -> None:
        super().__init__(budgets, address)
        self._credits, self._debts, self.key = budgets.own, budgets.debts, _ALL

    def charge_loop(self, cpu: float, wall: float) -> None:
        self._budgets.charge(self._address, cpu, wall)


class CpuLimitMiddleware:
    """ASGI middleware that measures the CPU time of requests and limits it by address.

    Requests of an address over its limit wait; if all requests together are over their limit, all
    wait. Requests that wait too long, or are too many, are refused with a few bytes before any
    work. A response that continues (a stream, a socket) stops counting as a request once its head
    is sent. All work that a request starts is charged to its budget, in the event loop or not
    (`trine.core.work.cpu_account`); socket messages have a budget of their own. ``limit_factor``
    multiplies the limits, for benchmarks.
    """

    def __init__(self, app: ASGIApp, limit_factor: float = 1.0) -> None:
        self._app = app
        self.budgets: Final = CpuBudgets(limit_factor)
        self._asking: Counter[str] = Counter()
        self._places: dict[str, asyncio.Semaphore] = {}
        self._at_once = max(1, round(MAX_CONCURRENT * limit_factor))
        self.refused = 0  # number of requests refused because the house was busy

    @property
    def waiting(self) -> int:
        """The number of requests that are handled or wait."""
        return self._asking.total()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        client = scope.get("client")
        address = network_of(client[0]) if client else ""
        asking = self._asking[address]
        if asking >= MAX_WAITING:
            await self._refuse(TOO_MUCH, scope, receive, send)
            return
        if asking >= self._at_once and self.waiting >= MAX_WAITING_OF_ALL:
            await self._refuse(BUSY, scope, receive, send)
            return
        self._asking[address] += 1
        places = self._places.setdefault(address, asyncio.Semaphore(self._at_once))
        if await self._wait(places, address):
            await self._work(places, address, scope, receive, send)
        else:
            why = BUSY if self.budgets.busy else TOO_MUCH
            await self._refuse(why, scope, receive, send)

    async def _wait(self, places: asyncio.Semaphore, address: str) -> bool:
        """Wait for a slot and for CPU time; return False after `QUEUE_TIMEOUT`."""
        placed = False
        try:
            async with asyncio.timeout(QUEUE_TIMEOUT):
                placed = await places.acquire()
                await self.budgets.wait_for_slot(address)
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

        budget = RequestBudget(self.budgets, address)
        budget.charge_loop(OVERHEAD, OVERHEAD)
        name_task(f"{scope.get('method', 'socket')} {redacted_path(scope)}")
        talks = scope["type"] == "websocket"
        token = CPU_ACCOUNT.set(SocketBudget(self.budgets, address) if talks else budget)
        try:
            work = cast("Coroutine[Any, Any, None]", self._app(scope, receive, send_first))
            await run_within(work, budget)
        finally:
            CPU_ACCOUNT.reset(token)
            begin()

    async def _refuse(
        self, why: tuple[int, bytes], scope: Scope, receive: Receive, send: Send
    ) -> None:
        status, words = why
        self.refused += why is BUSY
        headers = {"retry-after": "5", "connection": "close"}
        await Response(words, status, headers, "text/plain")(scope, receive, send)


def name_task(name: str) -> None:
    """Name the current task, so that a stalled event loop can be explained in the log."""
    if task := asyncio.current_task():
        task.set_name(name)


async def charged(work: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Run some work, charged to the address that requested it."""
    budget = CPU_ACCOUNT.get()
    return await (run_within(work(), budget) if isinstance(budget, SocketBudget) else work())
