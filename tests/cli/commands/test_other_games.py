"""The command line with TZAAR and Corridor, where it differs from Arimaa."""

from pathlib import Path

import pytest

from playing import replayed, run_trine
from trine.games import new_play

FIXED = new_play("tzaar").room.rules.format_position(new_play("tzaar").start)
THREE = "great-wall 5 3 a1,a5,e5 - *,*,* 1"


def test_options_of_a_game_begin_it_and_stand_in_its_record(tmp_path: Path) -> None:
    done = run_trine(
        tmp_path,
        *("play", "corridor/great-wall", "--players", "3", "--size", "5", "--west", "Béla"),
        *("--log", "game.txt"),
        lines="a1\na2\nb5\nb1h\nquit\n",
    )
    assert done.returncode == 0, done.stdout
    record = (tmp_path / "game.txt").read_text()
    for tag in ('[Players "3"]', '[Size "5"]', '[South "South"]', '[West "Béla"]'):
        assert tag in record
    seats = replayed(tmp_path / "game.txt").position.seats
    assert [seat.tag for seat in seats] == ["South", "West", "North"]


TOO_LARGE = "boards up to 11 squares wide; this one has 12"


@pytest.mark.parametrize(
    "arguments",
    [
        ("play", "corridor", "--size", "12", "--north", "bot:3"),
        ("analyze", "quoridor 12 2 f1,f12 - 10,10 1"),
        ("perft", "corridor", "--size", "12", "--depth", "1"),
        ("match", "bot:1", "bot:2", "--game", "corridor", "--size", "12", "--openings", "start"),
        ("match", "bot:pathfinder", "bot:wall-builder", "--game", "corridor", "--size", "12"),
    ],
    ids=" ".join,
)
def test_a_board_that_the_engine_does_not_know_is_refused_before_anything_starts(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    done = run_trine(tmp_path, *arguments, lines="quit\n", status=None)
    assert done.returncode
    assert (done.stdout + done.stderr).count(TOO_LARGE) == 1
    assert not list(tmp_path.glob("*.trine"))


def test_a_strategist_plays_on_a_board_that_the_engine_does_not_know(tmp_path: Path) -> None:
    large = ("play", "corridor", "--size", "19", "--north", "bot:pathfinder", "--log", "game.txt")
    done = run_trine(tmp_path, *large, lines="j2\nhint\nquit\n", status=1)
    assert "this one has 19" in done.stdout, "no hint"
    assert len(replayed(tmp_path / "game.txt").turns) == 2


def test_a_position_brings_its_rules_along(tmp_path: Path) -> None:
    position = FIXED.replace("official", "open").replace("first", "1")
    run_trine(
        tmp_path, "play", "tzaar", "--position", position, "--log", "game.txt", lines="quit\n"
    )
    assert '[Rules "open"]' in (tmp_path / "game.txt").read_text()


def test_random_games_differ_and_can_be_had_again(tmp_path: Path) -> None:
    starts = []
    for name, seed in (
        ("one", ()),
        ("other", ()),
        ("first", ("--seed", "7")),
        ("again", ("--seed", "7")),
    ):
        run_trine(tmp_path, "play", "tzaar", *seed, "--log", f"{name}.txt", lines="quit\n")
        starts.append(replayed(tmp_path / f"{name}.txt").start)
    assert starts[0] != starts[1]
    assert starts[2] == starts[3]


@pytest.mark.parametrize("position", [FIXED, THREE, "2g 8/8/3H4/3e4/7r/8/8/R7"])
def test_show_finds_the_game_of_a_position(position: str, tmp_path: Path) -> None:
    done = run_trine(tmp_path, "show", "--position", position)
    assert "to move" in done.stdout


def test_show_says_why_a_position_cannot_be_read_if_it_knows_the_game(tmp_path: Path) -> None:
    wrong = THREE.replace("a5", "a1")
    nameless = wrong.partition(" ")[2]
    told = run_trine(tmp_path, "show", "--position", nameless, status=2)
    assert "no game can read" in told.stderr
    for game in ([], ["corridor"]):  # the position begins with the name of a rule set
        told = run_trine(tmp_path, "show", *game, "--position", wrong, status=2)
        assert "two pawns stand on a1" in told.stderr


def test_a_format_of_another_game_is_refused(tmp_path: Path) -> None:
    run_trine(tmp_path, "play", "tzaar", "--log", "game.txt", lines="quit\n")
    done = run_trine(tmp_path, "convert", "game.txt", "--to", "movelist", status=1)
    assert "the format movelist holds games of Arimaa, not of 'tzaar'" in done.stderr
