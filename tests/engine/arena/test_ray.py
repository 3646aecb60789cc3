"""Games on a real Ray cluster: none lost and none counted twice, also when a worker is killed."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from capturing import captured
from engine.arena.matches import records_by_number
from playing import environment
from waiting import PATIENCE

pytestmark = pytest.mark.nightly
pytest.importorskip("ray", reason="Ray is not installed; scripts/extras installs it")

TESTS = Path(__file__).resolve().parents[2]
QUIET = pytest.mark.quiet("Ray gives up if its own processes start slowly")


@QUIET
def test_on_ray_no_game_is_lost_or_counted_twice_when_a_worker_is_killed(tmp_path: Path) -> None:
    env = environment(tmp_path / ".home")
    env["PYTHONPATH"] += os.pathsep + str(TESTS)
    command = [sys.executable, "-m", "engine.arena.ray_leader"]
    done = captured(*command, tmp_path, tmp_path / "told.json", env=env)
    assert done.returncode == 0, done.stderr
    told = json.loads((tmp_path / "told.json").read_text())
    assert told.pop("others") >= 2
    assert told == {
        "workers": 2,
        "killed": 1,
        "events": 32,
        "rounds": 16,
        "same games": True,
        "refused": "MalformedError",
        "failed": "ZeroDivisionError",
        "killer": "BrokenExecutor",
        "retried": [5],
        "same samples": [True, True, True],
    }


@QUIET
def test_ctrl_c_on_ray_keeps_what_is_done_and_the_match_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "trine", "match", "bot:1", "bot:2", "--game", "tzaar"]
    command += ["--nodes", "50", "--hash", "1", "--out", "games.txt", "--workers"]
    env = environment(tmp_path / ".home", PYTHONUNBUFFERED="1")
    running = subprocess.Popen(
        [*command, "ray:local", "--games", "100000"],
        cwd=tmp_path,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    assert running.stdout
    finished = 0
    for line in running.stdout:
        finished += line.startswith("Finished game ")
        if finished == 5:
            break
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does
    rest, errors = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130, errors
    assert "Traceback" not in errors
    assert "Results of bot:1 vs bot:2" in rest
    kept = records_by_number(tmp_path / "games.txt")
    assert len(kept) >= 5
    more = str(2 * (len(kept) // 2 + 2))
    subprocess.run(
        [*command, "2", "--games", more], cwd=tmp_path, env=env, check=True, timeout=PATIENCE
    )
    after = records_by_number(tmp_path / "games.txt")
    assert len(after) == max(int(more), max(kept))
    assert (tmp_path / "games.txt").read_text().count("[Round ") == len(after)
    assert all(after[number] == record for number, record in kept.items())
