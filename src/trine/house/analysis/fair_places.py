"""Places at some work, given out fairly: to one address after the other, one to each at a time."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from trine.core.text.sentence import text
from trine.house.refusals import HouseError

MOST_OF_ONE: Final = 8
"""The number of requests of one address that may wait for a place."""
MOST_WAITING: Final = 256
"""The number of all that may."""


class FairPlaces:
    """Some places; an address has one of them at a time, however much it asks for.

    >>> places = FairPlaces(2)
    >>> async def work(address: str, name: str) -> None:
    ...     async with places.of(address):
    ...         print(name)
    ...         await asyncio.sleep(0)
    >>> async def all_of_it() -> None:
    ...     await asyncio.gather(*(work("flood", f"flood {n}") for n in range(3)), work("b", "b"))
    >>> asyncio.run(all_of_it())
    flood 0
    b
    flood 1
    flood 2
    """

    def __init__(self, count: int) -> None:
        self._free = count
        self._busy: set[str] = set()
        """The addresses that have a place."""
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """By address, those whose turn it is first in front."""

    @asynccontextmanager
    async def of(self, address: str) -> AsyncIterator[None]:
        """Wait for a place, and have it.

        Raises:
            HouseError: too much waits already.
        """
        mine = self._waiting.get(address, ())
        if len(mine) >= MOST_OF_ONE or sum(map(len, self._waiting.values())) >= MOST_WAITING:
            raise HouseError(text("too much at once; try again in a moment"))
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        self._give()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._leave(address, turn)
            else:
                self._release(address)
            raise
        try:
            yield
        finally:
            self._release(address)

    def _give(self) -> None:
        """Give free places to addresses that have none."""
        for address in list(self._waiting):
            if self._free and address not in self._busy:
                turn = self._waiting[address][0]
                self._leave(address, turn)
                self._free -= 1
                self._busy.add(address)
                turn.set_result(None)

    def _leave(self, address: str, turn: asyncio.Future[None]) -> None:
        """Take one out of those that wait; the others of the address go to the end of all."""
        self._waiting[address].remove(turn)
        self._waiting.move_to_end(address)
        if not self._waiting[address]:
            del self._waiting[address]

    def _release(self, address: str) -> None:
        self._free += 1
        self._busy.discard(address)
        self._give()
