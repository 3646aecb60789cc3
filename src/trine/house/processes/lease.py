"""The lease of a process on games, and what it leads.

The lease is renewed every few seconds. A process that was late, since it was stopped or had no
database, finds out here: its games may have been taken by others meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from trine.house.background import Report, Work
from trine.house.games.correspondence import Recovery
from trine.house.processes.tables import (
    LEASE,
    Home,
    adopt_games,
    end_leases,
    end_leases_of,
    fencing_tokens_of,
    has_orphans,
    home_of,
    last_sign,
    leader_of,
    renew_leases,
    take_game,
    take_lead,
)
from trine.house.store.database_time import database_moment
from trine.house.store.postgres import listeners
from trine.house.store.store import HouseClock, Store
from trine.house.store.store_errors import HeldError

BEAT: Final = 2.0
"""Units: seconds; the interval of renewal, and so the most refunded time after a breakdown."""
AT_REST: Final = 15
"""The number of beats between two signs of life of a house in a file where no clock runs."""
SWEEP: Final = 1.0
"""Units: seconds; the interval of looking for games whose home is gone."""
JUMP: Final = 5.0
"""Units: seconds; by how much the clock on the wall has to be ahead for the house to follow it."""
ADOPTED: Final = 32
"""The number of games taken at once, so that several processes share them. Guess."""


class Lease:
    """The lease of this process."""

    def __init__(
        self,
        store: Store,
        now: HouseClock,
        report: Report,
        home: str,
        address: str,
        *,
        plays: Callable[[], bool],
        woken: Callable[[float | None], Awaitable[None]],
    ) -> None:
        """Begin without one.

        Args: ``plays`` returns whether a clock runs here. ``woken`` is called after this process
        was too late, with its last sign of life.
        """
        self.home: Final = home
        """The name of the process; each has another one."""
        self.address: Final = address
        """Where a proxy reaches it, as ``host:port``."""
        self.alive_at: float | None = None
        """When it was last at work. Units: seconds since 1970."""
        self._store, self._now, self._report = store, now, report
        self._plays, self._woken = plays, woken
        self.lapses = 0
        """The times that this process was too late, for metrics."""
        self._renewed = time.monotonic()
        self._leads: set[str] = set()
        self._beats = 0
        self._connected: frozenset[str] = frozenset()
        """The processes that have been seen connected, those included that are missing."""
        self._missing: frozenset[str] = frozenset()
        """Those of them that were not connected at the last look."""

    @property
    def lapsed(self) -> bool:
        """Whether the lease has expired, so that another process may hold the games."""
        return time.monotonic() - self._renewed > LEASE

    async def begin(self) -> None:
        """Set the clock, and register this process as a home.

        The clock on the wall may have been set back while no process was open: the house goes on
        from the newest moment that it knows of, so that no turn ends before it has begun.
        """
        wall, last = await self._wall(), await self._store.fetch(last_sign)
        unnoted = 0.0 if self._store.shared else BEAT * (AT_REST + 1)
        self._now.set(wall if last is None or last <= wall else last + unnoted)
        await self._renew(late=True)

    async def beat(self) -> None:
        """Renew the lease, or record in a file that the house is open.

        Where the clock on the wall has jumped ahead, since the machine was suspended or somebody
        has set it, the house follows, and nobody pays for the time between.
        """
        before, late = self.alive_at, self.lapsed
        now, wall = self._now(), await self._wall()
        if jumped := wall - now > JUMP:
            before, late = now, True
        self._beats += 1
        # A file on which nothing is played is mostly left alone.
        busy = self._store.shared or self._plays()
        if late or busy or not self._beats % AT_REST:
            late |= not await self._renew(late=late, at=wall if jumped else None)
        else:
            self._renewed, self.alive_at = time.monotonic(), round(self._now(), 3)
        if late:
            self.lapses += 1
            self._leads.clear()
            if jumped:  # what is asked for from here on comes after all games have stood still
                self._now.set(max(wall, self._now()))
            await self._woken(before)

    async def _wall(self) -> float:
        """Return the time on the wall, which is the database's where several processes share it."""
        if self._store.shared and self._now.wall is time.time:
            return await self._store.fetch(database_moment)
        return self._now.wall()

    async def _renew(self, *, late: bool = False, at: float | None = None) -> bool:
        began = time.monotonic()
        now = round(self._now() if at is None else at, 3)
        held = await self._store.commit(
            renew_leases, self.home, self.address, now, LEASE, late=late
        )
        self._renewed, self.alive_at = began, now
        return held or not self._store.shared

    async def end(self) -> None:
        """End the lease, so that others can take the games at once."""
        now = round(self._now(), 3)
        try:
            await self._store.commit(end_leases, self.home, now)
        except Exception as error:  # the rest is closed all the same
            self._report("the house could not note that it is closed", error)

    # --- what is held -----------------------------------------------------------------------------

    async def take(self, game: str, *, held: bool) -> float | None:
        """Take a game, even if ``held`` by another; return the last sign of life of its home.

        Raises:
            HeldError: another process plays it.
        """
        store = self._store
        if store.shared and not held:
            self._check_free(await store.fetch(home_of, game))
        return await store.commit(take_game, game, self.home, held=held)

    async def is_elsewhere(self, game: str) -> bool:
        return self._is_other(await self._store.fetch(home_of, game))

    def _is_other(self, home: Home | None) -> bool:
        return home is not None and home.holds and home.name != self.home

    def _check_free(self, home: Home | None) -> None:
        if home and self._is_other(home):
            raise HeldError(home.address)

    async def lost(self, fencing_tokens: Mapping[str, int]) -> list[str]:
        """Return the games, given with their fencing tokens, that are at home elsewhere by now."""
        store = self._store
        if not store.shared:
            return []
        here = await store.fetch(fencing_tokens_of, list(fencing_tokens), self.home)
        return [game for game, token in fencing_tokens.items() if here.get(game) != token]

    async def take_lead(self, name: str) -> None:
        """Become the leader of something, if no other process is.

        Raises:
            HeldError: another process is.
        """
        store = self._store
        if not store.shared or (name in self._leads and not self.lapsed):
            return
        self._check_free(await store.fetch(leader_of, name))
        await store.commit(take_lead, name, self.home)
        self._leads.add(name)

    def as_leader(self, name: str, work: Work) -> Work:
        """Wrap work so that it is done here only while this process leads it."""

        async def done() -> None:
            try:
                await self.take_lead(name)
            except HeldError:
                return
            await work()

        return done

    async def end_lost(self) -> None:
        """End the leases of processes that have been connected, and twice now were not."""
        connected = frozenset(await self._store.fetch(listeners))
        missing = self._connected - connected - {self.home}
        gone, self._missing = missing & self._missing, missing - self._missing
        self._connected = (self._connected | connected) - gone
        if gone:
            await self._store.commit(end_leases_of, gone)

    async def sweep(self, recovery: Recovery) -> None:
        """Take games with running clocks from processes that are gone."""
        try:
            await self.end_lost()
            while await self._store.fetch(has_orphans):
                taken = await self._store.commit(adopt_games, self.home, ADOPTED)
                if not taken:
                    break
                await recovery.adopt(taken)
        finally:
            recovery.done.set()
