"""Figures about games, counted by hand and in records made by others."""

from pathlib import Path

import pytest

from playing import run_trine
from shared_data import SHARED

GAMES = """[Game "corridor"]
[Rules "quoridor"]
[Size "3"]
[South "Anna"]
[North "Ivan"]
[Date "2006-12-01"]

1s a1h
1n resigns
[Result "South"]
[Reason "resignation"]

[Game "corridor"]
[Rules "quoridor"]
[Size "3"]
[South "Ivan"]
[North "Anna"]
[Date "2007-01-01"]

1s resigns
[Result "North"]
[Reason "resignation"]

[Game "corridor"]
[Rules "corridor"]
[Size "3"]
[South "Ivan"]
[North "Béla"]

1s @a1
"""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    file = tmp_path / "games.txt"
    file.write_text(GAMES, encoding="utf-8")
    return file


def test_games_are_counted_by_rule_set(games: Path, tmp_path: Path) -> None:
    done = run_trine(tmp_path, "stats", games)
    assert (done.returncode, done.stderr) == (0, "")
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
    done = run_trine(tmp_path, "stats", games)
    assert done.returncode == 1
    assert "games.txt" in done.stderr and "games: 1 over" in done.stdout
    assert run_trine(tmp_path, "stats", "nothing.txt").returncode == 2


def test_the_archive_of_2002_stands_beside_the_article(tmp_path: Path) -> None:
    archive = SHARED / "data" / "arimaa" / "allgames2002.txt"
    if not archive.exists():
        pytest.skip("no archive of games made by others")
    done = run_trine(tmp_path, "stats", archive, "--lang", "fr")
    assert "but atteint 33" in done.stdout and "1653" in done.stdout
