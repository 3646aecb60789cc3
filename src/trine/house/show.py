"""A game to look at: one that people play where everybody may watch, or else one of two bots.

The bots play slowly, and only while somebody looks.
"""

from __future__ import annotations

import asyncio
from random import SystemRandom
from typing import TYPE_CHECKING, Final

from trine.core.errors import TrineError
from trine.games import ROOMS
from trine.house.agreement import Agreement
from trine.session.seats import BOT
from trine.store.seat_rows import SeatKind, SeatRow

if TYPE_CHECKING:
    from trine.house.host import Host
    from trine.house.house import House

LEVELS: Final = (2, 3)


class Show:
    """The game that a house shows."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._game = ""
        self._making = asyncio.Lock()

    def running(self) -> Host | None:
        """The game that is on: of the games that may be watched, the one played last."""
        games = [host for host in self._house.hosts if _is_on(host)]
        listed = [host for host in games if host.agreement.listed]
        own = [host for host in games if host.id == self._game]
        return max(listed, key=lambda host: host.snapshot.at, default=next(iter(own), None))

    async def game(self) -> Host:
        """The game that is on; one is begun where there is none.

        Raises:
            TrineError: the house begins no game now.
        """
        async with self._making:
            if host := self.running():
                return host
            if self._game:  # it may have left memory while nobody looked
                try:
                    if _is_on(host := await self._house.host(self._game)):
                        return host
                except TrineError:
                    pass
            rng = SystemRandom()
            agreement = Agreement.make(rng.choice(ROOMS), show=True)
            levels = [rng.choice(LEVELS) for _ in range(agreement.seats)]
            seats = [SeatRow(SeatKind.BOT, f"{BOT}{level}") for level in levels]
            self._game = await self._house.create_with(agreement, seats)
            return await self._house.host(self._game)


def _is_on(host: Host) -> bool:
    return bool(host.snapshot.state) and not host.snapshot.over
