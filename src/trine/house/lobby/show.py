"""A game on show: a public game of people in which something happens, or else one of two bots.

The bots play slowly, and only while somebody watches.
"""

from __future__ import annotations

import asyncio
from random import SystemRandom
from typing import Final

from trine.core.errors import TrineError
from trine.games import ROOMS
from trine.house.background import Now
from trine.house.games.agreement import Agreement
from trine.house.games.games import Games
from trine.house.games.host import Host
from trine.house.games.tables import SeatKind, SeatRow
from trine.play.session.seats import BOT

LEVELS: Final = (2, 3)
QUIET: Final = 60.0
"""Units: seconds; how long nothing may have happened in a game of people that is on show."""


class Show:
    """The game on show."""

    def __init__(self, games: Games, now: Now) -> None:
        self._games, self._now = games, now
        self._game = ""
        self._making = asyncio.Lock()

    def running(self) -> Host | None:
        """Return the game on show: of the public games that are played, the one played last."""
        since = self._now() - QUIET
        games = [host for host in self._games.hosts if _is_on(host)]
        listed = [host for host in games if host.agreement.listed and _played_at(host) > since]
        own = [host for host in games if host.id == self._game]
        return max(listed, key=_played_at, default=next(iter(own), None))

    async def game(self) -> Host:
        """Return the game on show; begin one if there is none.

        Raises:
            TrineError: the house begins no game now.
        """
        async with self._making:
            if host := self.running():
                return host
            if self._game:  # it may have left memory while nobody looked
                try:
                    if _is_on(host := await self._games.host(self._game)):
                        return host
                except TrineError:
                    pass
            rng = SystemRandom()
            agreement = Agreement.make(rng.choice(ROOMS), show=True)
            levels = [rng.choice(LEVELS) for _ in range(agreement.seats)]
            seats = [SeatRow(SeatKind.BOT, f"{BOT}{level}") for level in levels]
            self._game = await self._games.create_with(agreement, seats)
            return await self._games.host(self._game)


def _played_at(host: Host) -> float:
    state = host.snapshot.state
    return state.at if state else 0.0


def _is_on(host: Host) -> bool:
    return bool(host.snapshot.state) and not host.snapshot.over
