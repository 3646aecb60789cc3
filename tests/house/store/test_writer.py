"""The one writer: commits together, bounded, drained at the end, honest about a dead disk."""

import asyncio
import sqlite3
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError, NoResultFound

from house.store.stores import PATIENCE, create, held_up, turn, written
from trine.house.games.storage.events import EVENT, Append, append_events, read_events
from trine.house.games.storage.tables import GAME, read_game
from trine.house.store import writer
from trine.house.store.backup import back_up
from trine.house.store.store import Store
from trine.house.store.store_errors import BusyError, UnusableError
from trine.house.tables import SCHEMA


def test_what_comes_in_during_a_commit_is_committed_together(store: Store) -> None:
    games = [create(store) for _ in range(50)]
    commits = store.writer.commits
    with held_up(store):
        futures = [store.write(append_events, Append(game.id, 1, 1, [turn()])) for game in games]
    assert [future.result(PATIENCE) for future in futures] == [1] * 50
    assert store.writer.commits - commits == 2  # that which held the writer up, and this


def test_nothing_is_acknowledged_before_it_can_be_read(store: Store) -> None:
    game = create(store)
    for seq in range(1, 20):
        written(store, append_events, Append(game.id, 1, seq, [turn()]))
        assert len(store.read(read_events, game.id)) == seq


def test_many_coroutines_and_threads_write_at_once(store: Store) -> None:
    games = [create(store) for _ in range(40)]
    commits = store.writer.commits

    async def play(game: str) -> None:
        for seq in range(1, 11):
            await store.commit(append_events, Append(game, 1, seq, [turn(str(seq))]))

    async def play_all() -> None:
        await asyncio.gather(*(play(game.id) for game in games[:20]))

    def play_in_thread(game: str) -> None:
        for seq in range(1, 11):
            written(store, append_events, Append(game, 1, seq, [turn(str(seq))]))

    threads = [threading.Thread(target=play_in_thread, args=(game.id,)) for game in games[20:]]
    for thread in threads:
        thread.start()
    asyncio.run(play_all())
    for thread in threads:
        thread.join()
    for game in games:
        words = [event.data["words"] for event in store.read(read_events, game.id)]
        assert words == [str(seq) for seq in range(1, 11)]
    assert store.writer.commits - commits < 40 * 10  # some were together


def test_what_is_cancelled_before_its_commit_is_not_written(store: Store) -> None:
    game = create(store)

    async def give_up() -> None:
        waiting = asyncio.ensure_future(
            asyncio.wrap_future(store.write(append_events, Append(game.id, 1, 1, [turn("never")])))
        )
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)

    with held_up(store):
        asyncio.run(give_up())
    assert written(store, append_events, Append(game.id, 1, 1, [turn("first")])) == 1
    assert [event.data["words"] for event in store.read(read_events, game.id)] == ["first"]


def test_too_much_that_waits_is_refused_at_the_door(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MAX_WAITING", 3)
    monkeypatch.setattr(writer, "MAX_GROUP", 2)
    with Store.open(place, SCHEMA) as store:
        game = create(store)
        with held_up(store):
            futures = [
                store.write(append_events, Append(game.id, 1, seq, [turn()])) for seq in (1, 2, 3)
            ]
            assert store.writer.waiting == 3
            with pytest.raises(BusyError, match="3 writes wait already"):
                store.write(append_events, Append(game.id, 1, 4, [turn()]))
        assert [future.result(PATIENCE) for future in futures] == [1, 2, 3]
        assert written(store, append_events, Append(game.id, 1, 4, [turn()])) == 4


def test_closing_writes_what_waits_and_then_refuses(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MAX_GROUP", 7)
    store = Store.open(place, SCHEMA)
    game = create(store)
    futures = [
        store.write(append_events, Append(game.id, 1, seq, [turn()])) for seq in range(1, 101)
    ]
    store.close()
    assert [future.result(0) for future in futures] == list(range(1, 101))
    with pytest.raises(UnusableError, match="closed"):
        store.write(append_events, Append(game.id, 1, 101, [turn()]))
    assert not Path(f"{place}-wal").exists()
    with Store.open(place, SCHEMA) as again:
        assert len(again.read(read_events, game.id)) == 100


def test_a_fault_in_one_write_is_told_as_what_it_is_and_takes_no_other_with_it(
    store: Store,
) -> None:
    game, other = create(store), create(store)

    def fail(connection: Connection) -> None:
        connection.execute(update(GAME).values(rules="nonsense"))
        raise KeyError("nobody")

    commits = store.writer.commits
    with held_up(store):
        first = store.write(append_events, Append(game.id, 1, 1, [turn()]))
        plain = store.write(fail)
        also = store.write(append_events, Append(game.id, 1, 2, [turn()], also=fail))
        last = store.write(append_events, Append(other.id, 1, 1, [turn()]))
    for failed in (plain, also):
        with pytest.raises(KeyError, match="nobody") as raised:
            failed.result(PATIENCE)
        assert raised.traceback[-1].name == "fail"
    assert (first.result(PATIENCE), last.result(PATIENCE)) == (1, 1)
    assert store.writer.commits - commits == 2, "they were together"
    assert len(store.read(read_events, game.id)) == 1
    assert store.read(read_game, game.id) == game


def test_a_fault_in_what_is_read_is_not_taken_for_a_dead_database(store: Store) -> None:
    with pytest.raises(NoResultFound):
        store.read(lambda connection: connection.execute(select(GAME)).one())


def test_the_errors_of_the_database_tell_nothing_that_was_given(store: Store) -> None:
    game = create(store)
    row = {"game": game.id, "seq": 1, "at": 0.0, "kind": "act", "data": {"secret": "abc"}}
    written(store, lambda connection: connection.execute(insert(EVENT), row))
    with pytest.raises(IntegrityError) as raised:
        written(store, lambda connection: connection.execute(insert(EVENT), row))
    assert "secret" not in str(raised.value)


def test_a_full_disk_fails_all_who_wait_and_acknowledges_none(file_store: Store) -> None:
    store = file_store
    game, other = create(store), create(store)
    written(store, append_events, Append(game.id, 1, 1, [turn()]))
    with held_up(store):
        # As many pages as there are: it is SQLite itself that finds no room.
        full = store.writer.submit(
            lambda connection: connection.exec_driver_sql("PRAGMA max_page_count = 1") and None
        )
        small = store.write(append_events, Append(other.id, 1, 1, [turn()]))
        large = store.write(append_events, Append(game.id, 1, 2, [turn("x" * 100_000)]))
    for future in (full, small, large):
        with pytest.raises(UnusableError, match=r"house\.db cannot be used: .*full"):
            future.result(PATIENCE)
    assert (len(store.read(read_events, game.id)), len(store.read(read_events, other.id))) == (1, 0)
    # There is room again.
    assert written(store, append_events, Append(game.id, 1, 2, [turn("x" * 100_000)])) == 2


@pytest.mark.parametrize("which", ["house.db", "house.db-wal"])
def test_a_removed_file_is_noticed(file_store: Store, path: Path, which: str) -> None:
    store = file_store
    game = create(store)
    written(store, append_events, Append(game.id, 1, 1, [turn()]))
    path.with_name(which).unlink()
    for _ in range(2):
        with pytest.raises(UnusableError, match=rf"{which} was removed or replaced"):
            written(store, append_events, Append(game.id, 1, 2, [turn()]))
    store.close()
    if which == "house.db-wal":
        with Store.open(path, SCHEMA) as again:
            assert len(again.read(read_events, game.id)) == 1


@pytest.mark.parametrize("moved", [["house.db"], ["house.db", "house.db-wal"]], ids=len)
def test_a_file_that_is_back_is_written_again(
    file_store: Store, path: Path, moved: list[str]
) -> None:
    store = file_store
    game = create(store)
    written(store, append_events, Append(game.id, 1, 1, [turn()]))
    for name in moved:
        path.with_name(name).rename(path.with_name(f"away-{name}"))
    for _ in range(2):
        with pytest.raises(UnusableError, match="removed or replaced"):
            written(store, append_events, Append(game.id, 1, 2, [turn()]))
        assert not store.is_replaced, "it is only missing"
    for name in moved:
        path.with_name(f"away-{name}").rename(path.with_name(name))
    last = written(store, append_events, Append(game.id, 1, 2, [turn()]))
    store.close()
    with Store.open(path, SCHEMA) as again:
        assert len(again.read(read_events, game.id)) == last == 2


@pytest.mark.faults("the writer of the database failed")
def test_a_writer_goes_on_after_an_error_that_nobody_expects(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell, failed = writer._resolve, list[object]()

    def fail_once(*given: Any) -> None:
        if not failed:
            failed.append(given)
            raise SystemError("nobody expects this")
        tell(*given)

    game = create(store)
    monkeypatch.setattr(writer, "_resolve", fail_once)
    with pytest.raises(UnusableError, match="nobody expects this"):
        written(store, append_events, Append(game.id, 1, 1, [turn()]))
    after = len(store.read(read_events, game.id))
    written(store, append_events, Append(game.id, 1, after + 1, [turn()]))
    assert store.writer.failures == 1


def test_a_replaced_file_is_noticed(file_store: Store, path: Path) -> None:
    store = file_store
    game = create(store)
    path.rename(path.with_name("old.db"))
    with Store.open(path, SCHEMA):
        with pytest.raises(UnusableError, match="removed or replaced"):
            written(store, append_events, Append(game.id, 1, 1, [turn()]))
        with pytest.raises(UnusableError, match="removed or replaced"):
            written(store, append_events, Append(game.id, 1, 1, [turn()]))
        assert store.is_replaced


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("sqlite://", "names no file"),
        ("sqlite:///:memory:", "names no file"),
        ("nonsense://somebody:secret@there/x", r"nonsense://somebody:\*\*\*@there/x"),
        ("postgresql://somebody:secret@127.0.0.1:1/x", "cannot be used"),
        ("mysql://somebody:secret@there/x", "neither a file nor a database of PostgreSQL"),
    ],
)
def test_a_place_that_is_none_is_one_clear_error(url: str, problem: str) -> None:
    with pytest.raises(UnusableError, match=problem) as raised:
        Store.open(url, SCHEMA)
    assert "secret" not in str(raised.value)


def test_a_missing_driver_is_named_with_the_way_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UnusableError, match=r"not installed; to install it: .*(extras|postgres)"):
        Store.open("postgresql://somebody@127.0.0.1/x", SCHEMA)


def test_a_file_that_is_no_database_is_one_clear_error(path: Path) -> None:
    path.write_text('[Game "arimaa/official"]\n' * 200)
    with pytest.raises(UnusableError, match="not a database"):
        Store.open(path, SCHEMA)
    (path.parent / "folder").mkdir()
    with pytest.raises(UnusableError, match="folder"):
        Store.open(path.parent / "folder", SCHEMA)


def test_a_url_of_a_file_opens_the_same_store(path: Path) -> None:
    odd = path.with_name("a house?#% 100.db")
    with Store.open(odd, SCHEMA) as store:
        game = create(store)
    assert odd.exists()
    with Store.open(path, SCHEMA) as store:
        game = create(store)
    with Store.open(f"sqlite:///{path}", SCHEMA) as store:
        assert store.read(read_game, game.id) == game


def test_nobody_else_can_read_a_house_or_its_backup(file_store: Store, path: Path) -> None:
    create(file_store)
    back_up(path, path.with_name("backup.db"), "game")
    files = sorted(path.parent.iterdir())
    assert {"house.db", "house.db-wal", "backup.db"} <= {file.name for file in files}
    assert {file.name: file.stat().st_mode & 0o077 for file in files} == dict.fromkeys(
        (file.name for file in files), 0
    )


def test_a_reader_that_outlives_its_store_leaves_no_connection_open(place: str) -> None:
    store = Store.open(place, SCHEMA)

    def outlive(connection: Connection) -> Any:
        store.close()
        return connection.connection.driver_connection

    used = store.read(outlive)
    if hasattr(used, "closed"):  # of PostgreSQL
        assert used.closed
    else:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            used.execute("SELECT 1")
