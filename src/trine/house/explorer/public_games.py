"""The public games of a house that are over, as records for its archive.

In the archive a player is the id of a person, or a bot: names are put in when games are shown, so
those of people who have left or are called otherwise now stand nowhere.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, select

from trine.core.contract.record import Record, read_records
from trine.house.games import game_rows, seat_rows
from trine.house.games.agreement import Agreement
from trine.house.games.events import read_events
from trine.house.games.export import entries_of, record_text
from trine.house.games.seat_rows import SeatRow
from trine.house.ratings.tables import RATING
from trine.house.search.tables import APPEARANCE

PAGE: Final = "/game/"
"""The beginning of the address of a game, which its record has in the archive as its source."""


def public_games(connection: Connection) -> list[str]:
    """Return the games that are over and that everybody may watch, the oldest first."""
    c = APPEARANCE.c
    over = (c.listed.is_(True), c.seat == 0, c.score.is_not(None))
    return list(connection.scalars(select(c.game).where(*over).order_by(c.at, c.game)))


def record_for_archive(connection: Connection, game: str) -> Record:
    """Return the record of a game, with the ratings that its players had behind it.

    Raises:
        TrineError: its journal is damaged.
    """
    row = game_rows.read_game(connection, game)
    if row is None:
        raise game_rows.no_game(game)
    board = Agreement.from_data(row.terms).terms().start.seats
    told = record_text(entries_of(read_events(connection, game)), board)
    (record,) = read_records(told.splitlines(keepends=True), f"{PAGE}{game}")
    ratings = _ratings_of(connection, game)
    for seat, player in zip(board, seat_rows.read_seats(connection, game), strict=True):
        record.tags[seat.tag] = _id_of(player)
        if player.person in ratings:
            record.tags[f"{seat.tag}Rating"] = f"{ratings[player.person]:.0f}"
    return record


def game_of(source: str) -> str:
    """Return the game that a record of an archive came from; empty for one from elsewhere.

    >>> game_of("/game/4tQz"), game_of("club.trine")
    ('4tQz', '')
    """
    return source.removeprefix(PAGE) if source.startswith(PAGE) else ""


def _id_of(player: SeatRow) -> str:
    return player.person or player.name


def _ratings_of(connection: Connection, game: str) -> dict[str | None, float]:
    rows = connection.execute(select(RATING.c.person, RATING.c.rating).where(RATING.c.game == game))
    return {row.person: row.rating for row in rows}
