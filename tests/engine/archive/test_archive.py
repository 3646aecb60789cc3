"""An archive: what is added can be found, counted and written again, however a process ends."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from capturing import captured
from engine.archive.archives import add, random_records, write_games
from playing import HOUSE, run_trine
from small_games import small_game
from trine.core.contract.record import Record, WrittenTurn, format_record, read_records
from trine.core.errors import FileError, LockedError, TrineError
from trine.engine.archive import archive_writer
from trine.engine.archive.parts import ArchiveFolder
from trine.engine.archive.queries import Archive, GameFilter
from trine.games import open_room
from trine.play.record.replay import replay
from trine.play.record.statistics import By, count
from waiting import wait_until

pytest.importorskip("duckdb", reason="DuckDB is not installed; scripts/extras installs it")


def texts(records: Any) -> list[str]:
    return sorted(format_record(record) for record in records)


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return [
        *random_records("corridor/quoridor", 12, size=3),
        *random_records("tzaar/official", 6),
        *random_records("arimaa/official", 4, most=12),
        *random_records("corridor/corridor", 3, players=4, size=4),
    ]


@pytest.fixture(scope="module")
def added(tmp_path_factory: pytest.TempPathFactory, records: list[Record]) -> Path:
    folder = tmp_path_factory.mktemp("added") / "archive"
    assert add(folder, records) == len(records)
    return folder


@pytest.fixture
def archive(tmp_path: Path, added: Path) -> Archive:
    return Archive(Path(shutil.copytree(added, tmp_path / "archive")))


def test_what_was_added_comes_out_again(archive: Archive, records: list[Record]) -> None:
    assert texts(archive.records(GameFilter())) == texts(records)


def test_adding_again_adds_nothing(archive: Archive, records: list[Record]) -> None:
    before = sorted(archive.folder.path.rglob("*.parquet"))
    assert add(archive.folder.path, records) == 0
    assert sorted(archive.folder.path.rglob("*.parquet")) == before


def test_the_same_game_told_otherwise_is_the_same(tmp_path: Path) -> None:
    head = '[Game "corridor"]\n[Rules "quoridor"]\n[South "Anna"]\n'
    plain = f'{head}[Event "Cup"]\n\n1s e2\n1n e8\n2s e3\n'
    retold = f"{head}\n1s e2\n1n {{well}} e8\n2s a1h\n2n takeback\n2s e3 {{0:12}}\n"
    for words, new in ((plain, 1), (retold, 0), (f"{plain}2n e7\n", 1)):
        assert add(tmp_path, read_records(words.splitlines(True))) == new


def test_times_and_comments_are_kept(tmp_path: Path) -> None:
    words = (
        '[Game "corridor"]\n[Rules "quoridor"]\n[Date "2024-05-06"]\n\n'
        "1s e2 {0:12} {or 1s e1h}\n1n e8 {well said}\n"
    )
    add(tmp_path / "archive", read_records(words.splitlines(True)))
    archive = Archive(tmp_path / "archive")
    assert texts(archive.records(GameFilter())) == [words]
    (part,) = archive.folder.parts()
    rows = archive.database.execute(
        f"select seconds from '{archive.folder.turns(part)}' order by number"
    )
    assert rows.fetchall() == [(12.0,), (None,)]


def test_a_player_who_leaves_is_kept(tmp_path: Path) -> None:
    words = '[Game "corridor"]\n[Rules "quoridor"]\n[Players "4"]\n\n1s e2\n1w resigns\n1n e8\n'
    add(tmp_path / "archive", read_records(words.splitlines(True)))
    assert texts(Archive(tmp_path / "archive").records(GameFilter())) == [words]


@pytest.mark.parametrize("by", By)
def test_figures_are_those_of_the_files(archive: Archive, records: list[Record], by: By) -> None:
    def refused(error: TrineError) -> None:
        raise error

    expected = count(records, by, refused)
    found = archive.figures(by)
    assert {key: vars(games) for key, games in found.items()}.keys() == expected.keys()
    for key, games in found.items():
        assert (games.unfinished, games.reasons) == (
            expected[key].unfinished,
            expected[key].reasons,
        )
        assert sorted(games.turns) == sorted(expected[key].turns)
        assert sum(games.first) == sum(expected[key].first)
        assert sorted(games.seconds) == sorted(expected[key].seconds)
    assert any(games.seconds for games in found.values())


FILTERS: dict[str, tuple[dict[str, Any], Callable[[dict[str, str]], bool]]] = {
    "game": ({"game": "tzaar"}, lambda tags: tags["Game"] == "tzaar"),
    "rules": ({"rules": "corridor"}, lambda tags: tags["Rules"] == "corridor"),
    "player": ({"player": "ANNA"}, lambda tags: "Anna" in tags.values()),
    "result": ({"result": "south"}, lambda tags: tags.get("Result") == "South"),
    "reason": ({"result": "goal"}, lambda tags: tags.get("Reason") == "goal"),
    "years": ({"years": (2021, 2022)}, lambda tags: tags["Date"] >= "2021"),
    "all": (
        {"player": "Béla", "result": "north", "years": (2020, 2021)},
        lambda tags: (
            "Béla" in tags.values() and tags.get("Result") == "North" and tags["Date"] < "2022"
        ),
    ),
}


@pytest.mark.parametrize("by", FILTERS)
def test_games_are_found_by(archive: Archive, records: list[Record], by: str) -> None:
    wanted, holds = FILTERS[by]
    expected = [record for record in records if holds(record.tags)]
    assert 0 < len(expected) < len(records)
    assert texts(archive.records(GameFilter(**wanted))) == texts(expected)
    assert len(list(archive.find(GameFilter(**wanted)))) == len(expected)


def test_games_are_found_by_a_position_and_its_images(
    archive: Archive, records: list[Record]
) -> None:
    room = open_room("tzaar")
    (record,) = [one for one in records if one.tags["Game"] == "tzaar"][:1]
    position = replay(record).turns[3].before
    for symmetry in room.rules.symmetries(position):
        wanted = GameFilter(position=("tzaar", symmetry.position(position)))
        assert texts(archive.records(wanted)) == texts([record])


def test_parts_are_merged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_writer, "MERGE_COUNT", 3)
    games = random_records("corridor/quoridor", 30, size=3)
    games = [one for one in games if one.tags["Date"] == "2020-01-01"]
    assert len(games) == 10
    for index, record in enumerate(games, start=1):
        add(tmp_path, [record])
        assert Archive(tmp_path).folder.parts()[0].first == 1
        assert len(list((tmp_path / "games").rglob("*"))) >= 1
        assert len(list(Archive(tmp_path).find(GameFilter()))) == index
    spans = [(part.first, part.last) for part in ArchiveFolder(tmp_path).parts()]
    assert spans == [(1, 9), (10, 10)]
    assert texts(Archive(tmp_path).records(GameFilter())) == texts(games)
    assert add(tmp_path, games) == 0


def test_parts_that_are_merged_stay_for_readers_until_the_next_adding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_writer, "MERGE_COUNT", 3)
    games = random_records("corridor/quoridor", 9, size=3)[::3]
    for record in games:
        add(tmp_path, [record])
    assert len(list((tmp_path / "games").rglob("*.parquet"))) == 4
    assert texts(Archive(tmp_path).records(GameFilter())) == texts(games)
    add(tmp_path, [])
    assert len(list((tmp_path / "games").rglob("*.parquet"))) == 1


def test_turns_without_games_are_no_part(archive: Archive, records: list[Record]) -> None:
    folder = archive.folder
    part = folder.parts()[0]
    folder.games(part).unlink()  # killed before it was put there
    found = list(archive.find(GameFilter()))
    assert 0 < len(found) < len(records)
    assert add(folder.path, records) == len(records) - len(found)
    assert texts(archive.records(GameFilter())) == texts(records)


ADD = """
import sys
sys.path[:0] = ["src", "tests"]
from trine.engine.archive import archive_writer
from trine.cli.commands import run
archive_writer.WRITE_TURNS = 200
sys.argv = ["trine", "archive", "add", *sys.argv[1:]]
run()
"""
"""The command, which writes a part for a few games each."""


def start_adding(folder: Path, file: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", ADD, folder, file],
        cwd=HOUSE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_files(folder: Path, files: int, adds: subprocess.Popen[str]) -> None:
    before = set(folder.rglob("*.parquet"))

    def there() -> bool:
        return len({*folder.rglob("*.parquet")} - before) >= files or adds.poll() is not None

    wait_until(there, interval=0.001)


def words_of(turn: WrittenTurn) -> str:
    return " ".join(word.text for word in turn.words)


@pytest.mark.parametrize(
    ("kills", "count"), [(1, 200), pytest.param(20, 600, marks=pytest.mark.nightly)]
)
def test_a_killed_process_leaves_a_whole_archive(tmp_path: Path, kills: int, count: int) -> None:
    by_chance = random_records("corridor/quoridor", count, size=3)
    games = [*{" ".join(map(words_of, one.turns)): one for one in by_chance}.values()]
    file, folder = write_games(tmp_path / "games.txt", games), tmp_path / "archive"
    sizes = []
    for number in range(kills):
        adds = start_adding(folder, file)
        wait_for_files(folder, (4, 1, 9)[number % 3], adds)
        adds.kill()
        adds.communicate()
        found = texts(Archive(folder).records(GameFilter()))
        assert len(set(found)) == len(found)
        assert set(found) <= set(texts(games))
        sizes.append(len(found))
    assert sizes == sorted(sizes)
    assert 0 < sizes[-1] < len(games)
    adds = start_adding(folder, file)
    told = adds.communicate()[1]
    assert adds.returncode == 0, told
    assert texts(Archive(folder).records(GameFilter())) == texts(games)
    assert not list(folder.rglob("*.part"))


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    games = random_records("corridor/quoridor", 300, size=3)
    file, folder = write_games(tmp_path / "games.txt", games), tmp_path / "archive"
    adds = start_adding(folder, file)
    wait_for_files(folder, 2, adds)
    adds.send_signal(signal.SIGINT)
    told = adds.communicate()[1]
    assert adds.returncode == 130, told
    found = len(texts(Archive(folder).records(GameFilter())))
    assert 0 < found < len(games)
    assert told.splitlines()[-2:] == [
        f"added: {found}, there already: 0, not legal: 0",
        "stopped; run the same command again to continue",
    ]


def test_one_program_adds_at_a_time(tmp_path: Path) -> None:
    with ArchiveFolder(tmp_path).open_to_add(), pytest.raises(LockedError, match="another program"):
        add(tmp_path, [])


def test_another_folder_is_no_archive(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Anna")
    with pytest.raises(FileError, match="is not empty, and no archive"):
        add(tmp_path, [])
    with pytest.raises(FileError, match="is no archive; trine archive add makes one"):
        Archive(tmp_path)


def test_an_archive_of_another_version_is_refused(archive: Archive) -> None:
    path = archive.folder.path
    (path / "archive.json").write_text('{"tables": 1, "keys": 0}')
    with pytest.raises(FileError, match="of another version"):
        Archive(path)
    with pytest.raises(FileError, match="of another version"):
        add(path, [])


GAMES = "\n".join(
    (
        small_game(
            *("Anna", "Ivan", "1s b2\n1n resigns"), rating="1600", date="2006-12-01", winner="South"
        ),
        small_game("Ivan", "Anna", "1s b3\n1n b2", date="2007-01-01"),
        small_game("Ivan", "Béla", "1s a1h"),
    )
)


def test_a_conversation(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text(GAMES, encoding="utf-8")
    done = run_trine(tmp_path, "archive", "add", "club", "games.txt", status=1)
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        "games.txt:21:4: turn 1s: b3: b3 is taken: North stands there",
        "added: 2, there already: 0, not legal: 1",
    ]
    done = run_trine(tmp_path, "archive", "add", "club", "games.txt", status=1)
    assert done.stderr.splitlines()[-1] == "added: 0, there already: 2, not legal: 1"
    done = run_trine(tmp_path, "archive", "find", "club", "--player", "anna")
    assert done.stderr == "1 game\n"
    assert done.stdout == (
        "2006-12-01  corridor/quoridor  Anna (1600) – Ivan  South wins (resignation)  1\n"
    )
    done = run_trine(tmp_path, "archive", "find", "club", "--year", "1999-2005", status=1)
    assert (done.stdout, done.stderr) == ("", "0 games\n")
    done = run_trine(tmp_path, "archive", "find", "club", "--year", "06", status=2)
    assert "'06' is no year, such as 2026 or 2002-2008" in done.stderr
    done = run_trine(tmp_path, "archive", "stats", "club", "--by", "year")
    assert done.stdout.splitlines()[:2] == ["Corridor · no date", "  games: 0 over, 1 not"]
    done = run_trine(tmp_path, "archive", "export", "club", "--year", "2006")
    assert done.stdout == GAMES.partition("\n[Game")[0].replace("1n resigns\n", "")
    run_trine(tmp_path, "check", "games.txt", status=1)


def test_records_come_through_a_pipe(tmp_path: Path) -> None:
    done = run_trine(tmp_path, "archive", "add", "club", "-", lines=GAMES, status=1)
    assert done.stderr.splitlines()[-1] == "added: 2, there already: 0, not legal: 1"
    done = run_trine(tmp_path, "archive", "export", "club", "club.trine")
    assert (done.stdout, done.stderr) == ("", "")
    lines = (tmp_path / "club.trine").read_text(encoding="utf-8")
    done = run_trine(tmp_path, "archive", "add", "club", "-", lines=lines)
    assert done.stderr == "added: 0, there already: 2, not legal: 0\n"


def test_a_file_that_is_missing_ends_it_and_the_rest_is_kept(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text(GAMES, encoding="utf-8")
    done = run_trine(tmp_path, "archive", "add", "club", "games.txt", "none.txt", status=2)
    assert done.stderr.splitlines()[-1] == "trine: none.txt: No such file or directory"
    assert len(list(Archive(tmp_path / "club").find(GameFilter()))) == 2


def test_without_duckdb_the_command_that_installs_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(TrineError, match=r"needs one more library; install it with: .*"):
        add(tmp_path / "archive", [])
    assert not (tmp_path / "archive").exists()


def test_duckdb_reports_no_leaks_of_frozen_objects(tmp_path: Path) -> None:
    program = (
        "import gc, pathlib, sys; from trine.engine.archive.parts import open_database\n"
        "open_database(pathlib.Path(sys.argv[1])).close(); gc.freeze()"
    )
    done = captured(sys.executable, "-c", program, tmp_path)
    assert done.stderr == ""
