"""The explorer of a house: the turns played from a position in the games of its archive."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from trine.core.work.cpu_account import in_thread
from trine.engine.archive.explored import Explored, Opening
from trine.house.background import Report
from trine.house.explorer import archive_jobs
from trine.house.games.storage.tables import SeatRow, seats_of_games
from trine.house.job_pool import HelperProcess, lower_priority
from trine.house.people.tables import Account
from trine.house.statistics.routes import ResultCounts, SeatTally, seat_name
from trine.house.store.store import Store

LOWEST: Final = 19
"""The niceness of the process that adds games: the lowest priority."""
NIGHT: Final = 86_400.0
"""Units: seconds between two additions of games."""
LEADER: Final = "archive"
"""The name of the leader, the one process that adds games."""
MAX_OPENINGS: Final = 20


class Explorer:
    """The archive of a house; without a folder the house has none."""

    def __init__(
        self,
        store: Store,
        report: Report,
        folder: Path | None,
        open_store: Callable[[], Store] | None,
    ) -> None:
        """Prepare; ``open_store`` opens the store in another process, which adds games."""
        self._store, self._report = store, report
        self._folder, self._open_store = folder, open_store
        self._asking, self._adding = HelperProcess(), HelperProcess(partial(lower_priority, LOWEST))
        self._one_adds = asyncio.Lock()
        self._opening: asyncio.Task[None] | None = None

    @property
    def is_there(self) -> bool:
        """Whether the house has an archive, though it may still be empty."""
        return self._folder is not None

    def prepare(self) -> None:
        """Open the archive in the background, which takes seconds, before the first query."""
        if self._folder and not self._opening:
            opening = self._asking.run(partial(archive_jobs.open_archive, self._folder))
            self._opening = asyncio.create_task(opening)
            # Queries report the error; retrieving it here only keeps asyncio from logging it.
            self._opening.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def explore(self, record: str) -> Explored:
        if not self._folder:
            return Explored(0, 0, ())
        return await self._asking.run(partial(archive_jobs.explore_archive, self._folder, record))

    async def openings(self, person_id: str, most: int) -> Sequence[Opening]:
        """Return a person's own first turns in public games, the most frequent first.

        If the archive cannot be queried, the error is reported to the host and the list is empty.
        """
        if not self._folder:
            return []
        try:
            return await self._asking.run(
                partial(archive_jobs.openings_in_archive, self._folder, person_id, most)
            )
        except Exception as error:
            self._report("the archive could not be asked", error)
            return []

    async def players_of(self, found: Explored) -> Mapping[str, Sequence[SeatRow]]:
        """Return the seats of the games of this house in a result, by the games' sources."""
        sources = [game.source for turn in found.turns for game in turn.top_games]
        games = [game for source in sources if (game := archive_jobs.game_of(source))]
        seats = await self._store.fetch(seats_of_games, games)
        return {f"{archive_jobs.PAGE}{game}": rows for game, rows in seats.items()}

    async def add_new(self) -> None:
        if not self._folder or not self._open_store:
            return
        async with self._one_adds:
            faults = await self._adding.run(
                partial(archive_jobs.add_public_games, self._open_store, self._folder)
            )
            await asyncio.to_thread(self._adding.close)  # idle until the next interval
        for game, fault in faults:
            self._report("a game was not added to the archive", game=game, fault=str(fault))

    def close(self) -> None:
        """Stop queries and the adding of games; the archive stays consistent."""
        self._asking.close()
        self._adding.close()


async def openings_values(explorer: Explorer, account: Account, *, own: bool) -> Mapping[str, Any]:
    """Return a person's most frequent openings for the template; empty without an archive."""
    found = await explorer.openings(account.person, MAX_OPENINGS)
    return {"openings": await in_thread(lambda: [_seen(one) for one in found])}


def _seen(one: Opening) -> SeatTally:
    seat = seat_name(one.game, one.rules, one.seats, one.seat)
    tally = ResultCounts(one.games, one.wins, one.draws)
    return SeatTally(one.game, one.rules, seat, tally, one.words)
