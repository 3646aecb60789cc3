"""Games by correspondence: finding and handling what is due.

Such a game is in memory only while somebody looks at it; its deadlines are rows, written with each
turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from trine.house.background import Now, Report
from trine.house.games.follows import DEADLINE, REMINDER
from trine.house.games.games import Games
from trine.house.games.upkeep import judge, remind
from trine.house.store.deadlines import due_of, set_due
from trine.house.store.store import Store

DUTY: Final = "correspondence"
"""The duty of handling deadlines, which one of several processes has."""
LOOKS: Final = 5.0
"""Units: seconds; the interval of looking for due deadlines."""
TOGETHER: Final = 16
"""The number of games handled at once, so that their writes share commits. Guess."""
PUT_OFF: Final = 600.0
"""Units: seconds; the wait before a failed deadline is tried again."""
SeeTo = Callable[[str], Awaitable[None]]


class Correspondence:
    """Sees to what falls due in games that take days.

    Args: ``also`` is by kind what else falls due, and who sees to it.
    """

    def __init__(
        self, store: Store, now: Now, report: Report, games: Games, also: Mapping[str, SeeTo]
    ) -> None:
        self._store, self._now, self._report = store, now, report
        self._games = games
        self._kinds = {DEADLINE: self._end, REMINDER: self._remind, **also}
        self._ticking = asyncio.Lock()

    async def tick(self) -> None:
        """Handle all that is due."""
        async with self._ticking:  # nothing is seen to twice
            for kind, see_to in self._kinds.items():
                while await self._some(kind, see_to):
                    pass

    async def _some(self, kind: str, see_to: SeeTo) -> bool:
        now = self._now()
        due = await self._store.fetch(due_of, kind, now, TOGETHER)

        async def try_one(ref: str) -> None:
            try:
                await see_to(ref)
            except Exception as error:  # it holds up nothing else that is due
                self._report("what is due could not be seen to", error, kind=kind, ref=ref)
                await self._store.commit(set_due, kind, ref, now + PUT_OFF)

        await asyncio.gather(*(try_one(one.ref) for one in due))
        return len(due) == TOGETHER

    async def _end(self, game: str) -> None:
        await judge(await self._games.host(game, move=True))

    async def _remind(self, game: str) -> None:
        await remind(await self._games.host(game, move=True))
