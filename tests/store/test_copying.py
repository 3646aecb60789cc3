"""Copies of whole stores: to another kind of database and back, and as one file."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select

from postgres import Server
from store.stores import PATIENCE, create, turn
from trine.core.errors import FileError
from trine.store import copying
from trine.store.backup import back_up, check, restore
from trine.store.copying import CopyError, copy, count_rows
from trine.store.database import Database
from trine.store.rating_rows import RatingRow, rate
from trine.store.refusals import UnusableError
from trine.store.schema import METADATA, PERSON
from trine.store.store import Store


def fill(place: str | Path, games: int = 3) -> None:
    """Something in every table."""
    with Store.open(place) as store:
        ada, eve = (store.people.create_guest(name).result(PATIENCE) for name in ("Ada", "Éve 猫"))
        store.accounts.create(ada.id, "Ada", "ada", "…").result(PATIENCE)
        store.people.create_token(ada.id).result(PATIENCE)
        store.studies.create(eve.id, "[Game]\n").result(PATIENCE)
        store.homes.renew("here", "", 5.25).result(PATIENCE)
        store.homes.take_duty("lobby", "here").result(PATIENCE)
        store.homes.leave("here", 6.5).result(PATIENCE)
        for _ in range(games):
            game = create(store)
            store.invite(game.id, 1).result(PATIENCE)
            row = RatingRow(game.id, ada.id, "x", 1.1, 0.5, 1500.1, 1 / 3, 0.06)
            also = rated(row)
            events = [turn("猫 e\u0301", at) for at in (1.1, 1_800_000_000.123456)]
            store.append(game.id, 1, 1, events, due={"live": 3.3}, also=also).result(PATIENCE)
        store._writer.submit(fill_the_rest).result(PATIENCE)


def fill_the_rest(connection: Connection) -> None:
    """A row in each table that has none yet, of the types that its columns have."""
    for table in METADATA.sorted_tables:
        if connection.execute(select(table).limit(1)).first():
            continue
        values: dict[str, Any] = {}
        for column in table.columns:
            kinds: dict[type, Any] = {str: "x", int: 3, float: 0.1, bool: True}
            kinds[object] = {"é": [1, None, 0.1]}
            values[column.name] = kinds[column.type.python_type]
            for key in column.foreign_keys:
                known = select(key.column).order_by(key.column).limit(1)
                values[column.name] = connection.execute(known).scalar_one()
        connection.execute(insert(table).values(values))


def rated(row: RatingRow) -> Callable[[Any], None]:
    return lambda connection: rate(connection, row.game, "x", [row.person], lambda before: [row])


@contextmanager
def opened(*places: str | Path) -> Iterator[list[Database]]:
    databases = [Database.open(place) for place in places]
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
    monkeypatch.setattr(copying, "TOGETHER", 4)  # more than one part of a table
    first, last = tmp_path / "first.db", tmp_path / "last.db"
    fill(first)
    told: dict[str, int] = {}

    def tell(table: str, more: int) -> None:
        told[table] = told.get(table, 0) + more

    with postgres_server.database() as url, opened(first, url, last) as (one, two, three):
        count = copy(one, two, tell)
        assert told == count_rows(one)
        assert copy(two, three) == count == sum(told.values()) and all(told.values())
        assert rows_of(one) == rows_of(two) == rows_of(three)
    with Store.open(first) as store, Store.open(last) as again:
        for game in store.all_games():
            assert again.events(game.id) == store.events(game.id)


def test_what_cannot_be_copied_whole_leaves_nothing(
    tmp_path: Path, postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "house.db"
    fill(path)
    with postgres_server.database() as url:
        with opened(path, url) as (one, two), monkeypatch.context() as patched:
            read, calls = copying._rows, []

            def forgets_one(connection: Any, table: Any) -> Any:
                calls.append(table.name)
                rows = list(read(connection, table))
                return iter(
                    rows[1:] if calls.count("event") == 2 and table.name == "event" else rows
                )

            patched.setattr(copying, "_rows", forgets_one)
            with pytest.raises(CopyError, match="table event is not the same"):
                copy(one, two)
            assert not any(count_rows(two).values())
        with Store.open(path) as store:
            bad = insert(PERSON).values(id="x", kind="guest", name="a\0b", created_at=1.0)
            store._writer.submit(lambda connection: connection.execute(bad) and None).result(
                PATIENCE
            )
        with opened(path, url) as (one, two):
            with pytest.raises(UnusableError, match="a row of table person cannot be written"):
                copy(one, two)
            assert not any(count_rows(two).values())
            with two.connect_writer() as connection, connection.begin():
                connection.execute(
                    insert(PERSON).values(id="x", kind="guest", name="", created_at=1)
                )
            with pytest.raises(CopyError, match="is not empty"):
                copy(one, two)


def test_a_house_that_is_open_is_not_copied(tmp_path: Path, postgres_server: Server) -> None:
    path = tmp_path / "house.db"
    fill(path)
    with postgres_server.database() as url:
        with Store.open(path) as store:
            game = create(store)
            with (
                opened(path, url) as (one, two),
                pytest.raises(UnusableError, match="another process has the database"),
            ):
                copy(one, two)
            store.append(game.id, 1, 1, [turn()]).result(PATIENCE)
        with opened(path, url) as (one, two):
            copy(one, two)
        with Store.open(url) as store:
            store.homes.renew("here", "", 1.0).result(PATIENCE)
        with (
            opened(url, tmp_path / "other.db") as (one, two),
            pytest.raises(CopyError, match="is open, or was a few seconds ago"),
        ):
            copy(one, two)
        with Store.open(path) as store:
            store.append(game.id, 1, 2, [turn()]).result(PATIENCE)


def test_a_backup_of_an_open_house_has_all_that_was_acknowledged(tmp_path: Path) -> None:
    path, copied = tmp_path / "house.db", tmp_path / "backup"
    fill(path)
    with Store.open(path) as store:
        game = create(store)
        written, over = [0], threading.Event()

        def write() -> None:
            while not over.is_set():
                written[0] = store.append(
                    game.id, 1, written[0] + 1, [turn("x" * 500)] * 20
                ).result(PATIENCE)

        thread = threading.Thread(target=write)
        thread.start()
        while written[0] < 200:
            over.wait(0.001)
        before, steps = written[0], list[int]()
        count = back_up(path, copied, lambda done, whole: steps.append(done))
        over.set()
        thread.join()
        assert steps and count >= before + 6
        assert not list(tmp_path.glob("backup?*")), "one file, and nothing beside it"
        assert restore(copied, tmp_path / "other" / "house.db") == count
        with Store.open(tmp_path / "other" / "house.db") as again:
            events = again.events(game.id)
            assert before <= len(events) and events == store.events(game.id)[: len(events)]
        again_back_up = back_up(path, copied)
        assert again_back_up >= count


def test_what_is_no_backup_is_one_clear_error(tmp_path: Path) -> None:
    path, copied = tmp_path / "house.db", tmp_path / "backup"
    fill(path, games=60)
    back_up(path, copied)
    with pytest.raises(FileError, match="there is a house already"):
        restore(copied, path)
    path.unlink()
    (tmp_path / "house.db-wal").write_text("")
    with pytest.raises(FileError, match=r"there is a house already: .*-wal"):
        restore(copied, path)
    (tmp_path / "house.db-wal").unlink()
    whole = copied.read_bytes()
    middle = len(whole) // 2
    copied.write_bytes(whole[:middle] + b"\xff" * 4096 + whole[middle + 4096 :])
    with pytest.raises(UnusableError):
        restore(copied, path)
    copied.write_bytes(whole[: len(whole) // 3])
    with pytest.raises(UnusableError):
        restore(copied, path)
    copied.write_text("nothing of the kind")
    with pytest.raises(UnusableError, match="not a database"):
        restore(copied, path)
    sqlite3.connect(tmp_path / "empty").close()
    with pytest.raises(UnusableError, match="no such table"):
        check(tmp_path / "empty")
    with pytest.raises(FileError, match="there is no database"):
        restore(tmp_path / "none", path)
    with pytest.raises(FileError, match="there is no database"):
        back_up(path, copied)
    assert not path.exists()
    with pytest.raises(FileError, match="No such file"):
        copied.write_bytes(whole)
        back_up(copied, tmp_path / "none" / "backup")
