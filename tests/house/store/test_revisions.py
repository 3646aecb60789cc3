"""Revisions: they lead a database to the declared tables, and one of others is left alone."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, NullPool, create_engine, inspect, text

from cli.commands.test_house import run
from house.store.stores import create
from postgres import Server
from trine.house.api.tokens import grant_of
from trine.house.games.storage.tables import read_game
from trine.house.migrations.versions import r0007_names
from trine.house.notify.tables import devices_of, read_key
from trine.house.people.credentials import end_credentials, person_of
from trine.house.processes.tables import fencing_tokens_of
from trine.house.store.database import alembic_config, last_revision, revision_of
from trine.house.store.scheduled_tasks import times_of
from trine.house.store.secrets import token_hash
from trine.house.store.store import Store
from trine.house.store.store_errors import UnusableError
from trine.house.tables import SCHEMA


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path, postgres_server: Server) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "house.db")
    else:
        with postgres_server.database(empty=True) as url:
            yield url


def engine_of(place: str) -> Engine:
    """An engine for a database, without what the house makes of it."""
    url = place.replace("postgresql:", "postgresql+psycopg:")
    return create_engine(url if "://" in place else f"sqlite:///{place}", poolclass=NullPool)


def make_first(engine: Engine) -> None:
    """Make the tables as they are before the first release, which is the first revision."""
    with engine.begin() as connection:
        for line in Path(__file__).with_name("first.sql").read_text().splitlines():
            if engine.dialect.name == "sqlite":
                line = line.replace(' COLLATE "C"', "").replace(" PRECISION", "")
            if not line.startswith("--"):
                connection.exec_driver_sql(line)


def test_a_database_that_is_up_to_date_opens_without_alembic(tmp_path: Path) -> None:
    """To import it takes a tenth of the time until a killed house is open again."""
    place = tmp_path / "house.db"
    Store.open(place, SCHEMA).close()
    code = (
        "import sys; from trine.house.store.store import Store; from trine.house.tables import "
        f"SCHEMA; Store.open({str(place)!r}, SCHEMA).close(); print('alembic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("new", [True, False], ids=["new", "of the first revision"])
def test_a_database_comes_to_the_declared_tables(place: str, new: bool) -> None:
    """A change to a table without a revision, or with one that does something else, fails here."""
    engine = engine_of(place)
    if not new:
        make_first(engine)
    Store.open(place, SCHEMA).close()
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, SCHEMA.metadata) == []
        scripts = ScriptDirectory.from_config(alembic_config(connection, SCHEMA))
        assert revision_of(connection) == scripts.get_current_head() == last_revision(SCHEMA)
        found = inspect(connection)  # Alembic compares no primary keys
        for name, table in SCHEMA.metadata.tables.items():
            keys = found.get_pk_constraint(name)["constrained_columns"]
            assert keys == [column.name for column in table.primary_key], name
            columns = {one["name"]: one["nullable"] for one in found.get_columns(name)}
            assert columns == {column.name: column.nullable for column in table.columns}, name
            if connection.dialect.name == "postgresql":  # SQLite cannot rename a constraint
                given = connection.dialect.identifier_preparer.format_constraint
                foreign = {one["name"] for one in found.get_foreign_keys(name)}
                assert foreign == {given(one) for one in table.foreign_key_constraints}, name


def test_how_a_game_ended_comes_into_its_row(place: str) -> None:
    engine = engine_of(place)
    make_first(engine)
    with engine.begin() as connection:
        for game in ("won", "left"):
            connection.execute(
                text(
                    "INSERT INTO game (id, room, rules, terms, created_at, stage, home, epoch) "
                    f"VALUES ('{game}', 'tzaar', 'official', '{{}}', 1.0, 'over', 'here', 1)"
                )
            )
        connection.execute(
            text("INSERT INTO result VALUES ('won', 'tzaar', 'official', 'resignation', 1, 12)")
        )
    with Store.open(place, SCHEMA) as store:
        won, left = store.read(read_game, "won"), store.read(read_game, "left")
    assert won and (won.reason, won.winner, won.turns) == ("resignation", 1, 12)
    assert left and (left.reason, left.winner, left.turns) == (None, None, None)


def test_what_was_made_from_credentials_stays_valid(place: str) -> None:
    """The sessions, links and tokens of today do not end with the revision, nor do the devices."""
    engine = engine_of(place)
    make_first(engine)
    later = 4e9
    with engine.begin() as connection:
        for line in (
            "INSERT INTO person VALUES ('anna', 'account', 'Anna', 1.0), ('g', 'guest', 'G', 1.0)",
            "INSERT INTO account VALUES ('anna', 'anna', 'hash', NULL, 1.0)",
            f"INSERT INTO session VALUES ('{token_hash('one')}', 'anna', 1.0, {later}, NULL, NULL)",
            f"INSERT INTO session VALUES ('{token_hash('two')}', 'g', 1.0, {later}, NULL, NULL)",
            f"INSERT INTO letter_link VALUES ('{token_hash('l')}', 'anna', 'reset', '{{}}', {later})",
            "INSERT INTO api_token VALUES ('t', 'anna', 'it', 'read', 1.0)",
            "INSERT INTO device VALUES ('d', 'anna', "
            f"'{token_hash('one')}', '', '', '', 'en', 1.0, 1.0, 0)",
        ):
            connection.exec_driver_sql(line)
    with Store.open(place, SCHEMA) as store:
        for token, person_id in (("one", "anna"), ("two", "g")):
            person = store.read(person_of, token, 2.0)
            assert person and person.id == person_id
        assert store.read(read_key, "l", "reset", 2.0)
        assert store.read(grant_of, "t")
        assert len(store.read(devices_of, "anna")) == 1
        store.write(end_credentials, "anna").result()
        assert not store.read(person_of, "one", 2.0)
        assert store.read(person_of, "two", 2.0)
        assert not store.read(read_key, "l", "reset", 2.0)
        assert not store.read(grant_of, "t")


# A row for each column and table that the last revision renames, and what they refer to.
NAMED = (
    "INSERT INTO person VALUES ('anna', 'account', 'Anna', 1.0)",
    "INSERT INTO account VALUES ('anna', 'anna', 'hash', NULL, 1.0, 1)",
    "INSERT INTO game (id, room, rules, terms, created_at, stage, home, epoch) "
    "VALUES ('g', 'tzaar', 'official', '{}', 1.0, 'running', 'here', 3)",
    "INSERT INTO seat VALUES ('g', 0, 'anna', 'person', '')",
    "INSERT INTO event VALUES ('g', 1, 2.0, 0, 'act', '{}')",
    "INSERT INTO due VALUES ('turn', 'g', 5.0)",
    "INSERT INTO appearance VALUES "
    "('g', 0, 'anna', 1.0, 'tzaar', 'official', 2, true, false, true, NULL)",
    "INSERT INTO left_game VALUES ('g', 'anna', 1.0)",
    "INSERT INTO loss VALUES ('g', 7, 0, 0.5, '4g', 'a', 'b', 'hang')",
    "INSERT INTO audit VALUES ('a', 1.0, NULL, 'version', NULL, '1.0')",
    "INSERT INTO duty VALUES ('lobby', 'here')",
    "INSERT INTO press VALUES ('hash', '', 1.0)",
    "INSERT INTO puzzle VALUES ('p', 2, 1600.0, 80.0, 0.06)",
    "INSERT INTO used_from VALUES ('anna', 'mark', 1.0)",
    "INSERT INTO email_address VALUES ('anna', 'a@b.c', 'a@b.c', 'en', 1, 'leave', 1.0, 9.0)",
    "INSERT INTO ceremony VALUES ('hash', 'login', 'challenge', '{}', 4e9, 1)",
    f"INSERT INTO letter_link VALUES ('{token_hash('l')}', 'anna', 'reset', '{{}}', 4e9, 1)",
    f"INSERT INTO session VALUES ('{token_hash('one')}', 'anna', 1.0, 4e9, NULL, 8.0, 1)",
    f"INSERT INTO device VALUES ('d', 'anna', '{token_hash('one')}', '', '', '', 'en', 1.0, 1.0)",
)


def test_renamed_tables_keep_their_rows_and_names_of_constraints(place: str) -> None:
    engine = engine_of(place)
    make_first(engine)
    with engine.begin() as connection:
        command.upgrade(alembic_config(connection, SCHEMA), r0007_names.down_revision)
        for line in NAMED:
            connection.exec_driver_sql(line)
        before = rows_of(connection)
    Store.open(place, SCHEMA).close()
    with engine.begin() as connection:
        names = r0007_names.TABLES
        kept = {names.get(name, name): rows for name, rows in before.items()}
        assert rows_of(connection) == kept | {"sent_moment": []}
        found = inspect(connection)
        assert not set(names) & set(found.get_table_names())
        for name in names.values():
            table = SCHEMA.metadata.tables[name]
            assert {one["name"] for one in found.get_indexes(name)} == {
                str(index.name) for index in table.indexes
            }
            if engine.dialect.name == "postgresql":
                keys = [found.get_pk_constraint(name), *found.get_foreign_keys(name)]
                assert {one["name"] for one in keys} == {str(one.name) for one in table.constraints}
    with Store.open(place, SCHEMA) as store:
        assert store.read(fencing_tokens_of, ["g"], "here") == {"g": 3}
        assert store.read(times_of, "turn", ["g"]) == {"g": 5.0}
        person = store.read(person_of, "one", 2.0)
        assert person and person.login_alert_at == 8.0
        assert store.read(read_key, "l", "reset", 2.0)


def rows_of(connection: Connection) -> dict[str, list[tuple[object, ...]]]:
    """The rows of all tables but that of Alembic, by table."""
    return {
        name: [tuple(row) for row in connection.execute(text(f"SELECT * FROM {name}"))]
        for name in inspect(connection).get_table_names()
        if name != "alembic_version"
    }


def test_revisions_are_one_line() -> None:
    with create_engine("sqlite://").connect() as connection:
        scripts = ScriptDirectory.from_config(alembic_config(connection, SCHEMA))
    assert len(scripts.get_heads()) == 1
    assert len(list(scripts.walk_revisions())) == len(
        list((SCHEMA.migrations / "versions").glob("r*.py"))
    )


def test_a_database_of_another_revision_is_left_alone(place: str, tmp_path: Path) -> None:
    """Be it of a newer version, or of one from before the first revision."""
    with Store.open(place, SCHEMA) as store:
        game = create(store)
    engine = engine_of(place)
    with engine.begin() as connection:
        mine = revision_of(connection)
        connection.execute(text("UPDATE alembic_version SET version_num = 'losses'"))
    with pytest.raises(
        UnusableError, match=r"another version of trine; docs/guides/back-up\.md says"
    ):
        Store.open(place, SCHEMA)
    refused = run("migrate", place, str(tmp_path / "new"))
    assert "another version of trine" in str(refused.exception)
    assert not (tmp_path / "new").exists()
    with engine.begin() as connection:
        assert revision_of(connection) == "losses"
        connection.execute(text(f"UPDATE alembic_version SET version_num = '{mine}'"))
    with Store.open(place, SCHEMA) as store:
        assert store.read(read_game, game.id) == game
