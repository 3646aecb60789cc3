"""The lease of a process on its games and on the roles that it leads.

The lease is renewed every few seconds. A process that was suspended, or had no database, notices
here that it is late: other processes may have adopted its games meanwhile.
"""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from trine.house.background import Report, Work
from trine.house.games.live.task_scheduler import Recovery
from trine.house.processes import tables
from trine.house.processes.tables import Home
from trine.house.store.postgres import listeners
from trine.house.store.schema import database_moment
from trine.house.store.store import HouseClock, Store
from trine.house.store.store_errors import HeldError

RENEW_INTERVAL: Final = 2.0
"""Units: seconds; the interval of renewals, and so the maximum refund after a breakdown."""
IDLE_RENEWALS: Final = 15
"""The number of intervals between two heartbeats of a house in a file while no clock runs."""
SWEEP_INTERVAL: Final = 1.0  # seconds between checks for games whose home has died
CLOCK_JUMP: Final = 5.0
"""Units: seconds; if the wall clock is ahead by this time, the house's clock is moved forward."""
ADOPT_BATCH: Final = 32
"""The number of games adopted at once, so that several processes share them. Guess."""


class Lease:
    """The lease of this process."""

    def __init__(
        self,
        store: Store,
        now: HouseClock,
        report: Report,
        home: str,
        node_address: str,
        *,
        has_running_clock: Callable[[], bool],
        on_lapse: Callable[[float | None], Awaitable[None]],
    ) -> None:
        """Create a process without a lease.

        ``has_running_clock`` returns whether a clock runs here. ``on_lapse`` is called with the
        last heartbeat after this process was late.
        """
        self.home: Final = home
        self.node_address: Final = node_address
        """The process's address for a proxy, as ``host:port``."""
        self.last_heartbeat: float | None = None
        """The time of the last heartbeat. Units: seconds since 1970."""
        self._store, self._now, self._report = store, now, report
        self._has_running_clock, self._on_lapse = has_running_clock, on_lapse
        self.lapses = 0  # number of times that this process was late, for metrics
        self._renewed = time.monotonic()
        self._leads: set[str] = set()
        self._beats = 0
        self._connected: frozenset[str] = frozenset()
        """The processes that have been seen connected, missing ones included."""
        self._missing: frozenset[str] = frozenset()
        """The processes that were not connected at the last check."""

    @property
    def lapsed(self) -> bool:
        """Whether the lease has expired, so that other processes may hold the games."""
        return time.monotonic() - self._renewed > tables.LEASE

    async def begin(self) -> None:
        """Set the clock, and register this process as a home.

        The wall clock may have been set back while no process was running, so the house continues
        from the latest stored time: no turn may end before it began.
        """
        wall, last = await self._wall(), await self._store.fetch(tables.last_sign)
        unnoted = 0.0 if self._store.shared else RENEW_INTERVAL * (IDLE_RENEWALS + 1)
        self._now.set(wall if last is None or last <= wall else last + unnoted)
        await self._renew(late=True)

    async def renew(self) -> None:
        """Renew the lease; with SQLite, record that the house is open.

        If the wall clock has jumped ahead, because the machine was suspended or its clock was set,
        the house's clock follows and the time between is charged to no player.
        """
        before, late = self.last_heartbeat, self.lapsed
        now, wall = self._now(), await self._wall()
        if jumped := wall - now > CLOCK_JUMP:
            before, late = now, True
        self._beats += 1
        # A file is rarely written while no clock runs.
        busy = self._store.shared or self._has_running_clock()
        if late or busy or not self._beats % IDLE_RENEWALS:
            late |= not await self._renew(late=late, at=wall if jumped else None)
        else:
            self._renewed, self.last_heartbeat = time.monotonic(), round(self._now(), 3)
        if late:
            self.lapses += 1
            self._leads.clear()
            if jumped:  # requests from here on arrive after all games have been stopped
                self._now.set(max(wall, self._now()))
            await self._on_lapse(before)

    async def _wall(self) -> float:
        """Return wall-clock time: the database's, if several processes share the database."""
        if self._store.shared and self._now.wall is time.time:
            return await self._store.fetch(database_moment)
        return self._now.wall()

    async def _renew(self, *, late: bool = False, at: float | None = None) -> bool:
        began = time.monotonic()
        now = round(self._now() if at is None else at, 3)
        held = await self._store.commit(
            tables.renew_leases, self.home, self.node_address, now, tables.LEASE, late=late
        )
        self._renewed, self.last_heartbeat = began, now
        return held or not self._store.shared

    async def end(self) -> None:
        """End the lease, so that other processes can take the games at once."""
        now = round(self._now(), 3)
        try:
            await self._store.commit(tables.end_leases, self.home, now)
        except Exception as error:  # the other resources are closed all the same
            self._report("the house could not note that it is closed", error)

    async def take(self, game_id: str, *, held: bool) -> float | None:
        """Become a game's home; return the former home's last heartbeat; raises `HeldError`."""
        store = self._store
        if store.shared and not held:
            self._check_free(await store.fetch(tables.home_of, game_id))
        return await store.commit(tables.take_game, game_id, self.home, held=held)

    async def take_all(self, game_ids: Sequence[str]) -> Mapping[str, float | None]:
        """Become the home of games, and return the last heartbeat of each game's former home."""
        if self._store.shared:
            return {}
        return await self._store.commit(tables.take_games, game_ids, self.home)

    async def is_elsewhere(self, game_id: str) -> bool:
        return self._is_other(await self._store.fetch(tables.home_of, game_id))

    def _is_other(self, home: Home | None) -> bool:
        return home is not None and home.holds and home.name != self.home

    def _check_free(self, home: Home | None) -> None:
        if home and self._is_other(home):
            raise HeldError(home.address)

    async def lost(self, fencing_tokens: Mapping[str, int]) -> list[str]:
        """Return the games, given with their fencing tokens, that another process has taken."""
        store = self._store
        if not store.shared:
            return []
        here = await store.fetch(tables.fencing_tokens_of, list(fencing_tokens), self.home)
        return [game for game, token in fencing_tokens.items() if here.get(game) != token]

    async def take_lead(self, name: str) -> None:
        """Become the leader of a role; raises `HeldError`."""
        store = self._store
        if not store.shared or (name in self._leads and not self.lapsed):
            return
        self._check_free(await store.fetch(tables.leader_of, name))
        await store.commit(tables.take_lead, name, self.home)
        self._leads.add(name)

    def as_leader(self, name: str, work: Work) -> Work:
        """Wrap work so that it runs only in the process that leads a role."""

        async def done() -> None:
            try:
                await self.take_lead(name)
            except HeldError:
                return
            await work()

        return done

    async def end_lost(self) -> None:
        """End the leases of processes that are missing at two checks in a row.

        A process listens before it takes its lease. So one with a lease that does not listen was
        killed, perhaps before this process started.
        """
        connected = frozenset(await self._store.fetch(listeners))
        if self.home in connected:
            holding = await self._store.fetch(tables.homes_at_work)
            self._connected |= {home.name for home in holding}
        missing = self._connected - connected - {self.home}
        gone, self._missing = missing & self._missing, missing - self._missing
        self._connected = (self._connected | connected) - gone
        if gone:
            await self._store.commit(tables.end_leases_of, gone)

    async def sweep(self, recovery: Recovery) -> None:
        """Adopt the games of dead processes, if their clocks run."""
        try:
            await self.end_lost()
            while await self._store.fetch(tables.has_orphans):
                taken = await self._store.commit(tables.adopt_games, self.home, ADOPT_BATCH)
                if not taken:
                    break
                await recovery.adopt(taken)
        finally:
            recovery.done.set()
