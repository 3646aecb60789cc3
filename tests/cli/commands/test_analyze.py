"""Analyzing positions from the command line."""

import re
from pathlib import Path

import pytest

from cli.commands.in_process import House
from terminals import end, spawn
from trine.core.play import Play
from trine.games import open_room

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

WALLED = "quoridor 5 2 c1,c4 - 3,3 1"
NEARLY = "quoridor 5 2 b4,a2 - 0,0 1"
"""South wins with b5."""
GAME = '[Game "corridor"]\n[Size "7"]\n\n1s d2\n1n d6\n2s d3\n2n a1h\n'
FAST = ("--depth", "3")


@pytest.fixture
def house(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> House:
    house = House("analyze", tmp_path, monkeypatch, capsys)
    house.write("game.txt", GAME)
    return house


def test_the_best_line_of_the_last_position_is_told(house: House) -> None:
    done = house.run("game.txt", *FAST)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == "3s: South to move"
    assert re.fullmatch(r"depth 3, [0-9,]+ positions in [0-9.]+ s", lines[1])
    assert re.fullmatch(r"  1  .*(South|North).* %  3s \S+, 3n \S+, 4s \S+", lines[2])
    assert len(lines) == 3


def test_a_chosen_turn_is_analyzed(house: House) -> None:
    for turn, first in (("2n", "2n: North"), ("1", "1s: South")):
        assert house.run("game.txt", "--turn", turn, *FAST).stdout.startswith(first)
    house.run("game.txt", "--turn", "9s", *FAST, status=1)


def test_so_many_lines_are_told_and_all_begin_differently(house: House) -> None:
    found = house.data("game.txt", "--lines", "4", *FAST)["lines"]
    assert [line["rank"] for line in found] == [1, 2, 3, 4]
    assert len({line["actions"][0] for line in found}) == 4
    points = [line["points"] for line in found]
    assert points == sorted(points, reverse=True)


def test_the_lines_are_legal_and_the_data_complete(house: House) -> None:
    data = house.data("game.txt", "--lines", "2", *FAST)
    room = open_room("corridor")
    assert data["game"] == "corridor/quoridor"
    assert (data["turn"], data["player"]) == ("3s", "South")
    for line in data["lines"]:
        play = Play(room, room.rules.parse_position(data["position"], ""))
        play.enter(" ".join(line["actions"]))
        assert 0 < line["chance"] < 1
        assert line["decided_in"] is None
        assert line["turns"][0] == f"3s {line['actions'][0]}"
        assert line["depth"] == 3
        assert line["nodes"] > 0


def test_a_position_is_analyzed_from_its_text(house: House) -> None:
    by_option = house.data("--position", WALLED, *FAST)
    assert house.data(WALLED, *FAST)["lines"][0]["actions"] == (by_option["lines"][0]["actions"])
    assert house.data("corridor", "--position", WALLED, *FAST)["position"] == WALLED


def test_a_win_is_proven(house: House) -> None:
    done = house.run(NEARLY, *FAST)
    assert "South wins with this turn" in done.stdout
    (line,) = house.data(NEARLY, *FAST)["lines"]
    assert (line["decided_in"], line["chance"], line["actions"]) == (1, 1.0, ["b5"])


def test_a_small_board_is_known_and_not_searched(house: House) -> None:
    house.write("small.txt", '[Game "corridor"]\n[Rules "corridor"]\n[Size "3"]\n\n')
    assert house.run("small.txt").stdout.splitlines() == [
        "1s: South to move",
        "  1  a draw, solved  1s @a1, 1n @a3",
    ]


def test_four_players_are_analyzed(house: House) -> None:
    house.write("four.txt", '[Game "corridor"]\n[Players "4"]\n\n1s e2\n')
    data = house.data("four.txt", "--nodes", "500", "--lines", "3")
    assert data["player"] == "West"
    assert len(data["lines"]) == 3
    assert house.data("four.txt", *FAST)["lines"][0]["actions"]


def test_the_trace_adds_up_and_shows_what_counts_something(house: House) -> None:
    from trine.games import open_heuristics

    data = house.data("game.txt", "--trace", *FAST)
    names = [term["name"] for term in data["trace"]]
    assert names == [term.name for term in open_heuristics("corridor").terms]
    for term in data["trace"]:
        assert term["points"] == pytest.approx(term["value"] * term["weight"], abs=0.1)
    shown = house.run("game.txt", "--trace", *FAST).stdout
    table = shown.partition("without a search: ")[2]
    assert int(table.split()[0]) == round(sum(term["points"] for term in data["trace"]))
    counting = [term["name"] for term in data["trace"] if term["value"] and term["weight"]]
    assert 0 < len(counting) < len(names)
    assert re.findall(r"^  ([a-z_]+) +-?[0-9.]+ ", table, re.M) == counting
    assert f"\n{len(names) - len(counting)} terms count nothing here\n" in table


def test_a_result_that_people_decided_leaves_something_to_think_about(house: House) -> None:
    resigned = GAME + '3s resigns\n[Result "North"]\n[Reason "resignation"]\n'
    house.write("resigned.txt", resigned)
    assert house.data("resigned.txt", *FAST)["turn"] == "3s"


def test_a_game_that_is_over_on_the_board_is_not_analyzed(house: House) -> None:
    house.write(
        "over.txt",
        f'[Game "corridor"]\n[Start "{NEARLY}"]\n\n1s b5\n[Result "South"]\n[Reason "goal"]\n',
    )
    done = house.run("over.txt", *FAST, status=1)
    assert "the play is over: goal; --turn 1s takes the position before" in done.stderr
    assert house.data("over.txt", "--turn", "1s", *FAST)["lines"][0]["decided_in"] == 1


def test_what_is_wrong_later_is_told_after_the_analysis(house: House) -> None:
    house.write("wrong.txt", GAME + "3s a9\n")
    done = house.run("wrong.txt", *FAST, status=1)
    assert "3s: South to move" in done.stdout
    assert "wrong.txt:8:" in done.stderr


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("quoridor 9 2 e2,e8 - 10,10", "expected rules size players pawns walls hands turn"),
        ("quoridor 9 2 e2,z8 - 10,10 1", "z8"),
        ("open nonsense", "'open nonsense'"),
        ("2g 8/8", "name the game to hear why"),
    ],
)
def test_what_is_wrong_with_a_position_is_told_if_it_names_its_rules(
    position: str, why: str, house: House
) -> None:
    for given in ([position], ["--position", position]):
        done = house.run(*given, *FAST, status=2)
        assert why in done.stderr
        assert ("no game can read" in done.stderr) == position.startswith("2g")


def test_ctrl_c_shows_what_is_known_and_exits_with_130(house: House) -> None:
    child = spawn(house.folder, "analyze", "game.txt", "--time", "600", "--lines", "2")
    child.expect("depth [0-9]+; ")
    child.sendintr()
    child.expect("depth [0-9]+, [0-9,]+ positions in")
    child.expect("  1  .* %  3s ")
    assert end(child)[1] == 130
