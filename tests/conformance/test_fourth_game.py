"""A fourth game is one room and one name: three in a row, through every floor, in other Pythons.

Its room lies in ``tests/rooms``, where only those find it that have the folder on their path.
"""

import re
from pathlib import Path

import pytest

from capturing import captured
from kernels import python
from playing import HOUSE, TRINE, environment, run_trine

ROOMS = HOUSE / "tests" / "rooms"
PATHS = f"{HOUSE / 'src'}:{HOUSE / 'tests'}:{ROOMS}"
CONTRACTS = (
    "tests/conformance/test_rooms.py",
    "tests/conformance/test_lessons.py",
    "tests/conformance/test_pointing.py",
    "tests/conformance/test_kernels.py",
    "tests/conformance/test_heuristics.py",
    "tests/conformance/test_symmetries.py",
    "tests/engine/test_rl.py",
    "tests/rooms",
)
LEAVES = (9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872)
"""The number of sequences of so many marks; plays that are over have no continuation.

Source: the 255,168 plays of the game, counted in many places; by length 1,440 with five marks,
5,328 with six, 47,952 with seven, 72,576 with eight and 127,872 with nine.
"""
DRAW = "b2 a1 c3 a3 a2 c2 b1 b3 c1"
MATCH = (
    *("match", "one=bot:10", "two=bot:10", "--game", "three"),
    *("--games", "2", "--openings", "start", "--depth", "9"),
)
RESULT = '[Result "draw"]'


def run(program: str) -> str:
    status, said = python("-W", "ignore", "-c", program, PYTHONPATH=PATHS)
    assert status == 0, said
    return said.strip()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def trine(folder: Path, *arguments: str, lines: str = "", status: int = 0) -> str:
    env = {**environment(folder / ".home"), "PYTHONPATH": PATHS}
    done = captured(*TRINE, *arguments, cwd=folder, env=env, lines=lines)
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr


def test_the_contracts_hold_for_it() -> None:
    arguments = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "three", *CONTRACTS)
    status, said = python(*arguments, PYTHONPATH=PATHS)
    assert status == 0, said
    found = re.search(r"(\d+) passed", said)
    assert found and int(found[1]) >= 50, said


def test_it_is_a_game_of_the_house_where_it_is_found() -> None:
    program = "from trine.games import ROOMS, open_room; print(*ROOMS, open_room('three').title)"
    assert run(program) == "arimaa tzaar corridor three Three in a row"


def test_it_is_unknown_where_it_is_not_found(folder: Path) -> None:
    done = run_trine(folder, "play", "three", status=2)
    assert "no game 'three'; the games are: arimaa, tzaar, corridor" in done.stderr


def test_it_is_played_shown_and_resumed(folder: Path) -> None:
    *first, last = DRAW.split()
    trine(folder, "play", "three", "--log", "game.txt", lines="\n".join([*first, "quit"]))
    assert "[Result" not in (folder / "game.txt").read_text()
    said = trine(folder, "resume", "game.txt", lines=f"a1\n{last}\n", status=1)
    assert "a1 is marked already" in said
    assert "draw" in said
    assert RESULT in (folder / "game.txt").read_text()
    trine(folder, "show", "game.txt", "--svg", "game.svg")
    assert (folder / "game.svg").read_text().count("<use") >= 9
    trine(folder, "check", "game.txt")
    assert "Three marks of one player in a row win" in " ".join(
        trine(folder, "rules", "three").split()
    )


def test_its_sequences_are_as_many_as_others_counted() -> None:
    program = (
        "from trine.games import new_play, open_kernel\n"
        "from trine.engine.search.perft import count_sequences\n"
        "kernel, start = open_kernel('three'), new_play('three').start\n"
        "for depth in range(1, 10):\n"
        "    for in_bulk in (True, False):\n"
        "        counts = count_sequences(kernel, start, depth, in_bulk=in_bulk)\n"
        "        print(sum(counts.values()))\n"
    )
    assert list(map(int, run(program).split())) == [count for count in LEAVES for _ in range(2)]


def test_the_one_search_plays_it_perfectly() -> None:
    """From each position the score is what the referee finds by looking at all plays."""
    program = (
        "from functools import cache\n"
        "from trine.games import new_play\n"
        "from trine.engine.search.alphabeta import AlphaBeta\n"
        "from trine.core.clock import Limits\n"
        "@cache\n"
        "def worth(position):\n"
        "    if outcome := position.outcome():\n"
        "        return 0 if outcome.winner is None else -1\n"
        "    return max(-worth(position.play_unchecked(a)) for a in position.legal_actions())\n"
        "search = AlphaBeta('three', hash_mb=1)\n"
        "def found(play):\n"
        "    score = search.search(play, Limits(depth=10))[0].score\n"
        "    return 0 if score.decided_in is None else 1 if score.points > 0 else -1\n"
        "start = new_play('three')\n"
        "assert found(start) == worth(start.position) == 0\n"
        "for first in start.legal_actions():\n"
        "    for second in start.position.play_unchecked(first).legal_actions():\n"
        "        for third in ('a1', 'b2', 'c3', 'b1'):\n"
        "            play = new_play('three')\n"
        "            play.act(first)\n"
        "            play.act(second)\n"
        "            if third in map(str, play.legal_actions()):\n"
        "                play.enter(third)\n"
        "            assert found(play) == worth(play.position), play\n"
        "print('perfect')\n"
    )
    assert run(program) == "perfect"


def test_programs_learn_it_in_an_environment() -> None:
    pytest.importorskip("pettingzoo")
    program = (
        "import warnings\n"
        "warnings.simplefilter('ignore')\n"
        "from pettingzoo.test import api_test\n"
        "from trine.engine import rl\n"
        "env = rl.environment('three')\n"
        "api_test(env, num_cycles=100)\n"
        "env.reset()\n"
        "print(env, env.observe('cross')['observation'].shape)\n"
    )
    said = run(program)
    assert "Passed API test" in said
    assert said.endswith("three_v0 (3, 8, 8)")


@pytest.mark.nightly
def test_it_is_played_in_a_match_of_two_bots(folder: Path) -> None:
    said = trine(folder, *MATCH)
    assert "Games: 2, Wins: 0, Losses: 0, Draws: 2" in said, said
