"""A person's progress in learning: the lessons done, and the ladder of the computer's levels."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Column, Connection, Double, ForeignKey, String, Table, delete, insert, select
from starlette.requests import Request

from trine.core.text.sentence import Text, text
from trine.games import ROOMS, open_room
from trine.house.games.storage.tables import SEAT, SeatKind, SeatRow
from trine.house.games.view.game_choices import LEVELS, level_of
from trine.house.games.view.snapshot import Snapshot
from trine.house.people.tables import Person
from trine.house.people.takeout import Takeout
from trine.house.search.tables import GAME_SEARCH
from trine.house.store.schema import METADATA
from trine.house.store.store import Store

OVERLOOKED: Final = (
    (0.68, 0.82, text("Overlooks seven of ten actions, or more: almost any plan works.")),
    (0.60, 0.67, text("Now sees one of three, or more: a plan may still take two turns.")),
    (0.51, 0.58, text("Now sees almost every second: what you leave open is used now and then.")),
    (0.39, 0.55, text("Now sees every second, or more: look at its best answer before each turn.")),
    (0.29, 0.53, text("Now sees five to seven of ten: one threat is often met, so make two.")),
    (0.17, 0.47, text("Now sees up to eight of ten: a gift is rarely left.")),
    (0.07, 0.39, text("Now sees up to nine of ten.")),
    (0.01, 0.27, text("Overlooks one of four at most: do not wait for mistakes, make a plan.")),
    (0.0, 0.2, text("Overlooks one of five at most, and looks less far than the next.")),
    (0.0, 0.0, text("Overlooks nothing, and thinks for as long as the clock allows.")),
)
"""For each level, from 1: the lowest and the highest share of actions that it overlooks in any kind
of game, and a sentence that describes the level."""


@dataclass(frozen=True)
class Rung:
    """A level of the computer on the ladder."""

    level: int
    description: Text
    overlooks: Text
    beaten: bool
    next: bool  # whether this is the level to play next: the one above the highest beaten level


def ladder(beaten: Set[int]) -> Sequence[Rung]:
    """Return the rungs of the ladder, the lowest first.

    >>> [rung.level for rung in ladder({1, 3}) if rung.next], ladder({3})[0].beaten
    ([4], False)
    """
    following = max(beaten, default=0) + 1
    return [
        Rung(level, description, overlooks, level in beaten, level == following)
        for level, (description, (_, _, overlooks)) in enumerate(
            zip(LEVELS, OVERLOOKED, strict=True), 1
        )
    ]


def next_level(snapshot: Snapshot, person: Person | None) -> int | None:
    """Return the level above the one that a person plays against, or None.

    None in a tournament, in a first game, or with other people in the game.
    """
    own, agreement = snapshot.seats_of(person.id if person else None), snapshot.agreement
    if len(snapshot.seats) != 2 or len(own) != 1 or agreement.tournament or agreement.first:
        return None
    level = level_of(snapshot.seats[1 - min(own)])
    return level + 1 if level and level < len(LEVELS) else None


async def climb_values(
    request: Request, snapshot: Snapshot, person: Person | None
) -> Mapping[str, Any]:
    return {"climb": next_level(snapshot, person)}


@dataclass(frozen=True)
class Progress:
    """The progress of the people of a house."""

    store: Store

    async def note(self, person: Person, game_name: str, lesson: str) -> None:
        await self.store.commit(
            note_done, person_id=person.id, game_name=game_name, lesson=lesson, now=self.store.now()
        )

    async def lessons(self, person: Person | None) -> Mapping[str, Set[str]]:
        return await self.store.fetch(lessons_done, person.id) if person else {}

    async def beaten(self, person: Person | None) -> Mapping[str, Set[int]]:
        return await self.store.fetch(levels_beaten, person.id) if person else {}

    async def template_values(self, person: Person | None, code: str) -> Mapping[str, Any]:
        lessons, beaten = await self.lessons(person), await self.beaten(person)
        steps = []
        for name in ROOMS:
            room = open_room(name)
            rules = room.document(code).rules
            names = [one.name for one in room.lessons(rules)]
            done = lessons.get(name, set())
            highest = max(beaten.get(name, ()), default=0)
            steps.append((room, rules, names, sorted(done), highest))
        return {"progress": steps}


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
