"""The lessons that people have done, and the levels of the computer that they have beaten."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sqlalchemy import Column, Connection, Double, ForeignKey, String, Table, delete, insert, select

from trine.house.games.live.level_ratings import level_of
from trine.house.games.storage.tables import SEAT, SeatKind, SeatRow
from trine.house.people.takeout import Takeout
from trine.house.search.tables import GAME_SEARCH
from trine.house.store.schema import METADATA

LESSON_DONE: Final = Table(
    "lesson_done",
    METADATA,
    Column("person", ForeignKey("person.id"), primary_key=True),
    Column("game", String, primary_key=True),
    Column("lesson", String, primary_key=True),
    Column("at", Double, nullable=False),
)
"""A lesson that a person has done; a lesson shared by several rule sets is done in all of them."""


def note_done(
    connection: Connection, person_id: str, game_name: str, lesson: str, now: float
) -> None:
    if lesson not in lessons_done(connection, person_id).get(game_name, ()):
        values = {"person": person_id, "game": game_name, "lesson": lesson, "at": now}
        connection.execute(insert(LESSON_DONE).values(values))


def lessons_done(connection: Connection, person_id: str) -> Mapping[str, set[str]]:
    done: dict[str, set[str]] = {}
    found = connection.execute(
        select(LESSON_DONE.c.game, LESSON_DONE.c.lesson).where(LESSON_DONE.c.person == person_id)
    )
    for game, lesson in found:
        done.setdefault(game, set()).add(lesson)
    return done


def levels_beaten(connection: Connection, person_id: str) -> Mapping[str, set[int]]:
    """Return the levels that a person has beaten in two-player games of any rule set, by game."""
    found = connection.execute(
        select(GAME_SEARCH.c.room, SEAT.c.name)
        .distinct()
        .join(SEAT, (SEAT.c.game == GAME_SEARCH.c.game) & (SEAT.c.kind == SeatKind.BOT.value))
        .where(
            GAME_SEARCH.c.person == person_id, GAME_SEARCH.c.score == 1.0, GAME_SEARCH.c.seats == 2
        )
    )
    beaten: dict[str, set[int]] = {}
    for room, name in found:
        if level := level_of(SeatRow(SeatKind.BOT, name)):
            beaten.setdefault(room, set()).add(level)
    return beaten


def export_person(connection: Connection, person_id: str, takeout: Takeout) -> None:
    done = lessons_done(connection, person_id)
    takeout.about["lessons"] = {game: sorted(names) for game, names in done.items()}


def transfer(connection: Connection, guest: str, account: str) -> None:
    rows = connection.execute(select(LESSON_DONE).where(LESSON_DONE.c.person == guest)).all()
    for row in rows:
        note_done(connection, account, row.game, row.lesson, row.at)
    connection.execute(delete(LESSON_DONE).where(LESSON_DONE.c.person == guest))
