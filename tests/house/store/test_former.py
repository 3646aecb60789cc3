"""Databases of before: one of the first schema is brought up to date, a former one is copied."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, Engine, create_engine, inspect, text

from cli.commands.test_house import run
from postgres import Server
from trine.core.errors import TrineError
from trine.house.former import NAMES, REVISION
from trine.house.store.refusals import UnusableError
from trine.house.store.store import Store
from trine.house.tables import SCHEMA

HERE = Path(__file__).parent


@pytest.fixture(params=["sqlite", "postgres"])
def places(
    request: pytest.FixtureRequest, tmp_path: Path, postgres_server: Server
) -> Iterator[tuple[str, str]]:
    """The places of two empty databases of a kind."""
    if request.param == "sqlite":
        yield str(tmp_path / "old.db"), str(tmp_path / "new.db")
    else:
        with (
            postgres_server.database(empty=True) as old,
            postgres_server.database(empty=True) as new,
        ):
            yield old, new


def engine_of(place: str) -> Engine:
    """An engine for a database, without what the house makes of it."""
    if "://" in place:
        return create_engine(place.replace("postgresql:", "postgresql+psycopg:"))
    return create_engine(f"sqlite:///{place}")


def make(place: str, script: str) -> None:
    """Make a database by the statements of a file beside this one."""
    engine = engine_of(place)
    with engine.begin() as connection:
        for statement in (HERE / script).read_text().splitlines():
            if engine.dialect.name == "sqlite":
                statement = statement.replace(' COLLATE "C"', "").replace(" PRECISION", "")
            if not statement.startswith("--"):
                connection.exec_driver_sql(statement)
    engine.dispose()


def check_schema(connection: Connection) -> None:
    """Check that the tables are those that are declared."""
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    assert compare_metadata(context, SCHEMA.metadata) == []
    found = inspect(connection)  # Alembic compares no primary keys
    for name, table in SCHEMA.metadata.tables.items():
        keys = found.get_pk_constraint(name)["constrained_columns"]
        assert keys == [column.name for column in table.primary_key], name
        columns = {one["name"]: one["nullable"] for one in found.get_columns(name)}
        assert columns == {column.name: column.nullable for column in table.columns}, name


def rows_of(place: str) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of a database, by the names of their tables."""
    engine = engine_of(place)
    with engine.connect() as connection:
        names = inspect(connection).get_table_names()
        found = {
            name: sorted(map(tuple, connection.execute(text(f'SELECT * FROM "{name}"')).all()))
            for name in names
        }
    engine.dispose()
    return found


def test_the_first_schema_and_an_empty_database_come_to_the_same(places: tuple[str, str]) -> None:
    """A change to a table without a revision, or with one that does something else, fails here."""
    make(places[0], "first.sql")
    for place in places:
        Store.open(place, SCHEMA).close()
        engine = engine_of(place)
        with engine.connect() as connection:
            check_schema(connection)
        engine.dispose()
    assert rows_of(places[0])["alembic_version"] == rows_of(places[1])["alembic_version"]


def test_a_house_of_the_former_schema_is_carried_over(places: tuple[str, str]) -> None:
    old, new = places
    make(old, "former.sql")
    before = rows_of(old)
    with pytest.raises(UnusableError, match="trine house migrate OLD NEW"):
        Store.open(old, SCHEMA)
    done = run("migrate", old, new)
    assert done.exit_code == 0, done.output
    known = {name for name in SCHEMA.metadata.tables if NAMES.get(name, name) in before}
    assert len(known) >= 30 and f"{len(known)} rows were copied" in done.output
    after = rows_of(new)
    assert after["alembic_version"] != before["alembic_version"] == [(REVISION,)]
    for name in SCHEMA.metadata.tables:
        if name not in known:
            assert after[name] == [], name
            continue
        ((*row,), (*was,)) = (*after[name], *before[NAMES.get(name, name)])
        assert row[: len(was)] == was, name  # later columns stand behind, as they are by default
    assert set(after) == {*SCHEMA.metadata.tables, "alembic_version"}
    assert rows_of(old) == before
    again = run("migrate", old, new)
    assert isinstance(again.exception, TrineError)
    assert ("is not empty" if "://" in new else "exists") in str(again.exception)
    Store.open(new, SCHEMA).close()
