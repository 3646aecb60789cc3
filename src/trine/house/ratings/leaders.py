"""The leaders: who stands highest in each discipline."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, func, select

from trine.house.games.rated_player import shown
from trine.house.people.account_rows import BOT_ROLE
from trine.house.people.tables import ACCOUNT, PERSON
from trine.house.ratings.ratings import SURE
from trine.house.ratings.tables import RATING
from trine.house.store.store import Store

SPEEDS: Final = ("bullet", "blitz", "rapid", "slow", "correspondence")
MOST: Final = 50
"""The number of leaders shown."""
FRESH: Final = 60.0
"""Units: seconds; how long a list of leaders is shown before it is made again."""
LAPSE: Final = 180 * 86_400.0
"""Units: seconds; who has not played for so long leads no more."""


@dataclass(frozen=True, slots=True)
class Leader:
    """A person among the leaders."""

    name: str
    bot: bool
    rating: str
    games: int
    at: float
    """Units: seconds since 1970; the end of the last rated game."""


def leaders_of(
    connection: Connection, discipline: str, since: float, limit: int = MOST
) -> list[Leader]:
    """Return the accounts with the highest sure ratings, who have played since a moment."""
    c = RATING.c
    last = (
        select(func.max(c.number).label("number"), func.count().label("games"))
        .where(c.discipline == discipline)
        .group_by(c.person)
        .subquery()
    )
    found = connection.execute(
        select(PERSON.c.name, ACCOUNT.c.role, c.rating, c.at, last.c.games)
        .join(last, last.c.number == c.number)
        .join(ACCOUNT, ACCOUNT.c.person == c.person)
        .join(PERSON, PERSON.c.id == c.person)
        .where(c.deviation <= SURE, c.at >= since)
        .order_by(c.rating.desc(), PERSON.c.name)
        .limit(limit)
    )
    return [
        Leader(
            row.name, row.role == BOT_ROLE, shown(row.rating, provisional=False), row.games, row.at
        )
        for row in found
    ]


class Leaders:
    """The leaders of a house; each list is made once a minute."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self._store, self._now = store, now
        self._making = asyncio.Lock()
        self._made: dict[str, tuple[float, Sequence[Leader]]] = {}

    async def of(self, discipline: str) -> Sequence[Leader]:
        """Return the leaders of a discipline, the highest first."""
        async with self._making:  # of all who ask at once, one waits for the database
            now = self._now()
            at, made = self._made.get(discipline, (0.0, ()))
            if now - at >= FRESH:
                made = await self._store.fetch(leaders_of, discipline, now - LAPSE)
                self._made[discipline] = now, made
            return made
