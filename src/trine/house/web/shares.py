"""The time of the event loop, in shares: a part for each address, and a part for all together."""

from __future__ import annotations

import asyncio
from typing import Final

from trine.house.web.guard import Credits
from trine.house.web.line import Line

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
        self._own = Credits(BURST * more, REFILL)
        self._talk = Credits(BURST_OF_TALK * more, REFILL)
        self._all = Credits(BURST_OF_ALL * more, REFILL_OF_ALL)
        self._line = Line()
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
        self._own.charge(address, worked)
        self._all.charge(_ALL, took)
        self._spend(_ALL, took)

    def _spend(self, whose: str, took: float) -> None:
        if not self._spent:
            asyncio.get_running_loop().call_soon(self._spent.clear)
        self._spent[whose] = self._spent.get(whose, 0.0) + took

    @property
    def round_is_full(self) -> bool:
        """Whether what is left to be done is for a later round of the event loop."""
        return self._spent.get(_ALL, 0.0) >= SLICE

    async def turn(self, address: str) -> None:
        """Wait until there is time for an address."""
        first = not self.busy and not self._line.count(address)
        if first and self._all.has_some(_ALL) and self._own.has_some(address):
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
                waits = self._line.count(address) and self._own.has_some(address)
                if waits and self._line.let_in(address):
                    await asyncio.sleep(0)  # what it begins with is charged then
            self.busy = not enough
            await asyncio.sleep(LOOKS)
        self._usher, self.busy = None, False


class Account:
    """The share of the sockets of an address, from which all is paid that their messages set going.

    It takes nothing from what all have together, since turns are played so.
    """

    def __init__(self, shares: Shares, address: str) -> None:
        self._shares, self._address = shares, address

    @property
    def _credits(self) -> Credits:
        return self._shares._talk

    def pay(self, seconds: float) -> None:
        """Note that a processor worked so long for the address."""
        self._credits.charge(self._address, seconds)

    async def turn(self) -> None:
        """Wait while the address has spent its share."""
        while (wait := self._credits.debt(self._address)) > 0:
            await asyncio.sleep(wait)

    def charge(self, worked: float, took: float) -> None:
        """Note that time was spent in the event loop."""
        self.pay(worked)
        self._shares._spend(self._address, took)

    @property
    def round_is_full(self) -> bool:
        """Whether what is left to be done is for a later round of the event loop."""
        return self._shares._spent.get(self._address, 0.0) >= SLICE


class RequestAccount(Account):
    """The share of the requests of an address."""

    @property
    def _credits(self) -> Credits:
        return self._shares._own

    def charge(self, worked: float, took: float) -> None:
        """Note that time was spent in the event loop, which all have together."""
        self._shares.charge(self._address, worked, took)

    @property
    def round_is_full(self) -> bool:
        """Whether what is left to be done is for a later round of the event loop."""
        return self._shares.round_is_full
