"""The pipeline: the same files however often it is interrupted, and a net that climbs."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.resources import files
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from playing import run_trine
from trine.core.contract.record import format_record
from trine.core.errors import FileError, TrineError
from trine.core.work.workers import Backend
from trine.engine.arena.elo import Sprt, Tally
from trine.engine.learn import pipeline
from trine.engine.learn.campaign import Campaign, CampaignFolder
from trine.engine.learn.dataset import Dataset
from trine.engine.learn.games import EvalConfig, speed_ratio
from trine.engine.learn.pipeline import GenerationStep
from trine.engine.learn.recorded_games import RecordedGames
from trine.engine.search.nets import NO_NET, read_net
from trine.engine.selfplay.selfplay_plan import play_random_turn
from trine.games import new_play, open_kernel
from trine.play.record.formats import read_file
from waiting import wait_until

COUNTS: Any = {"generations": 2, "games": 160, "nodes": 10, "epochs": 2, "job": 20}
GATE: Any = {"gate_nodes": (10, 20), "gate_games": 40, "elo": (0.0, 400.0)}
TINY = Campaign("corridor", "quoridor", (("Size", "5"),), terms=False, **COUNTS, **GATE)
AS_WORDS = (
    "corridor DIR --rules quoridor --size 5 --generations 2 --games 160 --nodes 10 "
    "--epochs 2 --gate 10 20 --gate-games 40 --elo 0 400 --from-nothing --job 20"
)


RICH = replace(TINY, generations=1, epochs=2, terms=True, teachers=1, output_scale=0.7)
"""Nets that learn from positions of others, too."""


def some_positions() -> Dataset:
    kernel, rng, rows = open_kernel("corridor"), Random(7), []
    for _ in range(8):
        play = new_play("corridor/quoridor", size=5)
        for _ in range(6):
            play_random_turn(play, rng)
            row = kernel.row_of(play.position)
            rows.append(row)
    results = np.array([rng.random() for _ in rows])
    return Dataset.of(np.array(rows), np.arange(len(rows)) // 6, results=results)


class PassAll:
    """A gate that every net passes after twenty games, so that both generations differ."""

    def __init__(self, *margins: float) -> None: ...

    def verdict(self, tally: Tally) -> str | None:
        return "H1" if tally.games >= 20 else None


@pytest.fixture(scope="module", autouse=True)
def all_pass() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "Sprt", PassAll)
        yield


def run(
    folder: CampaignFolder, told: Callable[[GenerationStep], object] = lambda step: None
) -> None:
    # The speeds of a busy machine differ; what the gate does with them must not.
    for number in range(1, folder.campaign.generations + 1):
        folder.generation(number).write("speed", {"ratio": 0.5})
    pipeline.Pipeline(folder, Backend(), told).run()


def contents(folder: CampaignFolder) -> dict[str, Any]:
    """All that has to be the same whenever and wherever the work is done."""
    found: dict[str, Any] = {}
    for file in sorted(folder.path.glob("gen-*/*")):
        name = str(file.relative_to(folder.path))
        if file.name.startswith("games-"):
            part = Dataset.read(file)
            assert part
            found[name] = part.rows.tolist(), part.results.tolist(), part.games.tolist()
        elif file.name == "net.npz":
            found[name] = read_net(file).hash
        elif file.name.startswith("gate"):
            found[name] = file.read_text(encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> CampaignFolder:
    folder = CampaignFolder.begin(tmp_path_factory.mktemp("whole") / "tiny", TINY)
    run(folder)
    return folder


def test_both_generations_are_done(done: CampaignFolder) -> None:
    for generation in done.begun():
        gate = generation.data("gate")
        assert gate["promoted"] and [stage["nodes"] for stage in gate["stages"]] == [
            [10, 10],
            [20, 20],
            [10, 20],
        ]
        net = read_net(generation.net_file)
        assert net.hash == gate["hash"] and net.card["gate"] == gate["stages"]
    first, second = (read_net(one.net_file).card["data"]["played_by"] for one in done.begun())
    assert first == "the terms alone" and second == done.generation(1).data("gate")["hash"]
    assert not list(done.path.glob("**/*.part"))


def test_a_plan_keeps_the_names_that_its_file_had_at_first() -> None:
    plan = replace(TINY, td_lambda=0.7, learning_rate=0.003, warm_start=True)
    data = json.loads(json.dumps(plan.as_data()))
    assert (data["decay"], data["rate"], data["onward"]) == (0.7, 0.003, True)
    assert Campaign.of_data(data) == plan


def test_no_more_games_are_played_than_asked(tmp_path: Path) -> None:
    plan = replace(TINY, generations=1, games=90, gate_games=6)
    folder = CampaignFolder.begin(tmp_path / "few", plan)
    run(folder)
    assert folder.generation(1).data("games")["games"] <= 90
    assert folder.generation(1).data("gate")["stages"][0]["games"] == 6


def run_with_interruptions(folder: CampaignFolder) -> int:
    """Let each run end at some step, as at Ctrl-C, until none is left.

    Returns: the number of interruptions.
    """
    runs, steps = 0, 0

    def told(step: GenerationStep) -> None:
        nonlocal steps
        steps += 1
        if steps % 4 == 0:
            raise KeyboardInterrupt

    while True:
        try:
            run(folder, told)
            break
        except KeyboardInterrupt:
            runs += 1
    return runs


def test_interruptions_anywhere_change_nothing(done: CampaignFolder, tmp_path: Path) -> None:
    folder = CampaignFolder.begin(tmp_path / "tiny", replace(TINY, generations=1))
    assert run_with_interruptions(folder) > 2
    first = {name: one for name, one in contents(done).items() if name.startswith("gen-001/")}
    assert contents(folder) == first


def test_a_net_learns_from_positions_of_others_too(tmp_path: Path) -> None:
    folder = CampaignFolder.begin(tmp_path / "rich", RICH, [some_positions()])
    run(folder)
    generation = folder.generation(1)
    training, games = generation.data("training"), generation.data("games")
    learned = training["positions"] + training["held_out"]
    assert games["positions"] / 2 < learned <= games["positions"] + 48
    card = read_net(generation.net_file).card
    assert card["data"]["games"] == games and card["data"]["files"] == 1
    told = run_trine(folder.path, "learn", "status", ".").stdout
    assert "positions of 160 games" in told and "a second of a core" in told


def test_learning_goes_on_from_a_net(done: CampaignFolder, tmp_path: Path) -> None:
    given = read_net(done.generation(1).net_file)
    careful = replace(TINY, generations=1, warm_start=True, learning_rate=1e-6)
    folder = CampaignFolder.begin(tmp_path / "on", careful, champion=given)
    run(folder)
    net = read_net(folder.generation(1).net_file)
    assert net.card["data"]["played_by"] == given.hash and net.card["data"]["onward"]
    apart = np.abs(net.input_weights.astype(int) - given.input_weights)
    assert apart.max() < 50 < np.abs(given.input_weights).max(), "it began there"


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("league")
    match = "match weak=bot:1 bot:4 --game corridor/quoridor --size 5 --games 70 --nodes 20"
    run_trine(folder, *match.split(), "--out", "games.txt")
    return folder / "games.txt"


def test_what_is_learned_of_records_are_returns(league: Path, tmp_path: Path) -> None:
    few, (_, records) = tmp_path / "few.txt", read_file(league)
    few.write_text("\n".join(map(format_record, islice(records, 24))), encoding="utf-8")
    kernel, plan = open_kernel("corridor"), TINY.selfplay(1)
    plain, returns = (RecordedGames(plan, NO_NET, one).read(few) for one in (1.0, 0.5))
    assert np.array_equal(plain.rows, returns.rows) and len(plain) > 200
    assert set(plain.results) == {0, 1}, "with a decay of 1 they are the results alone"
    for number in range(10):
        first = np.array([kernel.mover(row) == 0 for row in plain.rows]) == plain.results
        assert len(set(first[plain.games == number])) == 1, "of the player who moves"
    assert 0.1 < np.abs(plain.results - returns.results).mean() < 0.5
    run_trine(tmp_path, "archive", "add", "kept", few.name)
    archived = RecordedGames(plan, NO_NET, 0.5).read(tmp_path / "kept")
    assert np.array_equal(archived.rows, returns.rows), "an archive has the same records"


def test_a_net_learns_from_games_of_others(league: Path) -> None:
    words = AS_WORDS.replace("--games 160", "--games 0 --generations 1").split()
    run_trine(league.parent, "learn", "start", *words, "--records", league.name)
    card = read_net(league.parent / "DIR" / "gen-001" / "net.npz").card
    assert card["data"]["players"] == {"bot:4": 70, "weak": 70}
    assert card["training"]["positions"] > 1_000 and card["data"]["files"] == 1


def test_games_of_self_play_begin_where_those_of_records_do(league: Path, tmp_path: Path) -> None:
    words = AS_WORDS.replace("DIR", "tiny").replace("160", "8").replace("--job 20", "--job 8")
    told = run_trine(
        tmp_path, "learn", "start", *words.split(), "--openings", str(league), status=1
    )
    assert "too few to learn from" in told.stderr, "but they were played"
    assert len(set(CampaignFolder(tmp_path / "tiny").campaign.beginnings)) > 20
    other = words.replace("tiny", "other").replace("--size 5", "--size 7").split()
    for file, why in ((str(league), "its board differs"), ("auto", "auto: No such file")):
        told = run_trine(tmp_path, "learn", "start", *other, "--openings", file, status=None)
        assert told.returncode and why in told.stderr
    assert not (tmp_path / "other" / "plan.json").exists()


def test_what_is_given_is_checked_at_the_beginning(tmp_path: Path) -> None:
    words = AS_WORDS.replace("DIR", "tiny").split()
    none = AS_WORDS.replace("DIR", "tiny").replace("--games 160", "--games 0").split()
    told = run_trine(tmp_path, "learn", "start", *none, status=2)
    assert "nothing to learn from" in told.stderr
    net = files("trine.games.tzaar").joinpath("knowledge", "nets", "official.npz")
    told = run_trine(tmp_path, "learn", "start", *words, "--champion", str(net), status=1)
    assert "the net sees other inputs" in told.stderr
    assert not (tmp_path / "tiny" / "plan.json").exists()


@pytest.mark.nightly
def test_several_processes_find_the_same(done: CampaignFolder, tmp_path: Path) -> None:
    campaign = replace(TINY, generations=1)
    folder = CampaignFolder.begin(tmp_path / "tiny", campaign)
    folder.generation(1).write("speed", {"ratio": 0.5})
    pipeline.Pipeline(folder, Backend(2)).run()
    found, whole = contents(folder), contents(done)
    # A stage that is decided can leave a result that others have found in the meantime.
    for name in found.keys() & whole.keys():
        assert found[name] == whole[name], name
    assert "gen-001/gate.json" in found and len(found) >= 10


def test_a_killed_process_loses_at_most_its_job(tmp_path: Path) -> None:
    words = AS_WORDS.replace("DIR", "tiny").replace("--games 160", "--games 4000").split()
    command = [sys.executable, "-m", "trine", "learn", "start", *words]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL)
    first = tmp_path / "tiny" / "gen-001"
    wait_until(lambda: len(list(first.glob("games-*.npz"))) >= 3)
    assert process.poll() is None
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    files = sorted(first.glob("games-*.npz"))
    assert all(Dataset.read(file) for file in files), "whole or absent"
    told = run_trine(tmp_path, "learn", "status", "tiny")
    assert f"{len(files)} of 200 jobs of self-play" in told.stdout
    assert "a process is learning" not in told.stdout
    (first / "games-00000.npz.1.part").touch()
    folder = CampaignFolder(tmp_path / "tiny")
    before = files[0].read_bytes()

    def leave(step: GenerationStep) -> None:
        if step.done > len(files) * folder.campaign.job:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(folder, leave)
    assert len(list(first.glob("games-*.npz"))) == len(files) + 1
    assert files[0].read_bytes() == before and not list(first.glob("*.part"))


def test_one_process_at_a_time_works_in_a_folder(done: CampaignFolder, tmp_path: Path) -> None:
    assert not done.is_worked_on
    with done.locked():
        assert done.is_worked_on
        with pytest.raises(FileError, match="another process is learning"):
            run(done)


def test_what_cannot_be_learned_is_said(done: CampaignFolder, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="resume it, or name another"):
        CampaignFolder.begin(done.path, TINY)
    with pytest.raises(FileError, match="no learning was begun"):
        CampaignFolder(tmp_path)
    with pytest.raises(TrineError, match="only games of two"):
        replace(TINY, options=(("Players", "4"),))


def test_the_speed_of_nets_is_compared(done: CampaignFolder) -> None:
    net = read_net(done.generation(1).net_file)
    ratio = speed_ratio(TINY.trials(1, 3), (EvalConfig(net, terms=False), EvalConfig(terms=False)))
    assert 0.2 < ratio < 1.5


def test_state_tells_what_was_done(done: CampaignFolder) -> None:
    told = run_trine(done.path, "learn", "status", ".")
    assert "corridor/quoridor: 2 of 2 generations" in told.stdout
    assert told.stdout.count("  promoted") == 2 and "20 games, Elo" in told.stdout
    shown = run_trine(done.path, "net", "show", "gen-001/net.npz")
    card = json.loads(shown.stdout)
    assert card["hash"] == done.generation(1).data("gate")["hash"]
    assert card["data"]["played_by"] == "the terms alone"


@pytest.mark.nightly
def test_a_generation_from_nothing_climbs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "Sprt", Sprt)
    campaign = replace(
        TINY,
        generations=1,
        games=4000,
        nodes=60,
        epochs=12,
        gate_nodes=(100, 200),
        gate_games=100,
        elo=(0.0, 100.0),
        job=200,
    )
    folder = CampaignFolder.begin(tmp_path / "climb", campaign)
    pipeline.Pipeline(folder, Backend(2)).run()
    generation = folder.generation(1)
    training, gate = generation.data("training"), generation.data("gate")
    # Before, without terms, only the stage of a turn is known.
    assert training["before"] == pytest.approx(np.log(2), abs=0.001) and training["after"] < 0.5
    assert gate["promoted"] and all(stage["elo"] > 50 for stage in gate["stages"])
