"""The explorer of a house: the turns played from a position in the games of its archive.

An archive has the finished public games of a house. Players are stored as person ids or bots, and
names are filled in for display, so deleted and former names appear nowhere. The functions that read
and write it run in processes of their own, which load DuckDB and kernels.
"""

from __future__ import annotations

import asyncio
import atexit
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Connection, select

from trine.core.contract.record import Record, read_records
from trine.core.errors import FileError, TrineError
from trine.core.text.sentence import Text
from trine.core.work.cpu_account import in_thread
from trine.engine.archive.explored import Explored, Opening
from trine.engine.archive.parts import write_names
from trine.house.background import Report
from trine.house.games.live.agreement import Agreement
from trine.house.games.storage.events import read_events
from trine.house.games.storage.records import entries_of, record_text
from trine.house.games.storage.tables import SeatRow, no_game, read_game, read_seats, seats_of_games
from trine.house.job_pool import HelperProcess, lower_priority
from trine.house.people.tables import Account, account_names
from trine.house.ratings.tables import RATING
from trine.house.search.tables import GAME_SEARCH
from trine.house.statistics.statistics import ResultCounts, SeatTally, seat_name
from trine.house.store.store import Store
from trine.play.record.replay import replay_as_far_as_legal

if TYPE_CHECKING:
    from trine.engine.archive.queries import Archive

NICENESS: Final = 19  # the niceness of the process that adds games: the lowest priority
UPDATE_INTERVAL: Final = 86_400.0  # seconds between two additions of games
LEADER: Final = "archive"  # name of the leader, the one process that adds games
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
        """``open_store`` opens the store in another process, which adds games."""
        self._store, self._report = store, report
        self._folder, self._open_store = folder, open_store
        self._asking = HelperProcess()
        self._adding = HelperProcess(partial(lower_priority, NICENESS))
        self._one_adds = asyncio.Lock()
        self._opening: asyncio.Task[None] | None = None

    @property
    def is_there(self) -> bool:
        """Whether the house has an archive, though it may still be empty."""
        return self._folder is not None

    def prepare(self) -> None:
        """Open the archive in the background, which takes seconds, before the first query."""
        if self._folder and not self._opening:
            opening = self._asking.run(partial(open_archive, self._folder))
            self._opening = asyncio.create_task(opening)
            # Queries report the error; retrieving it here only keeps asyncio from logging it.
            self._opening.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def explore(self, record: str) -> Explored:
        if not self._folder:
            return Explored(0, 0, ())
        return await self._asking.run(partial(explore_archive, self._folder, record))

    async def openings(self, person_id: str, most: int) -> Sequence[Opening]:
        """Return a person's own first turns in public games, the most frequent first.

        If the archive cannot be queried, the error is reported to the host and the list is empty.
        """
        if not self._folder:
            return []
        try:
            return await self._asking.run(
                partial(openings_in_archive, self._folder, person_id, most)
            )
        except Exception as error:
            self._report("the archive could not be asked", error)
            return []

    async def players_of(self, found: Explored) -> Mapping[str, Sequence[SeatRow]]:
        """Return the seats of the games of this house in a result, by the games' sources."""
        sources = [game.source for turn in found.turns for game in turn.top_games]
        games = [game for source in sources if (game := game_of(source))]
        seats = await self._store.fetch(seats_of_games, games)
        return {f"{PAGE}{game}": rows for game, rows in seats.items()}

    async def add_new(self) -> None:
        if not self._folder or not self._open_store:
            return
        async with self._one_adds:
            faults = await self._adding.run(
                partial(add_public_games, self._open_store, self._folder)
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


PAGE: Final = "/game/"
"""The prefix of the path of a game's page; the path is the source of its record in the archive."""


def public_games(connection: Connection) -> list[str]:
    """Return the finished games that were open to all viewers, oldest first."""
    c = GAME_SEARCH.c
    over = (c.listed.is_(True), c.seat == 0, c.score.is_not(None))
    return list(connection.scalars(select(c.game).where(*over).order_by(c.at, c.game)))


def record_for_archive(connection: Connection, game_id: str) -> Record:
    """Return the record of a game, with the ratings of its players; raises `TrineError`."""
    row = read_game(connection, game_id)
    if row is None:
        raise no_game(game_id)
    board = Agreement.from_data(row.terms).terms().start.seats
    text = record_text(entries_of(read_events(connection, game_id)), board)
    (record,) = read_records(text.splitlines(keepends=True), f"{PAGE}{game_id}")
    ratings = _ratings_of(connection, game_id)
    for seat, player in zip(board, read_seats(connection, game_id), strict=True):
        record.tags[seat.tag] = player.person or player.name
        if player.person in ratings:
            record.tags[f"{seat.tag}Rating"] = f"{ratings[player.person]:.0f}"
    return record


def game_of(source: str) -> str:
    """Return the id of the game that a record's source names; empty if it is from elsewhere.

    >>> game_of("/game/4tQz"), game_of("club.trine")
    ('4tQz', '')
    """
    return source.removeprefix(PAGE) if source.startswith(PAGE) else ""


def _ratings_of(connection: Connection, game_id: str) -> dict[str | None, float]:
    rows = connection.execute(
        select(RATING.c.person, RATING.c.rating).where(RATING.c.game == game_id)
    )
    return {row.person: row.rating for row in rows}


def add_public_games(open_store: Callable[[], Store], folder: Path) -> list[tuple[str, Text]]:
    """Add the finished public games of a house that its archive does not have yet.

    Returns: the games that could not be added, each with the reason.

    Raises:
        TrineError: the store cannot be opened, or the archive cannot be written.
    """
    from trine.engine.archive.archive_writer import ArchiveWriter  # imports Numba

    faults = list[tuple[str, Text]]()
    with open_store() as store, ArchiveWriter.open(folder) as writer:
        known = set(map(game_of, _archive(folder).sources(PAGE)))
        for game in store.read(public_games):
            if game in known:
                continue
            try:
                writer.add(store.read(record_for_archive, game))
            except FileError:
                raise
            except TrineError as error:
                faults.append((game, error.text))
        write_names(folder, store.read(account_names))
    return faults


def open_archive(folder: Path) -> None:
    """Open an archive if there is one, and import the code for queries."""
    from trine.engine.archive import explorer  # noqa: F401, imports Numba

    _archive_if_any(folder)


def explore_archive(folder: Path, record: str) -> Explored:
    """Return the turns played from the end of a record; empty without an archive."""
    from trine.engine.archive.explorer import explore

    if not (archive := _archive_if_any(folder)):
        return Explored(0, 0, ())
    (read,) = read_records(record.splitlines(keepends=True))
    play, _ = replay_as_far_as_legal(read)
    return explore(archive, play.room, play.position)


def openings_in_archive(folder: Path, person_id: str, most: int) -> list[Opening]:
    from trine.engine.archive.explorer import openings

    archive = _archive_if_any(folder)
    return openings(archive, person_id, most) if archive else []


def _archive_if_any(folder: Path) -> Archive | None:
    from trine.engine.archive.parts import ABOUT_FILE

    return _archive(folder) if (folder / ABOUT_FILE).exists() else None


@cache
def _archive(folder: Path) -> Archive:
    """Open an archive once, and close it at exit: DuckDB reports connections left open."""
    from trine.engine.archive.queries import Archive

    atexit.register(_archive.cache_clear)
    return Archive(folder)
