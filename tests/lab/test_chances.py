"""`lab/chances.py`."""

import re
from pathlib import Path
from random import Random

import pytest

from lab.programs import run_lab
from trine.core.contract.heuristics import parse_weights
from trine.core.contract.record import format_record
from trine.engine.players.chances import curve_of
from trine.games import new_play
from trine.play.record.replay import record_of

pytestmark = pytest.mark.nightly

QUICK = ("tzaar", "--levels", "1", "2", "--nodes", "50")
LOSSES = r": 400 points as ten to one \d\.\d{4} ± 0\.\d{4}, new \d\.\d{4} ± 0\.\d{4}$"


def write_games(file: Path, game: str, count: int) -> None:
    records = []
    for number in range(count):
        play, rng = new_play(game), Random(number)
        while not play.outcome:
            play.act_unchecked(rng.choice(play.legal_actions()))
        records.append(format_record(record_of(play)))
    file.write_text("\n".join(records), encoding="utf-8")


def test_a_curve_is_fitted_judged_and_written(tmp_path: Path) -> None:
    done = run_lab("chances", tmp_path, *QUICK, "--games", "60", "--out", "chances.txt")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert re.match(r"slope \d+\.\d\d, lapses \d+\.\d %; fitted to \d+ games$", lines[0])
    assert re.match(r"loss on (59|60) games held out" + LOSSES, lines[1])
    table = next(number for number, line in enumerate(lines) if "predicted" in line)
    rows = [[float(cell) for cell in line.split()] for line in lines[table + 1 : table + 6]]
    assert [row[0] for row in rows] == sorted(row[0] for row in rows)
    assert all(len(row) == 4 and 0 <= row[1] <= 1 for row in rows)
    written = (tmp_path / "chances.txt").read_text(encoding="utf-8")
    assert "# Fitted: tzaar/official, " in written
    curves = parse_weights(written)
    assert curves["official slope"] > 0
    # The curves of other rule sets stay as the room has them.
    assert curves["open slope"] == curve_of("tzaar", "open").slope

    kept = {
        file: file.stat().st_mtime_ns for file in (tmp_path / "tzaar-official.chances").iterdir()
    }
    again = run_lab("chances", tmp_path, *QUICK, "--games", "60")
    assert again.stdout.splitlines()[:2] == lines[:2]
    assert kept == {file: file.stat().st_mtime_ns for file in kept}


def test_records_are_learnt_from_or_judge(tmp_path: Path) -> None:
    write_games(tmp_path / "chance.txt", "tzaar", 60)
    write_games(tmp_path / "others.txt", "tzaar", 5)
    options = ("--games", "0", "--records", "chance.txt", "--judged-by", "others.txt")
    done = run_lab("chances", tmp_path, *QUICK, *options)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert re.match(r"chance\.txt: games learnt from: \d+, left out: \d+$", lines[0])
    assert re.match(r"loss on \d\d games held out" + LOSSES, lines[2])
    judged = lines.index("others.txt: games learnt from: 5, left out: 0")
    assert re.match(r"loss on [45] games held out" + LOSSES, lines[judged + 1])


def test_too_few_games_are_refused(tmp_path: Path) -> None:
    done = run_lab("chances", tmp_path, *QUICK, "--games", "10")
    assert done.returncode != 0
    assert "games are too few to learn from; take 50 at least" in done.stderr
    assert "Traceback" not in done.stderr
