"""A guest who logs in to an account that there was before: the games come along."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from trine.store.guests import bring_along
from trine.store.people import Person, PersonKind

if TYPE_CHECKING:
    from trine.house.host import Host
    from trine.house.house import House


async def bring_games(house: House, guest: Person | None, account: Person) -> None:
    """Give an account the seats, the analyses and the open seats of a guest.

    All of it is one transaction. Games in memory do nothing meanwhile, so that nothing is written
    in the name of the guest afterwards.
    """
    if not guest or guest.kind is not PersonKind.GUEST or not account.has_account:
        return
    await _fetch(house, guest)
    held = [host for host in house.hosts if host.snapshot.seats_of(guest.id)]
    held.sort(key=lambda host: host.id)  # two who do this at once never wait for each other
    moved: list[str] = []

    async def write() -> None:
        moved.extend(
            await asyncio.wrap_future(
                house.store.write(bring_along, guest=guest.id, account=account.id)
            )
        )

    async def hand(host: Host) -> None:
        if host.id in moved:
            await host.hand_over(guest.id, account.id)

    await _hold(held, write, hand)
    names = {host.id for host in held}
    for game in moved:
        if game not in names and house.has_loaded(game):  # just then
            host = await house.host(game)
            await host.do(partial(hand, host))
    house.studies.hand_over(guest.id, account.id)
    house.lobby.hand_over(guest, account)


async def _fetch(house: House, guest: Person) -> None:
    """Have the games be played here that another process plays now."""
    store = house.store
    if not store.homes.shared:
        return
    for game in await asyncio.to_thread(store.running_games_of, guest.id):
        home = await asyncio.to_thread(store.homes.of_game, game.id)
        if home and home.holds and home.name != house.lease.home:
            await house.host(game.id, move=True)


async def _hold(
    hosts: Sequence[Host],
    work: Callable[[], Awaitable[None]],
    after: Callable[[Host], Awaitable[None]],
) -> None:
    """Do something while games do nothing, then something for each of them."""
    if not hosts:
        await work()
        return

    async def here() -> None:
        await _hold(hosts[1:], work, after)
        await after(hosts[0])

    await hosts[0].do(here)
