"""The tables: migrations make them, both databases have their types, indices find what is asked."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Dialect, Engine, create_engine, event, inspect, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from postgres import Server
from store.stores import PATIENCE, create, turn
from trine.store import (
    addresses,
    challenge_rows,
    chat_rows,
    conditions,
    deadlines,
    devices,
    migration,
    notices,
    search_rows,
    token_rows,
)
from trine.store.challenge_rows import ChallengeRow
from trine.store.chat_rows import ChatLine
from trine.store.conditions import ConditionRow
from trine.store.devices import Device
from trine.store.downtimes import Downtime
from trine.store.rating_rows import RatingRow, rate
from trine.store.refusals import UnusableError
from trine.store.schema import METADATA
from trine.store.search_rows import Key, Wish
from trine.store.seat_rows import SeatRow
from trine.store.store import Store
from trine.store.tokens import token_hash
from trine.store.tournament_rows import TournamentRow, TournamentStage
from trine.store.waiting import set_to_move
from trine.tournament.pairing import Pairing

FEW = ("SCAN home", "SCAN job", "SCAN worker")
"""Tables of a few rows."""


def tables_of(engine: Engine) -> dict[str, set[str]]:
    """The lines that SQLite remembers of each table, whatever their order.

    The name of one that a migration has copied stands in quotes.
    """
    with engine.connect() as connection:
        found = connection.execute(
            text("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        ).all()
    return {
        name: {line.strip().rstrip(",").replace(f'"{name}"', name) for line in sql.splitlines()}
        for name, sql in found
        if name != "alembic_version"
    }


def test_migrations_from_nothing_make_the_schema(tmp_path: Path) -> None:
    migrated = create_engine(f"sqlite:///{tmp_path}/migrated.db")
    with migrated.connect() as connection:
        migration.migrate(connection)
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []
    declared = create_engine(f"sqlite:///{tmp_path}/declared.db")
    METADATA.create_all(declared)
    # Alembic compares no primary keys and no nullable columns of SQLite by itself.
    assert tables_of(migrated) == tables_of(declared)
    migrated.dispose()
    declared.dispose()


def test_migrations_make_the_schema_in_postgresql_too(postgres_server: Server) -> None:
    with postgres_server.database(empty=True) as url:
        Store.open(url).close()
        engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
        with engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            assert compare_metadata(context, METADATA) == []
            found = inspect(connection)
            for name, table in METADATA.tables.items():
                keys = found.get_pk_constraint(name)["constrained_columns"]
                assert keys == [column.name for column in table.primary_key], name
        engine.dispose()


def test_processes_that_open_a_new_database_together_make_its_tables_once(
    postgres_server: Server,
) -> None:
    with postgres_server.database(empty=True) as url, ThreadPoolExecutor(3) as threads:
        for store in list(threads.map(lambda _: Store.open(url), range(3))):
            create(store)
            store.close()


def test_a_migration_that_fails_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("the power went")

    with monkeypatch.context() as patched:
        # Between two tables.
        patched.setattr("alembic.op.create_index", fail)
        with pytest.raises(UnusableError, match="the power went"):
            Store.open(path)
    engine = create_engine(f"sqlite:///{path}")
    assert tables_of(engine) == {}
    engine.dispose()
    with Store.open(path) as store:
        create(store)


def test_a_database_of_a_newer_version_is_left_alone(path: Path) -> None:
    with Store.open(path) as store:
        game = create(store)
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        mine = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(UnusableError, match="another version of trine"):
        Store.open(path)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE alembic_version SET version_num = '{mine}'"))
    engine.dispose()
    with Store.open(path) as store:
        assert store.game(game.id) == game


def test_what_was_to_be_told_is_told_after_an_upgrade(path: Path) -> None:
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        migration.migrate(connection, "0010")
        connection.execute(text("INSERT INTO person VALUES ('p', 'guest', 'Ada', 1)"))
        connection.execute(text("INSERT INTO game VALUES ('g', '', '', '{}', 1, '', '', 1)"))
        connection.execute(text("INSERT INTO notice VALUES ('p', 'g', 'turn', 2.5)"))
        connection.commit()
        migration.migrate(connection)
        assert notices.notices_of(connection, "p") == [notices.Notice("g", "turn", 2.5)]
    engine.dispose()


def test_revisions_are_one_line() -> None:
    with create_engine("sqlite://").connect() as connection:
        scripts = ScriptDirectory.from_config(migration.config(connection))
    assert len(scripts.get_heads()) == 1
    assert len(list(scripts.walk_revisions())) == len(
        list((migration.SCRIPTS / "versions").glob("r*.py"))
    )


def test_the_tables_can_be_made_in_postgresql_too() -> None:
    dialect: Dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    made = {
        name: str(CreateTable(table).compile(dialect=dialect))
        for name, table in METADATA.tables.items()
    }
    assert "PRIMARY KEY (game, seq)" in made["event"]
    assert "at DOUBLE PRECISION NOT NULL" in made["event"]
    assert "data JSON NOT NULL" in made["event"]
    assert "SERIAL" not in "".join(made.values())
    for table in METADATA.tables.values():
        for index in table.indexes:
            told = str(CreateIndex(index).compile(dialect=dialect))
            assert told.startswith(("CREATE INDEX ix_", "CREATE UNIQUE INDEX ix_"))


def test_statements_scan_no_table(file_store: Store) -> None:
    """Every statement that a door makes, explained by SQLite."""
    store = file_store
    statements: list[tuple[str, Any]] = []
    engines = (store._database._writing, store._database._reading)

    def note(_: object, __: object, statement: str, parameters: object, *___: object) -> None:
        if statement.split(maxsplit=1)[0] in ("SELECT", "UPDATE", "DELETE"):
            statements.append((statement, parameters))

    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    game = create(store)
    person = store.people.create_guest("Ada").result(PATIENCE)
    token = store.people.create_token(person.id).result(PATIENCE)
    link = store.invite(game.id, 0).result(PATIENCE)
    store.append(game.id, 1, 1, [turn()], due={"turn": 1.0}).result(PATIENCE)
    store.homes.take(game.id, "there").result(PATIENCE)
    store.set_due("sweep", "all", 1.0).result(PATIENCE)
    store.homes.renew("there", "", 1.0).result(PATIENCE)
    store.homes.renew("there", "", 1.0).result(PATIENCE)
    store.homes.take_duty("lobby", "there").result(PATIENCE)
    job = store.jobs.offer(game.id, 1, "bot:3", 0.5, "1").result(PATIENCE)
    store.jobs.take("there", "1").result(PATIENCE), store.jobs.wait_any("1")
    store.jobs.answer(job.id, ["e2"]).result(PATIENCE), store.jobs.states([job.id])
    store.jobs.withdraw(job.id).result(PATIENCE)
    (
        store.homes.of_game(game.id),
        store.homes.of_duty("lobby"),
        store.homes.epochs_of([game.id], "there"),
    )
    study = store.studies.create(person.id, "…").result(PATIENCE)
    store.studies.save(study.id, "").result(PATIENCE)
    store.studies.get(study.id), store.studies.of(person.id)
    store.studies.drop(study.id, person.id).result(PATIENCE)
    store.people.rename(person.id, "Eve").result(PATIENCE)
    store.game(game.id), store.seats(game.id), store.events(game.id)
    store.games_of(person.id), store.people.of_token(token), store.invited_to(link)
    store.due_of("turn", 1.0), store.moments_of("turn", [game.id])
    store.add_downtime(Downtime(1.0, 2.0)).result(PATIENCE)
    store.downtimes_after(1.0), store.running_games_of(person.id), store.seats_of_games([game.id])
    turns = partial(set_to_move, game=game.id, person=person.id, since=1.0)
    store.append(game.id, 2, 2, [turn()], also=turns).result(PATIENCE)
    assert store.waiting_for(person.id) == [game.id]
    store.set_conditions(game.id, 0, ConditionRow(0, 1, [])).result(PATIENCE)
    assert [row.seat for row in store.conditions_of(game.id)] == [0]
    write_letters(store, person.id, game.id)
    tell_devices(store, person.id, token_hash(token))
    assert store.movers([game.id]) == {game.id: (person.id, 1.0)}
    store.accounts.create(person.id, "Eve", "eve", "…").result(PATIENCE)
    store.accounts.rename(person.id, "Eva", "eva").result(PATIENCE)
    store.accounts.set_password(person.id, "!", "…").result(PATIENCE)
    store.accounts.set_role(person.id, "admin").result(PATIENCE)
    store.accounts.of(person.id), store.accounts.named("eva"), store.accounts.of_all([person.id])
    row = RatingRow(game.id, person.id, "tzaar/official blitz", 1.0, 1.0, 1500.0, 350.0, 0.06)
    store.append(game.id, 2, 3, [turn()], also=rated(row)).result(PATIENCE)
    store.rating(person.id, row.discipline), store.ratings_of(person.id)
    store.people.sessions_of(person.id)
    store.people.end_session(person.id, "").result(PATIENCE)
    store.people.end_sessions(person.id).result(PATIENCE)
    key = store.write(token_rows.create_api_token, person.id, "a", ("read",), 1.0).result(PATIENCE)
    store.read(token_rows.grant_of, token_hash(key))
    store.write(token_rows.become_bot, person.id).result(PATIENCE)
    store.write(token_rows.drop_api_token, person.id, token_hash(key)).result(PATIENCE)
    wish = ChallengeRow("c", person.id, person.id, {}, None, 1.0, 2.0)
    store.write(challenge_rows.create_challenge, wish).result(PATIENCE)
    store.read(challenge_rows.open_challenges, 1.0, 10)
    store.read(challenge_rows.read_challenge, "c")
    store.write(challenge_rows.drop_challenge, "c").result(PATIENCE)
    tournaments(store, person.id)
    search(store, person.id, game.id)
    store.accounts.delete(person.id, {game.id: {0: "Gold"}}).result(PATIENCE)
    store.people.drop_token(token).result(PATIENCE)
    store.people.drop_expired_tokens().result(PATIENCE)
    assert len(statements) >= 45
    with engines[1].connect() as connection:
        for statement, parameters in statements:
            first = parameters[0] if isinstance(parameters, list) else parameters
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", first).all()
            for step in plan:
                scans = step.detail.startswith("SCAN") and step.detail not in FEW
                assert not scans or "INDEX" in step.detail, (statement, step.detail)
                sorts = "appearance" in statement and "TEMP B-TREE" in step.detail
                assert not sorts or "seat" in statement.rsplit("ORDER BY", 1)[-1], statement
    assert any("ix_due_at" in plan for plan in plans(store, "SELECT * FROM due WHERE at <= 1"))


def write_letters(store: Store, person: str, game: str) -> None:
    """Every statement about letters and the links in them."""

    def write(connection: Connection) -> None:
        addresses.set_address(connection, person, "ada@example.org", "en")
        address = addresses.address_of(connection, person)
        assert address and addresses.people_at(connection, "ADA@example.org") == [person]
        addresses.set_wanted(connection, person, wanted=True)
        notices.note(connection, person, game, "turn", 1.0)
        assert [one.about for one in notices.notices_of(connection, person)] == [game]
        known = notices.notices_of(connection, person)
        notices.note(connection, person, game, "ended", 0.5)  # it was on its way for long
        notices.told(connection, person, known, 3.0)
        (late,) = notices.notices_of(connection, person)
        assert late.kind == "ended" and deadlines.moments_of(connection, notices.LETTER, [person])
        notices.told(connection, person, [late], 4.0)
        assert notices.notices_of(connection, person) == []
        notices.forget(connection, person)
        assert addresses.stop_by(connection, address.leave)
        token = addresses.make_key(connection, person, "reset", {}, 9.0)
        assert addresses.read_key(connection, token, "confirm", 1.0) is None
        assert addresses.use_key(connection, token, "reset", 1.0)
        assert addresses.use_key(connection, token, "reset", 1.0) is None
        addresses.drop_expired_keys(connection, 1.0)
        conditions.clear_conditions(connection, game)

    store.write(write).result(PATIENCE)


def search(store: Store, person: str, game: str) -> None:
    """Every statement by which games and people are searched, and notes are left and read."""
    about = {"at": 1.0, "room": "tzaar", "rules": "official"}
    kinds = {"rated": False, "by_days": False, "listed": True}

    def write(connection: Connection) -> None:
        search_rows.begin(connection, game, [person, None], **about, **kinds)
        search_rows.end(connection, game, 0)
        for wish in (
            Wish(),
            Wish(room="tzaar"),
            Wish(room="tzaar", rules="official", since=0.5, until=2.0),
            Wish(person, seats=2, rated=False, by_days=False, over=True, score=1.0),
            Wish(person, person, room="tzaar", rules="official"),
        ):
            for viewer in (None, person):
                found, _ = search_rows.find_games(connection, wish, viewer, Key(9.0, "z"), 5)
                assert [one.game for one in found] == [game]
        assert search_rows.scores_of(connection, [game]) == {game: [1.0, 0.0]}
        people, _ = search_rows.find_people(connection, "ev", "", 5)
        assert [one.name for one in people] == ["Eva"]
        search_rows.forget(connection, game)
        note = ChatLine(game, 0, chat_rows.NOTES, person, "Eva", 1.0, "!", turn=1)
        said = ChatLine(game, 0, "watchers", person, "Eva", 1.0, "?")
        assert chat_rows.add_note(connection, note, 1, 9)
        assert chat_rows.add_note(connection, note, 1, 9) is None
        assert chat_rows.add_note(connection, note, 9, 1) is None
        assert chat_rows.add_line(connection, said).number == 2
        assert [one.words for one in chat_rows.notes_of(connection, game, 9)] == ["!"]
        assert [one.words for one in chat_rows.last_lines(connection, game, 9)] == ["?"]
        assert chat_rows.delete_line(connection, game, 1, 2.0)
        assert chat_rows.notes_of(connection, game, 9) == []

    store.write(write).result(PATIENCE)


def tell_devices(store: Store, person: str, session: str) -> None:
    """Every statement about devices and what is told there."""

    def write(connection: Connection) -> None:
        device = Device("d", person, session, "https://push.example.org/d", "", "", "en", 1.0)
        devices.keep_device(connection, device)
        assert devices.devices_of(connection, person) == [device]
        notices.note(connection, person, "c", "challenged", 1.0, live=True)
        assert [one.about for one in notices.notices_of(connection, person, "d")] == ["c"]
        devices.put_off(connection, device, 1, 9.0)
        assert devices.read_device(connection, "d") == replace(device, tries=1)
        known = notices.notices_of(connection, person, "d")
        notices.told(connection, person, known, 3.0, "d")
        assert devices.read_device(connection, "d") == replace(device, written_at=3.0)
        devices.forget_news(connection, "d")
        assert devices.drop_device(connection, "d", person)
        devices.keep_device(connection, device)

    store.write(write).result(PATIENCE)


def tournaments(store: Store, person: str) -> None:
    """Every statement about tournaments."""
    here = store.tournaments
    row = TournamentRow("t", "", person, {}, {}, True, 2, TournamentStage.OPEN, 1.0, 1.0)
    here.create(row, [(person, ""), (None, "bot:3")]).result(PATIENCE)
    here.leave("t", 2).result(PATIENCE)
    here.join("t", None, "bot:3").result(PATIENCE)
    assert here.begin("t", [(1, 0.0), (2, 0.0)], 1.0).result(PATIENCE)
    assert here.withdraw("t", 2).result(PATIENCE)
    assert here.pair("t", 0, [Pairing(1, (1, 2))]).result(PATIENCE)
    game = here.play("t", 1, "tzaar", "official", {}, [SeatRow()] * 2).result(PATIENCE)
    assert here.result("t", 1, (1.0, 0.0), played=True).result(PATIENCE)
    assert here.get("t") and here.of_game(game) and here.of_person(person)
    here.in_stages([TournamentStage.RUNNING], listed=True), here.counts(["t"]), here.to_see_to(2.0)
    assert here.end("t", TournamentStage.OVER, 2.0).result(PATIENCE)


def rated(row: RatingRow) -> Callable[[Connection], None]:
    return lambda connection: rate(
        connection, row.game, row.discipline, [row.person], lambda before: [row]
    )


def plans(store: Store, statement: str) -> list[str]:
    with store._database.reader() as connection:
        return [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}")]


def test_connections_are_durable_and_hold_references(file_store: Store) -> None:
    def settings(connection: Connection) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys")
        return [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]

    full = 2
    assert file_store._writer.submit(settings).result(PATIENCE) == ["wal", full, 1]


def test_readers_cannot_write(file_store: Store) -> None:
    with (
        pytest.raises(UnusableError, match="readonly"),
        file_store._database.reader() as connection,
    ):
        connection.exec_driver_sql("DELETE FROM event")
