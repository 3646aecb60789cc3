"""Bots that play each other, so that there is something to watch."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import SystemRandom
from typing import Final

from trine.core.errors import TrineError
from trine.games import ROOMS
from trine.house.agreement import Agreement
from trine.house.house import House
from trine.session.seats import BOT
from trine.store.game_rows import Stage
from trine.store.seat_rows import SeatKind, SeatRow

LEVELS: Final = (3, 4, 5)
CLOCK: Final = "10+10"
PAUSE: Final = 15.0
"""Units: seconds; so long a game that is over is still shown before another begins."""


async def run_demo(house: House, games: Sequence[str] = ROOMS) -> None:
    """Keep a game of bots going for each game, for ever."""
    async with asyncio.TaskGroup() as group:
        for game in games:
            group.create_task(_keep_going(house, game))


async def _keep_going(house: House, game: str) -> None:
    rng = SystemRandom()
    while True:
        agreement = Agreement.make(game, clock=CLOCK, listed=True)
        seats = [
            SeatRow(SeatKind.BOT, f"{BOT}{rng.choice(LEVELS)}") for _ in range(agreement.seats)
        ]
        try:
            played = await house.create_with(agreement, seats)
            while (await house.host(played)).snapshot.stage is not Stage.OVER:
                await asyncio.sleep(PAUSE)
        except TrineError as error:
            house.report("a demonstration could not go on", error, game=game)
        await asyncio.sleep(PAUSE)
