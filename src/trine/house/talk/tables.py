"""The table of chat lines and notes. Units: times are seconds since 1970."""

from dataclasses import dataclass, replace
from typing import Annotated, Final

from sqlalchemy import Connection, Index, Text, func, select, update

from trine.house.people.names import DELETED
from trine.house.people.takeout import Takeout, fields_of
from trine.house.store.schema import Key, add_row, all_of, table_of

NOTES: Final = "notes"  # the value of ``room`` for notes on a game


@dataclass(frozen=True, slots=True)
class ChatLine:
    """A chat line of a game, or a note on it; a deleted line is kept for administrators."""

    game: Annotated[Key[str], "game.id"]
    number: Key[int]
    room: str  # ``players`` or ``watchers``, or `NOTES`
    person: Annotated[str, "person.id"]
    name: str
    at: float
    words: Annotated[str, Text()]
    preset: str = ""
    """The key of a preset sentence, shown in each reader's language; then ``words`` is empty."""
    deleted_at: float | None = None
    turn: int | None = None
    """For a note, the number of turns played at its position; None for the whole game."""


EXPORTED: Final = (
    *("game", "number", "room", "person", "name"),
    *("at", "words", "preset", "deleted_at", "turn"),
)
"""The fields of a line in its author's export."""
CHAT: Final = table_of("chat", ChatLine, Index(None, "person"))


def add_line(connection: Connection, line: ChatLine) -> ChatLine:
    last = connection.scalar(select(func.max(CHAT.c.number)).where(CHAT.c.game == line.game))
    line = replace(line, number=(last or 0) + 1)
    add_row(connection, CHAT, line)
    return line


def last_lines(connection: Connection, game_id: str, limit: int) -> list[ChatLine]:
    said = select(CHAT).where(CHAT.c.game == game_id, CHAT.c.room != NOTES)
    newest = said.order_by(CHAT.c.number.desc()).limit(limit)
    return all_of(connection, ChatLine, newest)[::-1]


def add_note(
    connection: Connection, line: ChatLine, most: int, all_together: int
) -> ChatLine | None:
    """Add a note; return None if the person or the game has too many, deleted ones included."""
    people = connection.scalars(
        select(CHAT.c.person).where(CHAT.c.game == line.game, CHAT.c.room == NOTES)
    )
    left = list(people)
    if len(left) >= all_together or left.count(line.person) >= most:
        return None
    return add_line(connection, line)


def notes_of(connection: Connection, game_id: str, limit: int) -> list[ChatLine]:
    """Return the visible notes on a game: first on the whole game, then by turn."""
    c = CHAT.c
    seen = select(CHAT).where(c.game == game_id, c.room == NOTES, c.deleted_at.is_(None))
    by_turn = seen.order_by(func.coalesce(c.turn, 0), c.number)
    return all_of(connection, ChatLine, by_turn.limit(limit))


def lines_near(connection: Connection, game_id: str, number: int, most: int) -> list[ChatLine]:
    """Return the lines around a number, in order, including deleted ones."""
    near = CHAT.c.number.between(number - most, number + most)
    lines = select(CHAT).where(CHAT.c.game == game_id, near)
    return all_of(connection, ChatLine, lines.order_by(CHAT.c.number))


def delete_line(connection: Connection, game_id: str, number: int, now: float) -> bool:
    """Hide a line from all but administrators; return whether it was visible."""
    here = (CHAT.c.game == game_id) & (CHAT.c.number == number) & CHAT.c.deleted_at.is_(None)
    return connection.execute(update(CHAT).where(here).values(deleted_at=now)).rowcount > 0


def rename_lines(connection: Connection, person_id: str, name: str) -> None:
    connection.execute(update(CHAT).where(CHAT.c.person == person_id).values(name=name))


def erase_person(connection: Connection, person_id: str) -> None:
    """Erase the name and the words of a person from all chat lines and notes."""
    connection.execute(
        update(CHAT).where(CHAT.c.person == person_id).values(name=DELETED, words="")
    )


def export_person(connection: Connection, person_id: str, takeout: Takeout) -> None:
    mine = select(CHAT).where(CHAT.c.person == person_id).order_by(CHAT.c.at.desc())
    lines = all_of(connection, ChatLine, mine)
    takeout.about["chat"] = [fields_of(line, EXPORTED) for line in lines]
