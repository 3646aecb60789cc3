"""Figures about games, counted by hand and in records made by others."""

from pathlib import Path

import pytest

from playing import run_trine
from shared_data import SHARED
from small_games import small_game

GAMES = "\n".join(
    (
        small_game("Anna", "Ivan", "1s a1h\n1n resigns", date="2006-12-01", winner="South"),
        small_game("Ivan", "Anna", "1s resigns", date="2007-01-01", winner="North"),
        small_game("Ivan", "Béla", "1s @a1", rules="corridor"),
    )
)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    file = tmp_path / "games.txt"
    file.write_text(GAMES, encoding="utf-8")
    return file


def test_a_file_with_several_readings_is_counted_and_told_of(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("e2 e8 e3 e7 e3h\n", encoding="utf-8")
    done = run_trine(tmp_path, "stats", "list.txt")
    assert "another legal game as oqf" in done.stderr


def test_games_are_counted_by_rule_set(games: Path, tmp_path: Path) -> None:
    done = run_trine(tmp_path, "stats", games)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "Corridor · corridor",
        "  games: 0 over, 1 not",
        "Corridor · quoridor",
        "  games: 2 over, 0 not",
        "  ended by: resignation 2 (100.0 %)",
        "  the first player scores 50.0 % ± 70.7",
        "  turns: 0.5 (median), 0 to 1",
    ]


def test_games_are_counted_by_player_and_year(games: Path, tmp_path: Path) -> None:
    players = run_trine(tmp_path, "stats", games, "--by", "players").stdout
    assert [line for line in players.splitlines() if line.startswith("Corridor")] == [
        "Corridor · Anna",
        "Corridor · Béla",
        "Corridor · Ivan",
    ]
    years = run_trine(tmp_path, "stats", games, "--by", "year").stdout
    assert "Corridor · 2006\n  games: 1 over, 0 not" in years
    assert "Corridor · 2007\n  games: 1 over, 0 not" in years


def test_a_record_that_is_wrong_is_named_and_not_counted(games: Path, tmp_path: Path) -> None:
    games.write_text(GAMES.replace("1s a1h", "1s c3"), encoding="utf-8")
    done = run_trine(tmp_path, "stats", games, status=1)
    assert "games.txt" in done.stderr and "games: 1 over" in done.stdout
    run_trine(tmp_path, "stats", "nothing.txt", status=2)


def test_rule_sets_have_their_names_in_each_language(games: Path, tmp_path: Path) -> None:
    told = run_trine(tmp_path, "stats", games, "--lang", "ru").stdout
    assert told.startswith("Коридор · ") and "quoridor" not in told.splitlines()[0]


def test_a_folder_is_read_whole_and_standard_input_too(games: Path, tmp_path: Path) -> None:
    folder = tmp_path / "records" / "below"
    folder.mkdir(parents=True)
    games.rename(folder / "games.trine")
    told = run_trine(tmp_path, "stats", "records").stdout
    assert "  games: 2 over, 0 not" in told
    assert run_trine(tmp_path, "stats", "-", lines=GAMES).stdout == told


def test_times_and_legal_turns_are_told(games: Path, tmp_path: Path) -> None:
    timed = GAMES.replace("1s a1h", "1s a1h {0:12}").replace("1n resigns", "1n b2h {0:04}", 1)
    games.write_text(timed.replace('[Result "South"]\n[Reason "resignation"]\n', ""), "utf-8")
    done = run_trine(tmp_path, "stats", games, "--legal-turns")
    assert done.stderr == ""
    assert "  seconds a turn: 8.0 (median)" in done.stdout
    # From the start 3 steps and 8 walls; then 3 walls are taken, and 2 would shut somebody in.
    assert "  legal turns to choose from: 8.5 (median), 6 to 11" in done.stdout


def test_the_archive_of_2002_stands_beside_the_article(tmp_path: Path) -> None:
    archive = SHARED / "data" / "arimaa" / "allgames2002.txt"
    if not archive.exists():
        pytest.skip("no archive of games made by others")
    done = run_trine(tmp_path, "stats", archive, "--lang", "fr", status=1)
    assert "but atteint 33" in done.stdout and "1653" in done.stdout
