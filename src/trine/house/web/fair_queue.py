"""A queue that serves addresses round-robin, regardless of their numbers of requests."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Iterator


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
