"""Tuning constants of the search: do they follow the winner, and is no round lost or played twice?"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from playing import environment, run_trine
from trine.core.errors import FileError, MalformedError
from trine.core.workplace import Workplace
from trine.games import new_play, open_heuristics
from trine.learn import spsa
from trine.learn.selfplay import Plan
from trine.learn.spsa import SearchPlan, Tuning, keep_tuning, open_tuning
from trine.protocol.players import parse_constants
from trine.search.constants import CONSTANTS, OF_ROOM, SearchConstants
from trine.search.games import Games, Manner

QUICK = Plan("tzaar", "official", nodes=60)


def small(rounds: int = 3, pairs: int = 4, *names: str) -> SearchPlan:
    return SearchPlan(QUICK, names or ("margin", "depth"), rounds, pairs)


def rounds_of(tuning: Tuning, workplace: Workplace | None = None) -> Tuning:
    while tuning.done < tuning.plan.rounds:
        assert sum(tuning.play_round(workplace or Workplace())) == 2 * tuning.plan.pairs
    return tuning


def test_constants_climb_to_where_the_search_is_strongest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against a judge who prefers a margin of 60 and a window of 100, by chance, as games do."""

    def judged(
        plan: Plan, number: int, up: dict[str, float], down: dict[str, float]
    ) -> tuple[int, int]:
        def strength(values: dict[str, float]) -> float:
            return -abs(values["margin"] - 60) / 12 - abs(values["window"] - 100) / 10

        rng = Random(number)
        share = 1 / (1 + 10 ** ((strength(down) - strength(up)) * 20 / 400))
        first, second = (2 * (rng.random() < share) for _ in range(2))
        return first, second

    monkeypatch.setattr(spsa, "play_neighbours", judged)
    plan = small(400, 16, "margin", "window")
    tuning = Tuning(plan, {"margin": 30.0, "window": 40.0})
    rounds_of(tuning)
    assert abs(tuning.values["margin"] - 60) < 15
    assert abs(tuning.values["window"] - 100) < 20
    assert len(tuning.course) == 400


@pytest.mark.nightly
def test_a_tuning_is_the_same_however_it_is_played(tmp_path: Path) -> None:
    plan = SearchPlan(Plan("tzaar", "official", nodes=300), ("depth",), rounds=2, pairs=8)
    start = {"depth": 1.0}  # which a search of few nodes can feel
    alone = rounds_of(Tuning(plan, dict(start)))
    together = rounds_of(Tuning(plan, dict(start)), Workplace(2))
    assert alone == together
    assert alone.values != start
    path = tmp_path / "tzaar.search"
    keep_tuning(path, Tuning(plan, dict(start)))
    for done in range(2):
        tuning = open_tuning(path, plan)
        assert tuning.done == done
        list(tuning.play_round())
        keep_tuning(path, tuning)
    assert open_tuning(path, plan) == alone


def test_a_file_of_another_tuning_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "tzaar.search"
    keep_tuning(path, Tuning(small(), small().start()))
    with pytest.raises(FileError, match="another tuning"):
        open_tuning(path, small(4))
    path.write_text("{")
    with pytest.raises(FileError, match="another tuning"):
        open_tuning(path, small())
    with pytest.raises(MalformedError, match="no constant of a search 'speed'"):
        small(1, 1, "speed")


def test_each_constant_changes_play_and_those_of_the_room_do_not() -> None:
    play = new_play("tzaar", setup="random", seed=7)
    games = Games(play, hash_mb=[0.25, 0.25])

    def course(constants: SearchConstants) -> tuple[int, ...]:
        manner = Manner(nodes=3_000, constants=constants)
        return tuple(games.play(play, (manner, manner)).moves["action"].tolist())

    usual = course(OF_ROOM)
    assert course(OF_ROOM.filled(open_heuristics("tzaar"))) == usual
    others = [
        course(SearchConstants(**{name: value}))
        for name, value in (("margin", 4), ("depth", 0), ("window", 4), ("reduction", 3_000))
    ]
    assert len({usual, *others}) == 5
    assert parse_constants("window=4&margin=9").search == SearchConstants(margin=9, window=4)


def test_constants_stay_within_their_bounds() -> None:
    tuning = Tuning(small(1, 2, "depth", "reduction"), {"depth": 0.0, "reduction": 3072.0})
    rounds_of(tuning)
    for name, value in tuning.values.items():
        assert CONSTANTS[name].least <= value <= CONSTANTS[name].most


def test_a_killed_tuning_goes_on_with_the_next_round(tmp_path: Path) -> None:
    command = ["tune", "tzaar", "--search", "margin", "--nodes", "10", "--pairs", "2"]
    command += ["--games", "24", "--data", "margin.search"]
    path, env = tmp_path / "margin.search", environment(tmp_path / ".home")
    running = subprocess.Popen(
        [sys.executable, "-m", "trine", *command],
        cwd=tmp_path,
        env=env,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 240
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.002)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    kept = json.loads(path.read_text())
    assert 1 <= kept["done"] <= 6
    done = run_trine(tmp_path, *command, "--trial", "2")
    assert done.returncode == 0, done.stderr
    after = json.loads(path.read_text())
    assert after["done"] == len(after["course"]) == 6
    assert after["course"][: kept["done"]] == kept["course"]
    assert "as a player: bot:10?margin=" in done.stdout
    assert "new against old: " in done.stdout
    refused = run_trine(tmp_path, "tune", "tzaar", "--search", "speed")
    assert refused.returncode == 2 and "no constant of a search 'speed'" in refused.stderr
