"""The lease by which a process holds its games, and what it does for all.

It is renewed every few seconds. A process that was late, since it was stopped or had no database,
finds out here: its games may have been taken by others meanwhile.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from trine.core.errors import TrineError
from trine.store.homes import LEASE
from trine.store.refusals import HeldError

if TYPE_CHECKING:
    from trine.house.house import House

BEAT: Final = 2.0
"""Units: seconds; so much of the time of a player may be refunded after the house broke down."""
AT_REST: Final = 15
"""Each so many beats a house in a file notes that it is open where nobody plays on a clock."""
SWEEP: Final = 1.0
"""Units: seconds; games whose home is gone are looked for so often."""
ADOPTED: Final = 32
"""Games that are taken at once, so that several processes share them. Guess."""


class Lease:
    """The lease of this process."""

    def __init__(self, house: House, home: str, address: str) -> None:
        self.home: Final = home
        """The name of the process; each has another one."""
        self.address: Final = address
        """Where a proxy reaches it, as ``host:port``."""
        self.alive_at: float | None = None
        """When it was last at work. Units: seconds since 1970."""
        self._house = house
        self.lapses = 0
        """The times that this process was too late, for metrics."""
        self._renewed = time.monotonic()
        self._duties: set[str] = set()
        self._beats = 0

    @property
    def lapsed(self) -> bool:
        """Whether what it held may be another's by now."""
        return time.monotonic() - self._renewed > LEASE

    async def begin(self) -> None:
        """Be known as a home.

        Raises:
            StoreError: it cannot be written.
        """
        await self._renew(late=True)

    async def run(self) -> None:
        """Renew it, for ever."""
        while True:
            await asyncio.sleep(BEAT)
            try:
                await self._beat()
            except TrineError as error:
                self._house.report("the house could not note that it is open", error)

    async def _beat(self) -> None:
        house, before = self._house, self.alive_at
        late = self.lapsed
        self._beats += 1
        # A file on which nothing is played is mostly left alone.
        busy = house.store.homes.shared or any(host.runs() for host in house.hosts)
        if late or busy or not self._beats % AT_REST:
            late |= not await self._renew(late=late)
        else:
            self._renewed, self.alive_at = time.monotonic(), round(house.now(), 3)
        if late:
            self.lapses += 1
            self._duties.clear()
            await house.woken(before)

    async def _renew(self, *, late: bool = False) -> bool:
        house, began = self._house, time.monotonic()
        now = round(house.now(), 3)
        held = await asyncio.wrap_future(
            house.store.homes.renew(self.home, self.address, now, late=late)
        )
        self._renewed, self.alive_at = began, now
        return held or not house.store.homes.shared

    async def end(self) -> None:
        """Let others have the games at once."""
        now = round(self._house.now(), 3)
        try:
            await asyncio.wrap_future(self._house.store.homes.leave(self.home, now))
        except TrineError as error:
            self._house.report("the house could not note that it is closed", error)

    # --- what is held -----------------------------------------------------------------------------

    async def check_free(self, game: str) -> None:
        """Check that no other process holds a game.

        Raises:
            HeldError: one does.
        """
        store = self._house.store
        if store.homes.shared:
            found = await asyncio.to_thread(store.homes.of_game, game)
            if found and found.holds and found.name != self.home:
                raise HeldError(found.address)

    async def take_duty(self, duty: str) -> None:
        """Do something for all, if no other process does.

        Raises:
            HeldError: one does.
        """
        store = self._house.store
        if not store.homes.shared or (duty in self._duties and not self.lapsed):
            return
        found = await asyncio.to_thread(store.homes.of_duty, duty)
        if found and found.holds and found.name != self.home:
            raise HeldError(found.address)
        await asyncio.wrap_future(store.homes.take_duty(duty, self.home))
        self._duties.add(duty)

    async def sweep(self) -> None:
        """Take the games of processes that are gone whose clocks run, for ever."""
        house = self._house
        while True:
            try:
                while await asyncio.to_thread(house.store.homes.has_orphans):
                    future = house.store.homes.adopt(self.home, ADOPTED)
                    if not (taken := await asyncio.wrap_future(future)):
                        break
                    await house.adopted(taken)
            except TrineError as error:
                house.report("games of another process could not be gone on with", error)
            house.recovered.set()
            await asyncio.sleep(SWEEP)
