"""Lines of talk at games."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import Connection, func, insert, select, update

from trine.store.schema import CHAT

NOTES: Final = "notes"
"""The room of the notes on a game."""


@dataclass(frozen=True, slots=True)
class ChatLine:
    """A line of chat."""

    game: str
    number: int
    room: str
    """``players`` or ``watchers``, or `NOTES`."""
    person: str
    name: str
    at: float
    """Units: seconds since 1970."""
    words: str
    preset: str = ""
    """The name of a sentence, in place of words."""
    deleted_at: float | None = None
    turn: int | None = None
    """Of a note, how many turns have been played where it belongs; None is the whole game."""


_LINE: Final = select(*(CHAT.c[name] for name in ChatLine.__slots__))


def add_line(connection: Connection, line: ChatLine) -> ChatLine:
    """Write a line, and return it with its number."""
    last = connection.execute(
        select(func.max(CHAT.c.number)).where(CHAT.c.game == line.game)
    ).scalar()
    line = replace(line, number=(last or 0) + 1)
    connection.execute(
        insert(CHAT).values(
            game=line.game,
            number=line.number,
            room=line.room,
            person=line.person,
            name=line.name,
            at=line.at,
            words=line.words,
            preset=line.preset,
            turn=line.turn,
        )
    )
    return line


def last_lines(connection: Connection, game: str, limit: int) -> list[ChatLine]:
    """Return the last lines of a game, in their order; no notes."""
    found = connection.execute(
        _LINE.where(CHAT.c.game == game, CHAT.c.room != NOTES)
        .order_by(CHAT.c.number.desc())
        .limit(limit)
    )
    return [ChatLine(*row) for row in found][::-1]


def add_note(
    connection: Connection, line: ChatLine, most: int, all_together: int
) -> ChatLine | None:
    """Write a note; None if there are enough already, of this person or of all.

    Those that were deleted count, too.
    """
    people = connection.execute(
        select(CHAT.c.person).where(CHAT.c.game == line.game, CHAT.c.room == NOTES)
    ).scalars()
    left = list(people)
    if len(left) >= all_together or left.count(line.person) >= most:
        return None
    return add_line(connection, line)


def notes_of(connection: Connection, game: str, limit: int) -> list[ChatLine]:
    """Return the notes on a game that nobody has deleted: on all of it, then turn by turn."""
    found = connection.execute(
        _LINE.where(CHAT.c.game == game, CHAT.c.room == NOTES, CHAT.c.deleted_at.is_(None))
        .order_by(func.coalesce(CHAT.c.turn, 0), CHAT.c.number)
        .limit(limit)
    )
    return [ChatLine(*row) for row in found]


def lines_near(connection: Connection, game: str, number: int, most: int) -> list[ChatLine]:
    """Return the lines around one, in their order, deleted ones too."""
    near = CHAT.c.number.between(number - most, number + most)
    found = connection.execute(_LINE.where(CHAT.c.game == game, near).order_by(CHAT.c.number))
    return [ChatLine(*row) for row in found]


def lines_of(connection: Connection, person: str, limit: int) -> list[ChatLine]:
    """Return what a person has said, the last first."""
    found = connection.execute(
        _LINE.where(CHAT.c.person == person).order_by(CHAT.c.at.desc()).limit(limit)
    )
    return [ChatLine(*row) for row in found]


def delete_line(connection: Connection, game: str, number: int, now: float) -> bool:
    """Have nobody see a line any more but moderators; whether it was seen."""
    here = (CHAT.c.game == game) & (CHAT.c.number == number) & CHAT.c.deleted_at.is_(None)
    return connection.execute(update(CHAT).where(here).values(deleted_at=now)).rowcount > 0
