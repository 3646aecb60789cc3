"""Reviewing whole games from the command line."""

import re
from pathlib import Path

import pytest

from cli.commands.in_process import House
from terminals import end, spawn

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

BLUNDER = """\
[Game "corridor"]
[Start "quoridor 3 2 b2,a2 - 0,0 1"]
[South "Anna"]

1s c2
1n a1
[Result "North"]
[Reason "goal"]
"""
GAME = '[Game "corridor"]\n[Size "7"]\n\n1s d2\n1n d6\n2s d3\n2n a1h\n3s e3\n3n d5\n'
FAST = ("--nodes", "500")


@pytest.fixture
def house(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> House:
    house = House("review", tmp_path, monkeypatch, capsys)
    house.write("game.txt", GAME)
    house.write("blunder.txt", BLUNDER)
    return house


def test_a_game_is_told_in_curve_table_and_worst_turns(house: House) -> None:
    done = house.run("blunder.txt", *FAST)
    assert done.stderr == ""
    assert [line.rstrip() for line in done.stdout.splitlines()] == [
        "North wins (goal)",
        "",
        "chances from 1s to 1n:",
        "  South  █▁▁  0\N{NO-BREAK SPACE}%",
        "",
        "              accuracy  slips  mistakes  blunders",
        "South (Anna)       0\N{NO-BREAK SPACE}%      0         0         1",
        "North            100\N{NO-BREAK SPACE}%      0         0         0",
        "",
        "1s c2: a blunder, South 100\N{NO-BREAK SPACE}% → 0\N{NO-BREAK SPACE}%",
        "  better: 1s b3; South wins with this turn",
        "  now: 1n a1; North wins with this turn",
    ]


def test_no_line_is_wider_than_a_terminal(house: House) -> None:
    house.write("long.txt", GAME.replace("\n\n", f'\n[South "{"x" * 90}"]\n\n'))
    done = house.run("long.txt", *FAST)
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_the_same_review_says_the_same(house: House) -> None:
    first, second = (house.run("game.txt", *FAST) for _ in range(2))
    assert first.stdout == second.stdout
    assert "chances from 1s to 3n:" in first.stdout


def test_no_more_turns_are_told_than_asked_for(house: House) -> None:
    assert "a blunder" not in house.run("blunder.txt", *FAST, "--worst", "0").stdout


def test_four_players_have_a_curve_each(house: House) -> None:
    house.write("four.txt", '[Game "corridor"]\n[Players "4"]\n\n1s e2\n1w b5\n1n resigns\n1e h5\n')
    done = house.run("four.txt", "--nodes", "200", "--depth", "3")
    for name in ("South", "West", "North", "East"):
        assert re.search(rf"^  {name} +[▁-█]+  \d+\s%$", done.stdout, re.M)


def test_what_is_wrong_later_is_told_after_the_review(house: House) -> None:
    house.write("wrong.txt", GAME + "4s a9\n")
    done = house.run("wrong.txt", *FAST, status=1)
    assert "chances from 1s to 3n:" in done.stdout
    assert done.stderr.count("\n") == 1
    assert "wrong.txt:10:" in done.stderr


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "wrong.txt"),
        ("nonsense\n", "wrong.txt"),
        ('[Game "chess"]\n\n1w e4\n', "wrong.txt:1"),
        ('[Game "corridor"]\n\n1s z9\n', "wrong.txt:3"),
        ('[Game "arimaa"]\n', "no turn to review"),
        ("\0\0\0", "wrong.txt"),
    ],
)
def test_a_record_that_cannot_be_reviewed_gets_one_clear_message(
    content: str, says: str, house: House
) -> None:
    house.write("wrong.txt", content)
    done = house.run("wrong.txt", *FAST, status=1)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("trine: "), done.stderr
    assert says in done.stderr


SECOND_TURN_IS_ENDLESS = """
from trine.core.clock import Limits
from trine.engine.players.review import Reviewer
value_of = Reviewer._value_of
def searched(self, play):
    if self.done:
        self._limits = Limits()
    return value_of(self, play)
Reviewer._value_of = searched
from trine.__main__ import main
main()
"""


def test_ctrl_c_keeps_what_is_reviewed_and_exits_with_130(house: House) -> None:
    begin = ("-c", SECOND_TURN_IS_ENDLESS)
    child = spawn(house.folder, "review", "game.txt", *FAST, python=begin)
    child.expect("Ctrl-C: show the results so far; turn 3s, 1 of 6 reviewed")
    child.sendintr()
    child.expect("stopped: reviewed only from 3. on")
    child.expect("chances from 3. to 3n:")
    assert end(child)[1] == 130
