"""The tools of pyrimaa (AEI on the package index), as they come, run our engine."""

import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from engine.protocol.fakes import FAKE_ENGINE
from playing import TRINE, environment
from trine.engine.protocol.aei import RABBIT_POINTS
from trine.engine.protocol.turn_words import read_turn
from trine.games import new_play
from waiting import PATIENCE

SIMPLE = f"{sys.executable} -m pyrimaa.simple_engine"
BOARD = """\
2g
 +-----------------+
8| r r r   r r r r |
7| h   c   e c h d |
6| d   x   m x     |
5|                 |
4|         E       |
3|     x   R x     |
2| H D C M   C D H |
1| R R R   R R R R |
 +-----------------+
   a b c d e f g h
"""


def configuration(
    folder: Path, ours: str, timecontrol: str = "10s/10s/100/10s/5s", **options: str
) -> None:
    """Files for both tools. Games end after 5 s: with a limit of turns instead, pyrimaa 1.4.1 fails
    if neither side has ever had more pieces."""
    told = "\n".join(f"bot_{name} = {value}" for name, value in options.items())
    for tool in ("roundrobin", "analyze"):
        (folder / f"{tool}.cfg").write_text(
            f"[global]\nrounds = 2\nbots = ours simple\ndefault_engine = ours\n"
            f"timecontrol = {timecontrol}\nstrict_setup = yes\nsearch_position = yes\n"
            f"strict_checks = yes\n"
            f"[ours]\ncmdline = {ours}\n{told}\n[simple]\ncmdline = {SIMPLE}\n"
        )


def run_tool(folder: Path, tool: str, *arguments: str) -> str:
    """The output of a tool; whatever happens, its engines end with it."""
    with subprocess.Popen(
        [sys.executable, "-m", f"pyrimaa.{tool}", *arguments],
        cwd=folder,
        env=environment(folder / ".home"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            said, errors = process.communicate(timeout=PATIENCE)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 0, errors
    assert "Traceback" not in said + errors
    return said


def check_round_robin(folder: Path) -> None:
    """Two games are played to their ends, and our turns are legal by pyrimaa and by us."""
    said = run_tool(folder, "roundrobin", "--pgn", "games.pgn")
    reasons = re.findall(r"^(\S+) beat (\S+) because of (\w+) playing side (\w)$", said, re.M)
    assert len(reasons) == 2, said
    assert {reason for _, _, reason, _ in reasons} <= set("gemrs"), said  # no t for time, i, f
    games = (folder / "games.pgn").read_text().split('[White "')[1:]
    assert [game.partition('"')[0] for game in games] == ["ours", "simple"]
    for game in games:
        play = new_play("arimaa")
        for line in re.findall(r"^\d+[gs] (.*)$", game, re.M):
            play.follow(play.check(read_turn(play, re.sub(r" \w\w\dx", "", line))))
        assert len(play.turns) >= 4


def test_round_robin(tmp_path: Path) -> None:
    configuration(tmp_path, f"{FAKE_ENGINE} aei", hash="16", seed="5", colour="blue")
    check_round_robin(tmp_path)


@pytest.mark.nightly
def test_round_robin_from_a_cold_start(tmp_path: Path) -> None:
    """Each turn is that of a stand-in, within its time, since our engine is never ready."""
    cold = f"{FAKE_ENGINE} aei arimaa 0 cold"
    # Ten seconds for a game: that is time for four turns, be the machine as busy as it likes.
    configuration(tmp_path, cold, timecontrol="3s/3s/100/0/10s")
    check_round_robin(tmp_path)


def test_analyze_a_board(tmp_path: Path) -> None:
    configuration(tmp_path, f"{FAKE_ENGINE} aei", hash="16", colour="blue")
    (tmp_path / "board.txt").write_text(BOARD)
    said = run_tool(tmp_path, "analyze", "board.txt")
    assert "log: Warning: unknown option 'colour'" in said
    assert re.search(rf"^score {round(3500 / RABBIT_POINTS)}$", said, re.M) and re.search(
        r"^pv \w+", said, re.M
    )
    assert re.search(r"^bestmove: [A-Za-z]\w\d[nesw]", said, re.M)


def test_analyze_moves(tmp_path: Path) -> None:
    configuration(tmp_path, f"{FAKE_ENGINE} aei")
    (tmp_path / "moves.txt").write_text(
        "1g Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2\n"
        "1s ra7 hb7 cc7 md7 ee7 cf7 hg7 rh7 ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8\n"
        "2g Ee2n Ee3n Md2n\n2s ee7s\n3g\n"
    )
    said = run_tool(tmp_path, "analyze", "moves.txt", "3g")
    assert re.search(r"^bestmove: [A-Za-z]\w\d[nesw]", said, re.M)
    assert "Error" not in said


@pytest.mark.nightly
def test_our_own_bot_plays_and_analyzes(tmp_path: Path) -> None:
    ours = f"{' '.join(TRINE)} aei --hash 16"
    configuration(tmp_path, ours, level="2")
    check_round_robin(tmp_path)
    (tmp_path / "board.txt").write_text(BOARD)
    said = run_tool(tmp_path, "analyze", "board.txt")
    assert re.search(r"^bestmove: [A-Za-z]\w\d[nesw]", said, re.M)
    assert re.search(r"^depth \d+$", said, re.M)
