"""The tables: migrations make them, both databases have their types, indices find what is asked."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Connection, Dialect, create_engine, event, inspect, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from house.store.stores import PATIENCE, create, turn, waiting_for, with_due, written
from postgres import Server
from trine.house.analysis.tables import create_study, drop_study, read_study, save_study, studies_of
from trine.house.api.tokens import become_bot, create_api_token, drop_api_token, grant_of
from trine.house.games.live.agreement import Agreement
from trine.house.games.storage import tables as game_tables
from trine.house.games.storage.events import Append, append_events, read_events, take_name_off
from trine.house.lobby import tables as lobby_tables
from trine.house.notify import notices
from trine.house.notify import tables as letters
from trine.house.notify.tables import Device
from trine.house.people import browsers, credentials, factors, idempotency, relations
from trine.house.people import tables as person_tables
from trine.house.people.sanctions import check_not_banned
from trine.house.people.takeout import Takeout
from trine.house.processes import tables as process_tables
from trine.house.ratings import tables as rating_tables
from trine.house.ratings.routes import leaders_of
from trine.house.ratings.tables import RatingRow, latest_ratings, rate, ratings_of
from trine.house.retention import FORGET, TELL
from trine.house.search import tables as search_tables
from trine.house.search.search import clauses_of
from trine.house.store import scheduled_tasks
from trine.house.store.schema import METADATA
from trine.house.store.secrets import token_hash
from trine.house.store.store import Store
from trine.house.store.store_errors import UnusableError
from trine.house.tables import SCHEMA
from trine.house.talk import tables as chat_tables
from trine.house.tournaments import tables, tournament_steps
from trine.house.tournaments.tables import TournamentRow, TournamentStage
from trine.play.tournament.tournament import Pairing

FEW = ("SCAN home", "SCAN seek", "SCAN sanction", "SCAN anon_1")
"""Tables of a few rows, and what a statement has found before."""


def test_processes_that_open_a_new_database_together_make_its_tables_once(
    postgres_server: Server,
) -> None:
    with postgres_server.database(empty=True) as url, ThreadPoolExecutor(3) as threads:
        for store in list(threads.map(lambda _: Store.open(url, SCHEMA), range(3))):
            create(store)
            store.close()


def test_a_migration_may_be_idle_for_longer_than_what_holds_up_others(
    postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def limit(connection: Connection) -> object:
        return connection.execute(text("SHOW idle_in_transaction_session_timeout")).scalar_one()

    limits = []
    monkeypatch.setattr(
        command, "stamp", lambda config, _: limits.append(limit(config.attributes["connection"]))
    )
    with postgres_server.database(empty=True) as url, Store.open(url, SCHEMA) as store:
        limits.append(written(store, limit))
    assert limits == ["1min", "4s"]


def test_a_migration_that_fails_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("the power went")

    with monkeypatch.context() as patched:
        # Between the tables and the note of what they are.
        patched.setattr("alembic.command.stamp", fail)
        with pytest.raises(UnusableError, match="the power went"):
            Store.open(path, SCHEMA)
    engine = create_engine(f"sqlite:///{path}")
    assert inspect(engine).get_table_names() == []
    engine.dispose()
    with Store.open(path, SCHEMA) as store:
        create(store)


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
    person = written(store, person_tables.create_guest, "Ada", store.now())
    token = written(store, credentials.create_token, person.id, store.now(), 60)
    link = written(store, game_tables.invite, game.id, 0, store.now())
    written(store, append_events, Append(game.id, 1, 1, [turn()], also=with_due(game.id, turn=1.0)))
    written(store, process_tables.take_game, game.id, "there")
    written(store, scheduled_tasks.schedule, "sweep", "all", 1.0)
    written(store, process_tables.renew_leases, "there", "", 1.0)
    written(store, process_tables.renew_leases, "there", "", 1.0)
    written(store, process_tables.take_lead, "lobby", "there")
    store.read(process_tables.home_of, game.id)
    store.read(process_tables.leader_of, "lobby")
    store.read(process_tables.fencing_tokens_of, [game.id], "there")
    study = written(store, create_study, person.id, "…", store.now())
    written(store, save_study, study.id, "", study.changed_at, store.now())
    store.read(read_study, study.id), store.read(studies_of, person.id)
    written(store, drop_study, study.id, person.id)
    written(store, person_tables.rename, person.id, "Eve")
    store.read(game_tables.read_game, game.id)
    store.read(game_tables.read_seats, game.id)
    store.read(read_events, game.id)
    store.read(game_tables.games_of, person.id)
    store.read(credentials.person_of, token, store.now())
    store.read(game_tables.invited_to, link)
    (
        store.read(scheduled_tasks.tasks_due, "turn", 1.0),
        store.read(scheduled_tasks.times_of, "turn", [game.id]),
    )
    written(store, game_tables.add_downtime, game_tables.Downtime(1.0, 2.0))
    store.read(game_tables.downtimes_after, 1.0)
    store.read(game_tables.games_of, person.id, running=True)
    store.read(game_tables.seats_of_games, [game.id])
    turns = partial(game_tables.set_to_move, game_id=game.id, person_id=person.id, since=1.0)
    written(store, append_events, Append(game.id, 2, 2, [turn()], also=turns))
    assert store.read(waiting_for, person.id) == [game.id]
    written(store, game_tables.set_conditions, game.id, 0, game_tables.ConditionRow(0, 1, []))
    assert [row.seat for row in store.read(game_tables.conditions_of, [game.id])[game.id]] == [0]
    written(store, write_letters, person.id, game.id)
    written(store, tell_devices, person.id, token_hash(token))
    assert store.read(game_tables.movers, [game.id]) == {game.id: (person.id, 1.0)}
    written(store, person_tables.create_account, person.id, "Eve", "eve", "…", store.now())
    written(store, person_tables.rename_account, person.id, "Eva", "eva", 1.0)
    written(store, person_tables.rehash_password, person.id, "!", "…")
    written(store, person_tables.set_role, person.id, "admin")
    store.read(person_tables.read_account, person.id)
    store.read(person_tables.account_named, "eva")
    assert store.read(person_tables.find_account, "eve")
    written(store, person_tables.rename_account, person.id, "Eve", "eve", 2.0)
    written(store, person_tables.rename_account, person.id, "Eva", "eva", 3.0)
    store.read(person_tables.accounts_of, [person.id])
    row = RatingRow(game.id, person.id, "tzaar/official blitz", 1.0, 1.0, 1500.0, 350.0, 0.06)
    written(store, append_events, Append(game.id, 2, 3, [turn()], also=rated(row)))
    store.read(latest_ratings, [person.id], row.discipline)
    store.read(ratings_of, person.id)
    written(store, ratings, person.id, game.id)
    store.read(person_tables.sessions_of, person.id, store.now())
    factor = factors.Factor(person.id, "x", 1, 1.0)
    written(store, factors.keep_factor, factor, ["a"])
    assert store.read(factors.factor_of, person.id) == factor
    assert store.read(factors.recovery_codes_left, person.id) == 1
    assert written(store, factors.use_step, person.id, 2)
    assert not written(store, factors.use_step, person.id, 2)
    assert written(store, factors.use_recovery_code, person.id, "a")
    for browser in ("a", "b", "a"):
        written(store, browsers.note_browser, token_hash(token), browser, "", 1.0)
    written(store, browsers.resolve_alert, token_hash(token), mine=True)
    assert store.read(browsers.people_in, "a") == [person.id]
    for mark, at in (("a", 1.0), ("a", 2.0), ("b", 3.0)):
        written(store, browsers.note_used, person.id, mark, at, 0.5)
    assert store.read(browsers.people_from, "a", 2.0) == [person.id]
    assert not store.read(browsers.share_address, [person.id], 1.0)
    assert not store.read(browsers.share_browser, [person.id])
    store.read(rating_tables.pause_of, [person.id], 1.0)
    written(store, idempotency.claim, "press", 1.0)
    written(store, idempotency.finish, "press", "00")
    written(store, idempotency.drop, "press")
    written(store, rating_tables.forget_leaves, person.id)
    store.read(credentials.valid_sessions, ["a"], 1.0)
    store.read(check_not_banned, person.id, 1.0)
    written(store, credentials.end_sessions, person.id)
    key = written(store, create_api_token, person.id, "a", ("read",), 1.0)
    store.read(grant_of, token_hash(key))
    written(store, become_bot, person.id)
    written(store, drop_api_token, person.id, token_hash(key))
    wish = lobby_tables.ChallengeRow("c", person.id, person.id, {}, None, 1.0, 2.0)
    written(store, lobby_tables.create_challenge, wish)
    store.read(lobby_tables.open_challenges, 1.0, 10)
    store.read(lobby_tables.read_challenge, "c")
    written(store, lobby_tables.drop_challenge, "c")
    store.read(lobby_tables.played_lately, 1.0)
    tournaments(store, person.id)
    written(store, search, person.id, game.id)
    follow = partial(relations.relate, to=relations.FOLLOW.c.followed, on=True)
    written(store, follow, person_id=person.id, other=person.id, now=1.0)
    for tell in TELL:
        store.read(tell, person.id, Takeout({}))
    assert store.read(person_tables.deleted_of, [person.id]) == []
    nameless = partial(take_name_off, name="deleted", tags={game.id: {0: "Gold"}})
    written(store, credentials.delete_account, person.id, (*FORGET, nameless), 1.0)
    written(store, person_tables.drop_token, token)
    written(store, person_tables.drop_expired_tokens, store.now())
    assert len(statements) >= 45
    with engines[1].connect() as connection:
        for statement, parameters in statements:
            first = parameters[0] if isinstance(parameters, list) else parameters
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", first).all()
            for step in plan:
                scans = step.detail.startswith("SCAN") and step.detail not in FEW
                assert not scans or "INDEX" in step.detail, (statement, step.detail)
                sorts = "game_search" in statement and "TEMP B-TREE" in step.detail
                assert not sorts or "seat" in statement.rsplit("ORDER BY", 1)[-1], statement
    due = "SELECT * FROM scheduled_task WHERE kind = 'x' AND at <= 1"
    assert any("ix_scheduled_task_kind_at" in plan for plan in plans(store, due))
    day = "SELECT game FROM rating WHERE person = 'x' AND at >= 1 AND at < 2"
    assert any("ix_rating_person_at" in plan for plan in plans(store, day))
    links = "DELETE FROM invitation WHERE game IN ('x')"  # those of games that never began
    assert any("ix_invitation_game_seat" in plan for plan in plans(store, links))


def ratings(connection: Connection, person: str, game: str) -> None:
    ((number, row),) = rating_tables.ratings_since(connection, 0.5, 9)
    assert rating_tables.rating_before(connection, person, row.discipline, number) is None
    rating_tables.cheap_wins(connection, [person], row.discipline, 0.0, 2.0)
    rating_tables.games_between(connection, [person], 0.0, 2.0)
    leaders_of(connection, row.discipline, 0.5)
    assert rating_tables.annul(connection, [game], person, 1.0) == [game]
    assert rating_tables.annulled(connection, [game]) == {game}
    assert [one.game for one in rating_tables.last_annulments(connection, 9)] == [game]
    assert rating_tables.reinstate(connection, [game]) == [game]
    assert rating_tables.games_without(connection, [person, "x"]) == []
    assert rating_tables.take_ratings_since(connection, [game], 1.0) == [game]
    rating_tables.add_ratings(connection, [row])


def write_letters(connection: Connection, person: str, game: str) -> None:
    letters.set_address(connection, person, "ada@example.org", "en")
    address = letters.address_of(connection, person)
    assert address and letters.people_at(connection, "ADA@example.org") == [person]
    letters.set_wanted(connection, person, wanted=True)
    notices.note(connection, person, game, "turn", 1.0)
    assert [one.about for one in notices.notices_of(connection, person)] == [game]
    known = notices.notices_of(connection, person)
    notices.note(connection, person, game, "ended", 0.5)  # it was on its way for long
    notices.finish_notices(connection, person, known, 3.0)
    (late,) = notices.notices_of(connection, person)
    assert late.kind == "ended" and scheduled_tasks.times_of(connection, notices.EMAIL, [person])
    notices.finish_notices(connection, person, [late], 4.0)
    assert notices.notices_of(connection, person) == []
    notices.withdraw(connection, person, game, "draw")
    notices.erase_notices(connection, person)
    letters.set_suspended(connection, address, 1.0)
    assert letters.stop_by(connection, address.leave)
    token = letters.make_key(connection, person, "reset", {}, 9.0)
    assert letters.read_key(connection, token, "confirm", 1.0) is None
    assert letters.use_key(connection, token, "reset", 1.0)
    assert letters.use_key(connection, token, "reset", 1.0) is None
    letters.drop_expired_keys(connection, 1.0)


def search(connection: Connection, person: str, game: str) -> None:
    about = {"at": 1.0, "room": "tzaar", "rules": "official"}
    kinds = {"rated": False, "by_days": False, "listed": True}
    search_tables.note_beginning(connection, game, [person, None], **about, **kinds)
    search_tables.note_end(connection, game, 0)
    rules, began = {"game": "tzaar", "rules": "official"}, "1970-01-01"
    kind = {"players": "2", "kind": "casual", "pace": "live"}
    for given, player, other in (
        ({}, "", ""),
        ({"game": "tzaar"}, "", ""),
        ({**rules, "since": began, "until": began}, "", ""),
        ({**kind, "result": "over"}, person, ""),
        ({**kind, "result": "won"}, person, ""),
        (rules, person, person),
    ):
        for viewer in (None, person):
            clauses = clauses_of(given, player, other, viewer)
            found, _ = search_tables.find_games(
                connection, *clauses, search_tables.Key(9.0, "z"), 5
            )
            assert list(found) == [game]
    assert search_tables.scores_of(connection, [game]) == {game: [1.0, 0.0]}
    people, _ = search_tables.find_people(connection, "ev", "", 5)
    assert [one.name for one in people] == ["Eva"]
    search_tables.forget_game(connection, game)
    note = chat_tables.ChatLine(game, 0, chat_tables.NOTES, person, "Eva", 1.0, "!", turn=1)
    said = chat_tables.ChatLine(game, 0, "watchers", person, "Eva", 1.0, "?")
    assert chat_tables.add_note(connection, note, 1, 9)
    assert chat_tables.add_note(connection, note, 1, 9) is None
    assert chat_tables.add_note(connection, note, 9, 1) is None
    assert chat_tables.add_line(connection, said).number == 2
    assert [one.words for one in chat_tables.notes_of(connection, game, 9)] == ["!"]
    assert [one.words for one in chat_tables.last_lines(connection, game, 9)] == ["?"]
    assert chat_tables.delete_line(connection, game, 1, 2.0)
    assert chat_tables.notes_of(connection, game, 9) == []


def tell_devices(connection: Connection, person: str, session: str) -> None:
    device = Device("d", person, session, "https://push.example.org/d", "", "", "en", 1.0)
    letters.keep_device(connection, device)
    assert letters.devices_of(connection, person) == [device]
    notices.note(connection, person, "c", "challenged", 1.0, live=True)
    assert [one.about for one in notices.notices_of(connection, person, "d")] == ["c"]
    known = notices.notices_of(connection, person, "d")
    notices.finish_notices(connection, person, known, 3.0, "d")
    assert letters.read_device(connection, "d") == replace(device, written_at=3.0)
    letters.forget_news(connection, "d")
    assert letters.drop_device(connection, "d", person)
    letters.keep_device(connection, device)


def tournaments(store: Store, person: str) -> None:
    row = TournamentRow("t", "", person, {}, {}, True, 2, TournamentStage.OPEN, 1.0, 1.0)
    written(store, tournament_steps.create, row, [(person, ""), (None, "bot:3")])
    written(store, tournament_steps.leave, "t", 2, "bot:3")
    written(store, tournament_steps.join, "t", None, "bot:3")
    assert not written(store, tournament_steps.cancel, "t", 1.0, [1])
    numbers = [(1, person, 0.0), (2, "bot:3", 0.0)]
    assert written(store, tournament_steps.begin, "t", numbers, 1.0)
    assert written(store, tournament_steps.withdraw, "t", 2, "bot:3")
    assert written(store, tournament_steps.pair, "t", 0, [Pairing(1, (1, 2))])
    agreed, seats = Agreement.make("tzaar"), [game_tables.SeatRow()] * 2
    written(store, tournament_steps.play, "t", 1, agreed, seats, 1.0)
    decided = store.write(tournament_steps.result, "t", 1, None, (1.0, 0.0), played=False)
    assert decided.result(PATIENCE)
    assert store.read(tables.read_whole, "t") and store.read(tables.of_person, person)
    assert store.read(tables.of_person, person, TournamentStage.RUNNING)
    store.read(tables.in_stages, [TournamentStage.RUNNING], listed=True)
    store.read(tables.counts, ["t"])
    store.read(tables.to_see_to, 2.0)
    assert written(store, tournament_steps.erase_person, person, 2.0) == ["t"]
    assert written(store, tournament_steps.end, "t", 1, 2.0)


def rated(row: RatingRow) -> Callable[[Connection], None]:
    return lambda connection: rate(
        connection, row.game, row.discipline, [row.person], lambda before: [row]
    )


def test_leaders_are_found_in_the_index_of_their_discipline(file_store: Store) -> None:
    """Those of a discipline cost as much as it has games, whatever is played elsewhere."""
    statements: list[tuple[str, Any]] = []

    def note(_: object, __: object, statement: str, parameters: object, *___: object) -> None:
        if " rating " in statement:
            statements.append((statement, parameters))

    engine = file_store._database._reading
    event.listen(engine, "before_cursor_execute", note)
    file_store.read(leaders_of, "tzaar/official blitz", 1.0)
    event.remove(engine, "before_cursor_execute", note)
    ((statement, parameters),) = statements
    with engine.connect() as connection:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()
    told = [step.detail for step in plan]
    index = "ix_rating_discipline_person_number (discipline=?)"
    assert f"SEARCH rating USING COVERING INDEX {index}" in told, told
    assert not any(step.startswith("SCAN rating") for step in told), told


def plans(store: Store, statement: str) -> list[str]:
    with store._database.reader() as connection:
        return [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}")]


def test_connections_are_durable_and_hold_references(file_store: Store) -> None:
    def settings(connection: Connection) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys")
        return [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]

    full = 2
    assert file_store.writer.submit(settings).result(PATIENCE) == ["wal", full, 1]


def test_readers_cannot_write(file_store: Store) -> None:
    with (
        pytest.raises(UnusableError, match="readonly"),
        file_store._database.reader() as connection,
    ):
        connection.exec_driver_sql("DELETE FROM event")
