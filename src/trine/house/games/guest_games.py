"""The transfer of a guest's games to an account, when the guest logs in to it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from sqlalchemy import Connection

from trine.house.games import game_rows
from trine.house.games.games import Games
from trine.house.games.host import Host
from trine.house.games.seat_rows import bring_along
from trine.house.games.seating import hand_over
from trine.house.people.person_rows import Person
from trine.house.store.store import Store


class GuestGames:
    """Gives an account what was a guest's: the seats, and with them what others keep.

    Args: ``is_elsewhere`` returns whether another process plays a game. ``rows`` transfer the
    guest's other rows, in the same transaction; ``after`` do so in memory.
    """

    def __init__(
        self,
        store: Store,
        games: Games,
        is_elsewhere: Callable[[str], Awaitable[bool]],
        rows: Sequence[Callable[[Connection, str, str], None]],
        after: Sequence[Callable[[Person, Person], None]],
    ) -> None:
        self._store, self._games, self._is_elsewhere = store, games, is_elsewhere
        self._rows, self._after = rows, after

    async def bring(self, guest: Person, account: Person) -> None:
        """Give an account what is a guest's.

        This is one transaction. Games in memory are held meanwhile, so that nothing is written in
        the name of the guest afterwards.
        """
        await self._fetch(guest)
        held = [host for host in self._games.hosts if host.snapshot.seats_of(guest.id)]
        held.sort(key=lambda host: host.id)  # two who do this at once never wait for each other
        moved: list[str] = []

        async def write() -> None:
            moved.extend(await self._store.commit(bring_along, guest.id, account.id, self._rows))

        async def hand(host: Host) -> None:
            if host.id in moved:
                await hand_over(host, guest.id, account.id)

        await _hold(held, write, hand)
        names = {host.id for host in held}
        for game in moved:
            if game not in names and self._games.has_loaded(game):  # just then
                host = await self._games.host(game)
                await host.hold(partial(hand, host))
        for one in self._after:
            one(guest, account)

    async def _fetch(self, guest: Person) -> None:
        """Move games here that another process plays now."""
        if not self._store.shared:
            return
        for game in await self._store.fetch(game_rows.running_games_of, guest.id):
            if await self._is_elsewhere(game.id):
                await self._games.host(game.id, move=True)


async def _hold(
    hosts: Sequence[Host],
    work: Callable[[], Awaitable[None]],
    after: Callable[[Host], Awaitable[None]],
) -> None:
    """Hold games, do something once, and then something for each of them."""
    if not hosts:
        await work()
        return

    async def here() -> None:
        await _hold(hosts[1:], work, after)
        await after(hosts[0])

    await hosts[0].hold(here)
