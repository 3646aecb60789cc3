"""Copies of whole stores: to another kind of database and back, and as one file."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select

from house.store.stores import PATIENCE, create, turn, with_due, written
from postgres import Server
from trine.core.errors import FileError
from trine.house.analysis.tables import create_study
from trine.house.games.live.change_hooks import combine
from trine.house.games.storage.events import EVENT, Append, append_events, read_events
from trine.house.games.storage.tables import all_games, invite
from trine.house.people.credentials import create_token
from trine.house.people.tables import PERSON, create_account, create_guest
from trine.house.processes.tables import end_leases, homes_at_work, renew_leases, take_lead
from trine.house.ratings.tables import RatingRow, rate
from trine.house.store import copying
from trine.house.store.backup import back_up, check, restore
from trine.house.store.copying import CopyError, OnTable, copy, count_rows
from trine.house.store.database import Database
from trine.house.store.schema import METADATA
from trine.house.store.store import Store
from trine.house.store.store_errors import UnusableError
from trine.house.tables import SCHEMA


def fill(place: str | Path, games: int = 3) -> None:
    with Store.open(place, SCHEMA) as store:
        ada, eve = (written(store, create_guest, name, store.now()) for name in ("Ada", "Éve 猫"))
        written(store, create_account, ada.id, "Ada", "ada", "…", store.now())
        written(store, create_token, ada.id, store.now(), 60)
        written(store, create_study, eve.id, "[Game]\n", store.now())
        written(store, renew_leases, "here", "", 5.25)
        written(store, take_lead, "lobby", "here")
        written(store, end_leases, "here", 6.5)
        for _ in range(games):
            game = create(store)
            written(store, invite, game.id, 1, store.now())
            row = RatingRow(game.id, ada.id, "x", 1.1, 0.5, 1500.1, 1 / 3, 0.06)
            also = rated(row)
            events = [turn("猫 e\u0301", at) for at in (1.1, 1_800_000_000.123456)]
            written(
                store,
                append_events,
                Append(game.id, 1, 1, events, also=combine(with_due(game.id, live=3.3), also)),
            )
        store.writer.submit(fill_the_rest).result(PATIENCE)


def fill_the_rest(connection: Connection) -> None:
    """A row in each table that has none yet, of the types that its columns have."""
    for table in METADATA.sorted_tables:
        if connection.execute(select(table).limit(1)).first():
            continue
        values: dict[str, Any] = {}
        for column in table.columns:
            kinds: dict[type, Any] = {str: "x", int: 3, float: 0.1, bool: True}
            kinds[object] = {"é": [1, None, 0.1]}
            kind = column.type.python_type
            names = list(kind) if issubclass(kind, StrEnum) else []
            values[column.name] = names[0] if names else kinds[kind]
            for key in column.foreign_keys:
                known = select(key.column).order_by(key.column).limit(1)
                values[column.name] = connection.execute(known).scalar_one()
        connection.execute(insert(table).values(values))


def copied(source: Database, target: Database, told: OnTable = lambda table, rows: None) -> int:
    return copy(source, target, SCHEMA, lambda one: bool(homes_at_work(one)), told)


def rated(row: RatingRow) -> Callable[[Any], None]:
    return lambda connection: rate(connection, row.game, "x", [row.person], lambda before: [row])


@contextmanager
def opened(*places: str | Path) -> Iterator[list[Database]]:
    databases = [Database.open(place, SCHEMA) for place in places]
    try:
        yield databases
    finally:
        for database in databases:
            database.close()


def rows_of(database: Database) -> dict[str, list[str]]:
    with database.reader() as connection:
        return {
            name: sorted(str(tuple(row)) for row in connection.execute(select(table)))
            for name, table in METADATA.tables.items()
        }


def test_a_store_is_the_same_in_the_other_kind_of_database_and_back(
    tmp_path: Path, postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "BATCH_SIZE", 4)  # more than one part of a table
    first, last = tmp_path / "first.db", tmp_path / "last.db"
    fill(first)
    told: dict[str, int] = {}

    def tell(table: str, more: int) -> None:
        told[table] = told.get(table, 0) + more

    with postgres_server.database() as url, opened(first, url, last) as (one, two, three):
        count = copied(one, two, tell)
        assert told == count_rows(one, SCHEMA)
        assert copied(two, three) == count == sum(told.values()) and all(told.values())
        assert rows_of(one) == rows_of(two) == rows_of(three)
    with Store.open(first, SCHEMA) as store, Store.open(last, SCHEMA) as again:
        for game in all_games(store):
            assert again.read(read_events, game.id) == store.read(read_events, game.id)


def test_what_cannot_be_copied_whole_leaves_nothing(
    tmp_path: Path, postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "house.db"
    fill(path)
    with postgres_server.database() as url:
        with opened(path, url) as (one, two), monkeypatch.context() as patched:
            read, calls = copying._parts, []

            def forgets_one(connection: Any, table: Any) -> Any:
                calls.append(table.name)
                forgets = calls.count("event") == 2 and table.name == "event"
                return (rows[1:] if forgets else rows for rows in read(connection, table))

            patched.setattr(copying, "_parts", forgets_one)
            with pytest.raises(CopyError, match="table event is not the same"):
                copied(one, two)
            assert not any(count_rows(two, SCHEMA).values())
        with Store.open(path, SCHEMA) as store:
            bad = insert(PERSON).values(id="x", kind="guest", name="a\0b", created_at=1.0)
            store.writer.submit(lambda connection: connection.execute(bad) and None).result(
                PATIENCE
            )
        with opened(path, url) as (one, two):
            with pytest.raises(UnusableError, match="a row of table person cannot be written"):
                copied(one, two)
            assert not any(count_rows(two, SCHEMA).values())
            with two.connect_writer() as connection, connection.begin():
                connection.execute(
                    insert(PERSON).values(id="x", kind="guest", name="", created_at=1)
                )
            with pytest.raises(CopyError, match="is not empty"):
                copied(one, two)


def test_a_house_that_is_open_is_not_copied(tmp_path: Path, postgres_server: Server) -> None:
    path = tmp_path / "house.db"
    fill(path)
    with postgres_server.database() as url:
        with Store.open(path, SCHEMA) as store:
            game = create(store)
            with (
                opened(path, url) as (one, two),
                pytest.raises(UnusableError, match="another process has the database"),
            ):
                copied(one, two)
            written(store, append_events, Append(game.id, 1, 1, [turn()]))
        with opened(path, url) as (one, two):
            copied(one, two)
        with Store.open(url, SCHEMA) as store:
            written(store, renew_leases, "here", "", 1.0)
        with (
            opened(url, tmp_path / "other.db") as (one, two),
            pytest.raises(CopyError, match="is open, or was a few seconds ago"),
        ):
            copied(one, two)
        with Store.open(path, SCHEMA) as store:
            written(store, append_events, Append(game.id, 1, 2, [turn()]))


def test_a_backup_of_an_open_house_has_all_that_was_acknowledged(tmp_path: Path) -> None:
    path, copied = tmp_path / "house.db", tmp_path / "backup"
    fill(path)
    with Store.open(path, SCHEMA) as store:
        game = create(store)
        last, over = [0], threading.Event()

        def write() -> None:
            while not over.is_set():
                last[0] = written(
                    store, append_events, Append(game.id, 1, last[0] + 1, [turn("x" * 500)] * 20)
                )

        thread = threading.Thread(target=write)
        thread.start()
        while last[0] < 200:
            over.wait(0.001)
        before, steps = last[0], list[int]()
        count = back_up(path, copied, EVENT.name, lambda done, whole: steps.append(done))
        over.set()
        thread.join()
        assert steps and count >= before + 6
        assert not list(tmp_path.glob("backup?*")), "one file, and nothing beside it"
        assert restore(copied, tmp_path / "other" / "house.db", EVENT.name) == count
        with Store.open(tmp_path / "other" / "house.db", SCHEMA) as again:
            events = again.read(read_events, game.id)
            assert (
                before <= len(events) and events == store.read(read_events, game.id)[: len(events)]
            )
        before_that = copied.read_bytes()
        with pytest.raises(FileError, match="exists; choose another name"):
            back_up(path, copied, EVENT.name)
        assert copied.read_bytes() == before_that
        assert back_up(path, tmp_path / "later", EVENT.name) >= count


def test_what_is_no_backup_is_one_clear_error(tmp_path: Path) -> None:
    path, copied = tmp_path / "house.db", tmp_path / "backup"
    fill(path, games=60)
    back_up(path, copied, EVENT.name)
    with pytest.raises(FileError, match="exists; choose another name"):
        restore(copied, path, EVENT.name)
    path.unlink()
    (tmp_path / "house.db-wal").write_text("")
    with pytest.raises(FileError, match=r"db-wal exists; choose another"):
        restore(copied, path, EVENT.name)
    (tmp_path / "house.db-wal").unlink()
    whole = copied.read_bytes()
    middle = len(whole) // 2
    copied.write_bytes(whole[:middle] + b"\xff" * 4096 + whole[middle + 4096 :])
    with pytest.raises(UnusableError):
        restore(copied, path, EVENT.name)
    copied.write_bytes(whole[: len(whole) // 3])
    with pytest.raises(UnusableError):
        restore(copied, path, EVENT.name)
    copied.write_text("nothing of the kind")
    with pytest.raises(UnusableError, match="not a database"):
        restore(copied, path, EVENT.name)
    sqlite3.connect(tmp_path / "empty").close()
    with pytest.raises(UnusableError, match="no such table"):
        check(tmp_path / "empty", EVENT.name)
    with pytest.raises(FileError, match="there is no database"):
        restore(tmp_path / "none", path, EVENT.name)
    with pytest.raises(FileError, match="there is no database"):
        back_up(path, tmp_path / "another", EVENT.name)
    copied.write_text("damaged")
    with pytest.raises(UnusableError):
        back_up(copied, tmp_path / "another", EVENT.name)
    assert not list(tmp_path.glob("another*")), "nothing half-made is left"
    assert not path.exists()
    with pytest.raises(FileError, match="there is no folder"):
        copied.write_bytes(whole)
        back_up(copied, tmp_path / "none" / "backup", EVENT.name)
