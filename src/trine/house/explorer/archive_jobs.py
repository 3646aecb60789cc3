"""The jobs of an archive, run in processes of their own, which load DuckDB and kernels.

An archive has the finished public games of a house. Players are stored as person ids or bots, and
names are filled in for display, so deleted and former names appear nowhere.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, select

from trine.core.contract.record import Record, read_records
from trine.core.errors import FileError, TrineError
from trine.core.text.sentence import Text
from trine.engine.archive.explored import Explored, Opening
from trine.engine.archive.parts import write_names
from trine.house.games.live.agreement import Agreement
from trine.house.games.storage.events import read_events
from trine.house.games.storage.records import entries_of, record_text
from trine.house.games.storage.tables import SeatRow, no_game, read_game, read_seats
from trine.house.people.tables import account_names
from trine.house.ratings.tables import RATING
from trine.house.search.tables import GAME_SEARCH
from trine.house.store.store import Store
from trine.play.record.replay import replay_as_far_as_legal

if TYPE_CHECKING:
    from trine.engine.archive.queries import Archive

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
        record.tags[seat.tag] = _id_of(player)
        if player.person in ratings:
            record.tags[f"{seat.tag}Rating"] = f"{ratings[player.person]:.0f}"
    return record


def game_of(source: str) -> str:
    """Return the id of the game that a record's source names; empty if it is from elsewhere.

    >>> game_of("/game/4tQz"), game_of("club.trine")
    ('4tQz', '')
    """
    return source.removeprefix(PAGE) if source.startswith(PAGE) else ""


def _id_of(player: SeatRow) -> str:
    return player.person or player.name


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
