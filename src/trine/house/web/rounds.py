"""Fair shares of the event loop, a slice of each round per address, and a round-robin queue.

A step beyond the slice waits in the queue of its address. Waiting costs nothing, however many steps
wait: each round wakes no more of an address's steps than are likely to fit.
"""

import asyncio
import math
import time
import types
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine, Generator, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Protocol, TypeVar, cast

Result = TypeVar("Result")
Step = Callable[[], Any]
ROUND_TIME: Final = 0.02
"""Units: seconds of CPU time in one round, divided among the addresses whose steps wait; all
requests together count as one address. Other ready work, such as a turn, waits no longer. Measured:
a turn costs a sixth less than with a quarter of it, because a commit then stores more turns."""
MIN_SLICE: Final = 0.005  # seconds; the least that an address gets of a round; guess
MAX_BATCH: Final = 32  # steps of an address that one round wakes; guess


@dataclass
class _Queue:
    """The waiting steps of one address."""

    waiting: deque[tuple[asyncio.Future[None], float]] = field(default_factory=deque)
    """The futures that wake the steps, and the times when they were queued."""
    batch: int = 4  # number of steps that the next round wakes
    sent_back: bool = False  # whether a step was woken in this round and did not fit

    def wake(self, spent: float, allowed: float) -> None:
        """Wake a batch of steps for the next round: more if this one was short, fewer if full."""
        if self.sent_back:
            self.batch = max(1, self.batch // 2)
        elif spent < allowed / 2:
            self.batch = min(MAX_BATCH, 2 * self.batch)
        self.sent_back = False
        woken = 0
        while self.waiting and woken < self.batch:
            slot, _ = self.waiting.popleft()
            if not slot.done():  # the slot's task may have been cancelled
                slot.set_result(None)
                woken += 1


class Rounds:
    """The slices of all keys in the present round of the event loop; a key is usually an address.

    ``charge`` is called at the end of a round with each key and the seconds that it spent.
    """

    def __init__(self, charge: Callable[[str, float], None]) -> None:
        self._charge = charge
        self._spent: dict[str, float] = {}
        self._queues: dict[str, _Queue] = {}
        self._slice = ROUND_TIME  # seconds; what each address may spend in this round
        self._ends = False  # whether the end of this round is scheduled
        self.steps = 0  # run so far
        self.empty_wakes = 0  # number of times that a woken step did not fit

    @property
    def waiting(self) -> int:
        return sum(len(queue.waiting) for queue in self._queues.values())

    @property
    def longest_wait(self) -> float:
        """Units: seconds; how long the step that waits longest has waited."""
        fronts = (queue.waiting[0][1] for queue in self._queues.values() if queue.waiting)
        return max(0.0, time.monotonic() - min(fronts, default=math.inf))

    def spend(self, key: str, seconds: float) -> None:
        """Record CPU time spent in this round."""
        self.steps += 1
        self._spent[key] = self._spent.get(key, 0.0) + seconds
        self._schedule_end()

    def is_full(self, key: str) -> bool:
        """Return whether the slice of a key is used up."""
        return self._spent.get(key, 0.0) >= self._slice

    def must_wait(self, key: str) -> bool:
        """Return whether a new step must wait: its key's slice is used up, or older steps wait."""
        return key in self._queues or self.is_full(key)

    def join(self, key: str) -> asyncio.Future[None]:
        """Queue a step; the future is done when the step may be tried."""
        slot: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue(key).waiting.append((slot, time.monotonic()))
        return slot

    def send_back(self, key: str) -> asyncio.Future[None]:
        """Queue a woken step that did not fit again, before all others of the key."""
        self.empty_wakes += 1
        slot: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue = self._queue(key)
        queue.sent_back = True
        queue.waiting.appendleft((slot, time.monotonic()))
        return slot

    def _queue(self, key: str) -> _Queue:
        self._schedule_end()
        return self._queues.setdefault(key, _Queue())

    def _schedule_end(self) -> None:
        if not self._ends:
            self._ends = True
            asyncio.get_running_loop().call_soon(self._end)

    def _end(self) -> None:
        """End the round: charge what was spent, and wake waiting steps."""
        spent, self._spent, self._ends = self._spent, {}, False
        for key, seconds in spent.items():
            self._charge(key, seconds)
        self._slice = max(MIN_SLICE, ROUND_TIME / max(1, len(self._queues)))
        for key, queue in list(self._queues.items()):
            queue.wake(spent.get(key, 0.0), self._slice)
            if not queue.waiting:
                del self._queues[key]
        if self._queues:
            self._schedule_end()


class Budget(Protocol):
    """The account that is charged for the steps of some work; see `trine.house.web.cpu_limit`."""

    @property
    def rounds(self) -> Rounds: ...

    @property
    def key(self) -> str: ...

    def charge_loop(self, cpu: float, wall: float) -> None: ...


@types.coroutine
def run_within(work: Coroutine[Any, Any, Result], budget: Budget) -> Generator[Any, Any, Result]:
    """Run some work step by step, each within the slice of its address."""
    rounds, key, charge = budget.rounds, budget.key, budget.charge_loop
    step: Step = partial(work.send, None)
    while True:
        if rounds.must_wait(key):
            step = yield from _wait(rounds, key, work, step)
        began, at = time.thread_time(), time.perf_counter()
        try:
            awaited = step()
        except StopIteration as end:
            return cast("Result", end.value)
        finally:
            charge(time.thread_time() - began, time.perf_counter() - at)
        try:
            step = partial(work.send, (yield awaited))
        except BaseException as error:  # the work receives the error, and may continue
            step = partial(work.throw, error)


def _wait(
    rounds: Rounds, key: str, work: Coroutine[Any, Any, Any], step: Step
) -> Generator[Any, Any, Step]:
    """Wait until a step fits; return it, or the function that throws an error into the work."""
    slot = rounds.join(key)
    while True:
        try:
            yield from slot
        except BaseException as error:
            step = partial(work.throw, error)
            if slot.cancelled():  # the slot has lost its place in the queue
                slot = rounds.join(key)
                continue
        if not rounds.is_full(key):
            return step
        slot = rounds.send_back(key)


class FairQueue:
    """The waiting requests by address; the next address to be served is first.

    >>> async def story() -> None:
    ...     line = FairQueue()
    ...     first, second, _ = (line.join(address) for address in ("a", "a", "b"))
    ...     print(list(line), line.count("a"), len(line))
    ...     print(line.let_in("a"), first.done(), second.done(), list(line))
    >>> asyncio.run(story())
    ['a', 'b'] 2 3
    True True False ['b', 'a']
    """

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    def __iter__(self) -> Iterator[str]:
        """Yield the waiting addresses, in the present order."""
        return iter(list(self._waiting))

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def count(self, address: str) -> int:
        return len(self._waiting.get(address, ()))

    def join(self, address: str) -> asyncio.Future[None]:
        """Return a future that is done when a request of the address is admitted."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        return turn

    def let_in(self, address: str) -> bool:
        """Admit the first request of an address; return False if it was cancelled meanwhile.

        The other requests of the address move to the end of the queue.
        """
        turn = self._waiting[address][0]
        self.leave(address, turn)
        if turn.done():
            return False
        turn.set_result(None)
        return True

    def leave(self, address: str, slot: asyncio.Future[None]) -> None:
        waiting = self._waiting.get(address, ())
        if slot in waiting:
            self._waiting[address].remove(slot)
            self._waiting.move_to_end(address)
            if not waiting:
                del self._waiting[address]
