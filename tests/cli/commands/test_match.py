"""`trine match`."""

import io
import re
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from cli.commands.in_process import House
from engine.arena.matches import BrokenOpenings, small_match
from engine.arena.players import open_fake
from playing import run_trine
from terminals import end, spawn
from trine.cli.commands import match as match_command
from trine.core.errors import TrineError
from trine.core.work.workers import IN_PROCESS
from trine.engine.arena import report
from trine.engine.arena.run import run_match
from trine.engine.arena.standings import Standings
from trine.play.record.formats import read_file
from trine.play.record.replay import replay

WRONG_ENGINE = Path(__file__).parents[2] / "hostile/wrong_engine.py"
FAST = ("--nodes", "20", "--hash", "1")


def played(path: Path) -> int:
    """The number of games in a file; all must be right."""
    _, records = read_file(path)
    return len([replay(record) for record in records])


@pytest.fixture
def house(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> House:
    """Matches in this process, which has the players ready."""
    here = partial(run_match, backend=IN_PROCESS)
    monkeypatch.setattr(
        match_command, "run_match", lambda *given, backend, **more: here(*given, **more)
    )
    return House("match", tmp_path, monkeypatch, capsys)


def test_a_match_is_played_and_reported_and_when_it_is_finished_only_reported_again(
    house: House,
) -> None:
    arguments = ("bot:1", "best=bot:2", "--game", "tzaar", "--games", "4", *FAST)
    test = ("--out", "games.txt", "--sprt", "0", "50")
    file = house.folder / "games.txt"
    first = house.run(*arguments, *test)
    lines = first.stdout.splitlines()
    assert lines[0] == "Started game 1 of 4 (bot:1 vs best)"
    assert re.fullmatch(r"Finished game 1 \(bot:1 vs best\): (1-0|0-1) {.*}", lines[1])
    assert "Results of bot:1 vs best (20 nodes, 1MB, auto):" in lines
    assert lines[-1] == "nothing is decided yet: the test needs more games"
    assert lines[-2] == "-" * 50
    assert re.fullmatch(r"LLR: .* \(-2\.94, 2\.94\) \[0\.00, 50\.00\]", lines[-3])
    assert played(file) == 4
    before = file.read_bytes()
    second = house.run(*arguments, *test)
    assert second.stdout.startswith("4 games have been played already\n---")
    assert second.stdout.splitlines()[1:] == lines[-9:]
    assert file.read_bytes() == before
    other = house.run(*arguments, "--out", "games.txt", "--seed", "5", status=2)
    assert "other seed: 0, not 5" in other.stderr
    french = run_trine(house.folder, "--lang", "fr", "match", *arguments, *test)
    assert french.stdout.startswith("4 parties ont déjà été jouées\n")
    assert "Games" not in french.stdout


def test_a_forfeit_is_reported_with_its_reason_and_its_transcript(house: House) -> None:
    engine = f"broken=ugi:{sys.executable} {WRONG_ENGINE} ugi 'crash while thinking' corridor"
    match = (engine, "bot:1", "--game", "corridor", "--games", "2", *FAST, "--out", "games.txt")
    told = house.run(*match).stdout.splitlines()
    why = "it has ended with code 1: 'RuntimeError: this engine is broken'"
    assert told.count(f"broken forfeits: {why}") == 2
    assert told[-1] == "what programs said before they forfeited is in games.txt.forfeits"
    assert why in (house.folder / "games.txt.forfeits").read_text()
    french = run_trine(house.folder, "--lang", "fr", "match", *match)
    assert french.stdout.splitlines()[-1].endswith("games.txt.forfeits")


def test_several_players_meet_in_a_round_robin(house: House) -> None:
    done = house.run("bot:1", "bot:2", "bot:3", "--game", "tzaar", "--games", "2", *FAST)
    assert done.stdout.count("Finished game ") == 6
    assert re.search(r"^Rank  Name +Elo", done.stdout, re.MULTILINE)


def test_a_challenge_ends_with_its_verdict_and_goes_on(house: House) -> None:
    players = ("bot:2", "bot:1", "other=bot:1", "--game", "tzaar", *FAST)
    arguments = (*players, "--challenge", "1", "--out", "games.txt", "--games")
    first = house.run(*arguments, "1")
    assert "Challenge of bot:2: 1 of 1 games against each" in first.stdout
    assert re.fullmatch("bot:2 has (not )?met the condition: .*", first.stdout.splitlines()[-1])
    second = house.run(*arguments, "3")
    assert second.stdout.startswith("2 games have been played already\n")
    assert played(house.folder / "games.txt") == 6
    assert re.search(r"^ 2  other +3 ", second.stdout, re.MULTILINE)
    refused = house.run(*arguments, "3", "--sprt", "0", "5", status=2)
    assert "--sprt is for two players" in refused.stderr


def test_at_a_terminal_lines_stand_above_the_bar_and_ctrl_c_ends_it_in_good_order(
    tmp_path: Path,
) -> None:
    arguments = ("match", "bot:1", "bot:2", "--game", "tzaar", "--games", "2000", *FAST)
    files = ("--out", "games.txt", "--report", "2000")
    child = spawn(tmp_path, *arguments, *files, size=(30, 60))  # some lines are longer
    child.logfile_read = io.StringIO()
    child.expect("Finished game 4 ")
    child.sendintr()
    assert end(child)[1] == 130
    shown = child.logfile_read.getvalue()
    assert "━" in shown and "Traceback" not in shown
    # What is written behind the bar, and not after it was erased, would stand across it.
    erased = re.sub("\\r?(\x1b\\[1A)*\x1b\\[2K(\x1b\\[1A\x1b\\[2K)*", "\n", shown)
    lines = [re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", line).strip() for line in erased.splitlines()]
    told = [line for line in lines if "game " in line]
    assert len(told) >= 8
    assert all(re.match("(Started|Finished) game [0-9]", line) for line in told)
    assert any(line.startswith("Results of bot:1 vs bot:2") for line in lines)
    assert lines[-2] == "-" * 50
    assert played(tmp_path / "games.txt") >= 4


def test_a_match_that_fails_ends_with_the_results_so_far(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(match_command, "player_factory", open_fake)
    whole = small_match("random", "resign")
    match = replace(whole, openings=BrokenOpenings("tzaar", "official"))
    standings = Standings(match.fixtures(6), match.seats)
    with pytest.raises(TrineError, match=r"game 5 failed: LookupError"):
        match_command.conduct(
            match, standings, None, IN_PROCESS, 100, lambda: report.results(match, standings)
        )
    said = capsys.readouterr().out
    assert "Results of A vs B" in said
    assert "Games: 4, Wins: 4, " in said
