"""`lab/weights.py`."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from fitting.files import weights_of_room
from lab.programs import run_lab
from trine.core.contract.record import format_record
from trine.core.contract.terms import parse_weights
from trine.games import new_play, open_heuristics
from trine.play.record.replay import record_of

pytestmark = pytest.mark.nightly

QUICK = ("--games", "60", "--nodes", "10", "--data", "games")


def write_games(file: Path, game: str, count: int) -> None:
    """Games by mere chance, as records."""
    records = []
    for number in range(count):
        play, rng = new_play(game), Random(number)
        while not play.outcome:
            play.act_unchecked(rng.choice(play.legal_actions()))
        records.append(format_record(record_of(play)))
    file.write_text("\n".join(records), encoding="utf-8")


def test_weights_are_fitted_to_self_play_and_tried(tmp_path: Path) -> None:
    done = run_lab("weights", tmp_path, "tzaar", *QUICK, "--out", "weights.txt", "--trial", "4")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert re.match(r"[\d,]+ positions of (59|60) games$", lines[0])
    terms = open_heuristics("tzaar").terms
    assert [line.split()[0] for line in lines[2 : 2 + len(terms)]] == [term.name for term in terms]
    assert re.match(
        r"loss on 12 games held out: old 0\.\d{4} ± 0\.\d{4}, old times \d+\.\d\d: 0\.\d{4} ± .*, new 0",
        lines[2 + len(terms)],
    )
    assert re.match(r"new against old: \d won, 0 drawn, \d lost, Elo ", lines[-1])

    before = weights_of_room("tzaar")
    after = (tmp_path / "weights.txt").read_text(encoding="utf-8")
    comments = [line for line in before.splitlines() if line.startswith("#")]
    assert [line for line in after.splitlines() if line.startswith("#")][
        : len(comments)
    ] == comments
    assert f"# Fitted: tzaar/official, {lines[0]}, 10 nodes, seed 0" in after.splitlines()
    shown = {line.split()[0]: line.split()[2] for line in lines[2 : 2 + len(terms)]}
    assert {name: float(new) for name, new in shown.items() if new != "-"}.items() <= parse_weights(
        after
    ).items()
    assert parse_weights(after).keys() == parse_weights(before).keys()

    played = {file: file.stat().st_mtime_ns for file in (tmp_path / "games").iterdir()}
    again = run_lab("weights", tmp_path, "tzaar", *QUICK)
    assert again.stdout.splitlines()[: 3 + len(terms)] == lines[: 3 + len(terms)]
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "games").iterdir()} == played


def test_records_are_learnt_from(tmp_path: Path) -> None:
    write_games(tmp_path / "chance.txt", "tzaar", 60)
    write_games(tmp_path / "others.txt", "corridor", 3)
    done = run_lab(
        "weights",
        tmp_path,
        *("tzaar", "--games", "0", "--nodes", "10"),
        *("--records", "chance.txt", "--records", "others.txt"),
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    taken = re.fullmatch(r"chance\.txt: games learnt from: (\d+), left out: (\d+)", lines[0])
    assert taken and int(taken[1]) + int(taken[2]) == 60 and int(taken[1]) >= 50
    assert lines[1] == "others.txt: games learnt from: 0, left out: 3"
    assert lines[2].endswith(f" positions of {taken[1]} games")


def test_turns_of_strong_players_are_imitated(tmp_path: Path) -> None:
    write_games(tmp_path / "strong.txt", "corridor", 10)
    write_games(tmp_path / "others.txt", "tzaar", 1)
    done = run_lab(
        "weights",
        tmp_path,
        *("corridor", *QUICK, "--turns", "strong.txt", "--turns", "others.txt"),
        *("--imitation", "0.25", "--out", "weights.txt"),
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "strong.txt: games learnt from: 10, left out: 0"
    assert lines[1] == "others.txt: games learnt from: 0, left out: 1"
    assert re.fullmatch(r"[\d,]+ turns of 10 games imitated with weight 0\.25", lines[3])
    assert re.fullmatch(
        r"loss on turns of 2 games held out: by chance \d\.\d{4}, old .*, new \d\.\d{4} ± 0\.\d{4}",
        lines[-1],
    )
    written = (tmp_path / "weights.txt").read_text(encoding="utf-8")
    assert f"# Fitted: corridor/quoridor, {lines[2]}, {lines[3]}, 10 nodes, seed 0" in written


def test_few_games_are_too_few(tmp_path: Path) -> None:
    done = run_lab("weights", tmp_path, "tzaar", "--games", "20", "--nodes", "10")
    assert done.returncode != 0
    assert re.search(r"games are too few to learn from; take 50 at least", done.stderr)
    assert (tmp_path / "tzaar-official.tune").is_dir()


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("chess"),
        ("corridor", "--players", "4"),
        ("tzaar/official", "--rules", "quoridor"),
        ("tzaar", "--nodes", "0"),
        ("tzaar", "--imitation", "-1"),
    ],
)
def test_what_makes_no_sense_exits_with_2(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = run_lab("weights", tmp_path, *arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.glob("*.tune"))


def test_weights_that_cannot_be_read_are_named_before_anything_is_played(tmp_path: Path) -> None:
    (tmp_path / "weights.txt").write_text("tott 5\n", encoding="utf-8")
    done = run_lab("weights", tmp_path, "tzaar", *QUICK, "--out", "weights.txt")
    assert done.returncode == 2
    assert "weights.txt:1: no weight 'tott 5'" in done.stderr
    assert not (tmp_path / "games").exists()
