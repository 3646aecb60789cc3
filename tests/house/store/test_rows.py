"""Games, seats, people, links and deadlines."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from house.store.stores import PATIENCE, create, written
from playing import HOUSE
from trine.house.games.storage.tables import SeatKind, SeatRow, invite, read_seats, take_seat
from trine.house.people import tables
from trine.house.people.credentials import create_token, person_of
from trine.house.store.scheduled_tasks import ScheduledTask, schedule, tasks_due
from trine.house.store.schema import first_of
from trine.house.store.store import Store
from trine.house.store.store_errors import MissingRowError, TakenError
from trine.house.tables import SCHEMA

BY_POSITION = 3
"""The largest number of values of a row that the code gives by position."""


class Time:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Time:
    return Time()


@pytest.fixture
def store(place: str, clock: Time) -> Iterator[Store]:
    with Store.open(place, SCHEMA, now=clock) as store:
        yield store


def test_a_seat_is_taken_by_one_person_only(store: Store) -> None:
    game = create(store)
    ada, eve = (written(store, tables.create_guest, name, store.now()) for name in ("Ada", "Eve"))
    sits = SeatRow(SeatKind.PERSON, "Ada", ada.id)
    first = store.write(take_seat, game.id, 1, sits)
    second = store.write(take_seat, game.id, 1, SeatRow(SeatKind.PERSON, "Eve", eve.id))
    bot = store.write(take_seat, game.id, 1, SeatRow(SeatKind.BOT, "bot:3"))
    again = store.write(take_seat, game.id, 1, sits)
    assert first.result(PATIENCE) is None
    assert isinstance(second.exception(PATIENCE), TakenError)
    assert isinstance(bot.exception(PATIENCE), TakenError)
    assert again.result(PATIENCE) is None
    assert store.read(read_seats, game.id) == [SeatRow(), sits]
    written(store, take_seat, game.id, 0, SeatRow(SeatKind.BOT, "bot:3"))
    third = store.write(take_seat, game.id, 0, SeatRow(SeatKind.BOT, "bot:3"))
    assert isinstance(third.exception(PATIENCE), TakenError)
    nowhere = store.write(take_seat, game.id, 2, sits)
    assert isinstance(nowhere.exception(PATIENCE), MissingRowError)


def test_a_token_is_recognised_until_it_expires(store: Store, clock: Time) -> None:
    person = written(store, tables.create_guest, "Ada", store.now())
    assert person.kind is tables.PersonKind.GUEST
    token = written(store, create_token, person.id, store.now(), lifetime=60)
    other = written(store, create_token, person.id, store.now(), lifetime=600)
    assert (
        store.read(person_of, token, store.now())
        == store.read(person_of, other, store.now())
        == store.read(tables.read_person, person.id)
        == person
    )
    assert store.read(person_of, "none", store.now()) is None
    assert store.read(person_of, "\ud800", store.now()) is None
    clock.now += 60
    assert store.read(person_of, token, store.now()) is None
    assert written(store, tables.drop_expired_tokens, store.now()) == 1
    assert store.read(person_of, other, store.now()) == person
    written(store, tables.drop_token, other)
    assert store.read(person_of, other, store.now()) is None
    assert isinstance(
        store.write(create_token, "none", store.now(), 60).exception(PATIENCE), MissingRowError
    )


def test_no_file_holds_a_token(file_store: Store, path: Path) -> None:
    store = file_store
    person = written(store, tables.create_guest, "Ada", store.now())
    game = create(store)
    secrets = [
        written(store, create_token, person.id, store.now(), 60),
        written(store, invite, game.id, 0, store.now()),
    ]
    files = [file.read_bytes() for file in path.parent.iterdir()]
    assert any(person.id.encode() in content for content in files)
    for secret in secrets:
        assert not any(secret.encode() in content for content in files)


def test_what_is_due_is_found_in_order_and_stays_until_it_is_changed(store: Store) -> None:
    for ref, at in (("c", 1001.0), ("a", 999.0), ("b", 1000.0), ("d", 2000.0)):
        written(store, schedule, "turn", ref, at)
    expected = [ScheduledTask(999.0, "turn", "a"), ScheduledTask(1000.0, "turn", "b")]
    assert (
        store.read(tasks_due, "turn", 1000.0) == store.read(tasks_due, "turn", 1000.0) == expected
    )
    assert store.read(tasks_due, "turn", 1000.0, limit=1) == expected[:1]
    assert store.read(tasks_due, "sweep", 9000.0) == []
    written(store, schedule, "turn", "a", 3000.0)
    written(store, schedule, "turn", "b", None)
    assert store.read(tasks_due, "turn", 1000.0) == []
    assert [one.ref for one in store.read(tasks_due, "turn", 3000.0)] == ["c", "d", "a"]


def test_rows_are_read_by_the_names_of_columns(store: Store) -> None:
    person = written(store, tables.create_guest, "Ada", store.now())
    c = tables.PERSON.c

    def turned_round(connection: Connection) -> tables.Person | None:
        columns = select(c.created_at, c.name, c.kind, c.id).where(c.id == person.id)
        return first_of(connection, tables.Person, columns)

    assert store.read(turned_round) == person
    with pytest.raises(TypeError, match="other"):
        store.read(
            lambda connection: first_of(connection, tables.Person, select(c.id.label("other")))
        )


def test_rows_are_made_by_the_names_of_columns() -> None:
    """A new column moves no value of another into its place."""
    sources = [path.read_text(encoding="utf-8") for path in (HOUSE / "src" / "trine").rglob("*.py")]
    rows = {row for text in sources for row in re.findall(r"table_of\(\s*\"\w+\",\s*(\w+)", text)}
    assert len(rows) > 25
    for call in (one for text in sources for one in ast.walk(ast.parse(text))):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in rows:
            starred = any(isinstance(given, ast.Starred) for given in call.args)
            assert len(call.args) <= BY_POSITION and not starred, ast.unparse(call)
