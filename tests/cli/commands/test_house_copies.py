"""`trine house`: backups, moving to another database, lists, all records."""

from pathlib import Path

import pytest
from sqlalchemy import delete

from cli.commands.test_house import furnish, run
from postgres import Server
from trine.core.contract.record import read_records
from trine.core.errors import FileError, MalformedError, TrineError
from trine.house.games.storage.events import EVENT, read_events
from trine.house.people.encryption import VARIABLE, Encryption
from trine.house.people.factors import Factor, keep_factor
from trine.house.people.names import fold
from trine.house.people.tables import account_named
from trine.house.ratings.ratings import MIN_TURNS
from trine.house.ratings.tables import all_ratings
from trine.house.server import ServeSettings, serve
from trine.house.store.store import Store
from trine.house.tables import SCHEMA
from trine.play.record.replay import replay

pytestmark = pytest.mark.in_file


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    return furnish(tmp_path_factory.mktemp("house"))


def test_a_house_is_moved_to_postgresql_and_is_in_order_there(
    made: tuple[Path, str], postgres_server: Server
) -> None:
    folder, rated = made
    with postgres_server.database(empty=True) as url:
        done = run("migrate", str(folder), url)
        assert done.exit_code == 0 and "are the same there" in done.output, done.output
        assert "all 4 games are in order" in run("check", "--database", url).output
        with Store.open(folder / "house.db", SCHEMA) as here, Store.open(url, SCHEMA) as there:
            assert here.read(read_events, rated) == there.read(read_events, rated)
            assert here.read(all_ratings) == there.read(all_ratings)
        again = run("migrate", str(folder), url)
        assert isinstance(again.exception, TrineError) and "not empty" in str(again.exception)
        assert "secret" not in str(run("migrate", "nowhere", "nonsense://x:secret@y/z").exception)
        refused = run("backup", "here", "--database", url)
        assert isinstance(refused.exception, TrineError) and "pg_dump" in str(refused.exception)
    missing = run("migrate", str(folder / "nothing"), url)
    assert isinstance(missing.exception, FileError)


def test_backups_without_a_name_rotate_in_the_folder_of_the_settings(
    made: tuple[Path, str], tmp_path: Path
) -> None:
    folder, _ = made
    nameless = run("backup", "--data", str(folder))
    assert nameless.exit_code == 2 and "give FILE, or a folder in the section" in nameless.output
    (folder / "house.toml").write_text(f'[backup]\nfolder = "{tmp_path}"\nkeep = 2\n')
    for old in ("house-2020-01-01-030000.db", "house-2020-01-02-030000.db", "other.db"):
        (tmp_path / old).touch()
    try:
        assert run("backup", "--data", str(folder)).exit_code == 0
    finally:
        (folder / "house.toml").unlink()
    kept = sorted(one.name for one in tmp_path.iterdir())
    assert kept[0] == "house-2020-01-02-030000.db" and kept[2] == "other.db" and len(kept) == 3
    assert run("restore", str(tmp_path / kept[1]), "--data", str(tmp_path / "new")).exit_code == 0


def test_a_backup_is_put_in_place_elsewhere(made: tuple[Path, str], tmp_path: Path) -> None:
    folder, _ = made
    file, other = str(tmp_path / "backup"), str(tmp_path / "other")
    assert "and is in order" in run("backup", file, "--data", str(folder)).output
    assert run("restore", file, "--data", other).exit_code == 0
    assert "all 4 games are in order" in run("check", "--data", other).output
    assert isinstance(run("restore", file, "--data", other).exception, FileError)
    assert isinstance(run("backup", file, "--data", str(folder)).exception, FileError)


@pytest.mark.parametrize("command", ["backup", "export"])
def test_a_missing_folder_is_what_is_named(
    made: tuple[Path, str], tmp_path: Path, command: str
) -> None:
    missing = tmp_path / "not mounted"
    refused = run(command, str(missing / "file"), "--data", str(made[0]))
    assert isinstance(refused.exception, FileError)
    assert str(refused.exception) == f"there is no folder {missing}"
    assert not missing.exists()


def test_a_house_does_not_open_without_the_key_of_what_it_has_stored(
    made: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    file, other = str(tmp_path / "backup"), tmp_path / "other"
    assert run("backup", file, "--data", str(made[0])).exit_code == 0
    assert run("restore", file, "--data", str(other)).exit_code == 0
    with Store.open(other / "house.db", SCHEMA) as store:
        account = store.read(account_named, fold("Cili"))
        assert account
        encrypted = Encryption(b"k" * 32).encrypt("ABCD", account.person)
        store.write(keep_factor, Factor(account.person, encrypted, 0, 1.0), ["x"]).result(60)
    with pytest.raises(MalformedError, match=r"house\.key is missing"):
        serve(ServeSettings(other, port=0), lambda address: pytest.fail("it is open"))
    assert not (other / "house.key").exists()


def test_a_refused_move_leaves_nothing_that_could_be_opened(
    made: tuple[Path, str], tmp_path: Path, postgres_server: Server
) -> None:
    folder, _ = made
    new = tmp_path / "new" / "house.db"
    with (
        postgres_server.database(empty=True) as url,
        Store.open(folder / "house.db", SCHEMA) as store,
    ):
        assert store.read(read_events, made[1])
        for target in (str(new), url):
            refused = run("migrate", str(folder), target)
            assert isinstance(refused.exception, TrineError), refused.output
            assert "another process has the database" in str(refused.exception)
        assert [*new.parent.iterdir()] == []
        nothing = run("migrate", url, str(new))
        assert "there is no house" in str(nothing.exception)
        looked = run("list", "--database", url)
        assert "there is no house" in str(looked.exception), "none was made by looking for it"
        assert [*new.parent.iterdir()] == []
    assert run("migrate", str(folder), str(new)).exit_code == 0
    assert [one.name for one in new.parent.iterdir()] == ["house.db"]
    assert "all 4 games are in order" in run("check", "--data", str(new.parent)).output
    was = new.read_bytes()
    assert isinstance(run("migrate", str(folder), str(new)).exception, FileError)
    assert new.read_bytes() == was


def test_games_are_listed_by_stage(made: tuple[Path, str]) -> None:
    folder, rated = made
    lines = run("list", "--data", str(folder)).stdout.splitlines()
    assert len(lines) == 4 and any(line.startswith(rated) for line in lines)
    over = run("list", "--stage", "over", "--data", str(folder)).stdout.splitlines()
    assert len(over) == 2 and "Cili" in next(line for line in over if line.startswith(rated))
    assert len(run("list", "--limit", "1", "--data", str(folder)).stdout.splitlines()) == 1
    assert run("list", "processes", "--data", str(folder)).stdout.count("here") <= 1


def test_all_records_are_written_and_can_be_read_again(
    made: tuple[Path, str], tmp_path: Path
) -> None:
    folder, _ = made
    file = tmp_path / "all.trine"
    done = run("export", str(file), "--data", str(folder))
    assert "3 records were written" in done.output
    assert isinstance(run("export", str(file), "--data", str(folder)).exception, FileError)
    found = list(read_records(file.read_text().splitlines(keepends=True)))
    assert sorted(record.tags["Game"] for record in found) == ["arimaa", "corridor", "tzaar"]
    assert sum(len(replay(record).turns) for record in found) == MIN_TURNS
    told = run("export", "--over", "--data", str(folder)).stdout
    assert len(list(read_records(told.splitlines(keepends=True)))) == 2


def test_a_game_that_cannot_be_read_is_named_and_the_others_are_written(tmp_path: Path) -> None:
    folder, rated = furnish(tmp_path)
    with Store.open(folder / "house.db", SCHEMA) as store:
        gap = delete(EVENT).where(EVENT.c.game == rated, EVENT.c.seq == 1)
        store.writer.submit(lambda connection: connection.execute(gap) and None).result(60)
    done = run("export", str(tmp_path / "all"), "--data", str(folder))
    assert isinstance(done.exception, TrineError) and "1 of 4 games" in str(done.exception)
    assert f"game {rated}: event 1" in done.output
    assert len(list(read_records((tmp_path / "all").read_text().splitlines(keepends=True)))) == 2
