"""Places at some work, given out fairly: to one address after the other, one to each at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from trine.core.text.sentence import text
from trine.house.refusals import HouseError
from trine.web.line import Line

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
        self._line = Line()

    @asynccontextmanager
    async def of(self, address: str) -> AsyncIterator[None]:
        """Wait for a place, and have it.

        Raises:
            HouseError: too much waits already.
        """
        if self._line.count(address) >= MOST_OF_ONE or len(self._line) >= MOST_WAITING:
            raise HouseError(text("too much at once; try again in a moment"))
        turn = self._line.join(address)
        self._give()
        try:
            await turn
        except asyncio.CancelledError:
            self._line.leave(address, turn)
            if not turn.cancelled():  # it has just got its place
                self._release(address)
            raise
        try:
            yield
        finally:
            self._release(address)

    def _give(self) -> None:
        """Give free places to addresses that have none."""
        for address in self._line:
            if self._free and address not in self._busy and self._line.let_in(address):
                self._free -= 1
                self._busy.add(address)

    def _release(self, address: str) -> None:
        self._free += 1
        self._busy.discard(address)
        self._give()
