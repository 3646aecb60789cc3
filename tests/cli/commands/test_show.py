import re
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest

from playing import NEAR_GOAL, SHORT, TRINE, run_in, run_trine
from tables import cases, parts

GOAL = f'[Game "arimaa"]\n[Start "{NEAR_GOAL}"]\n\n2g Ra7n\n[Result "Gold"]\n[Reason "goal"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.txt").write_text(SHORT + "3g Ee4n ")
    (tmp_path / "goal.txt").write_text(GOAL)
    (tmp_path / "both.txt").write_text(SHORT + "\n" + GOAL)
    (tmp_path / "wrong.txt").write_text(SHORT + "3g Ee4n Ra1s\n3s ra8s\n")
    (tmp_path / "odd.txt").write_text(SHORT.replace("Anna", "An\x1b[2Jna"))
    return tmp_path


def boards(words: str) -> int:
    return len(re.findall(r"^ +a +b +c +d +e +f +g +h *$", words, re.M)) // 2


@cases(
    "arguments | said | unsaid",
    """
a record as it stands | game.txt | Gold: Anna ; 3g: Gold to move ; last turn: 2s ee7s ; 3 steps left |
before turn 1g | game.txt --turn 1g | 1g: Gold to move |
before turn 1s | game.txt --turn 1s | 1s: Silver to move |
before turn 2g | game.txt --turn 2g | 2g: Gold to move |
before turn 2 | game.txt --turn 2 | 2g: Gold to move |
before turn 2s | game.txt --turn 2s | 2s: Silver to move |
before an open turn | game.txt --turn 3g | 3g: Gold to move ; 4 steps left |
before turn 3 | game.txt --turn 3 | 3g: Gold to move |
a result | goal.txt | Gold wins (goal) |
the first game of two | both.txt | Anna |
the second game of two | both.txt --game 2 | Gold wins (goal) |
a result in a picture | both.txt --game 2 --svg - | Gold wins (goal)</text> |
a picture before the result | both.txt --game 2 --svg - --turn 2g | | Gold wins
before a turn that is wrong | wrong.txt --turn 2s | 2s: Silver to move |
no control letters | odd.txt | Gold: An | \x1b
""",
)
def test_a_position_of_a_record_is_shown(
    arguments: str, said: str, unsaid: str, folder: Path
) -> None:
    done = run_trine(folder, "show", *arguments.split(), status=int("wrong" in arguments))
    assert [words for words in parts(said) if words not in done.stdout] == []
    assert not unsaid or unsaid not in done.stdout
    assert boards(done.stdout) == ("--svg" not in arguments)


def test_a_third_game_of_two_is_an_error(folder: Path) -> None:
    missing = run_trine(folder, "show", "both.txt", "--game", "3", status=1).stderr
    assert "both.txt: there is no game 3; the file has 2" in missing


@pytest.mark.parametrize("turn", ["9g", "3s", "0g", "x", "2x", "💥"])
def test_a_turn_that_never_came_is_an_error(turn: str, folder: Path) -> None:
    assert "3g" in run_trine(folder, "show", "game.txt", "--turn", turn, status=1).stderr


def test_every_turn_is_replayed(folder: Path) -> None:
    done = run_trine(folder, "show", "game.txt", "--replay")
    assert boards(done.stdout) == 5
    headlines = re.findall(r"(\d[gs]): \w+ to move", done.stdout)
    assert headlines == ["1g", "1s", "2g", "2s", "3g"]


def test_a_picture_is_written(folder: Path) -> None:
    done = run_trine(folder, "show", "game.txt", "--svg", "out.svg")
    assert done.stdout == ""
    picture = (folder / "out.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(picture).tag.endswith("svg")
    assert run_trine(folder, "show", "game.txt", "--svg", "-").stdout == picture
    flipped = run_trine(folder, "show", "game.txt", "--svg", "-", "--flip").stdout
    earlier = run_trine(folder, "show", "game.txt", "--svg", "-", "--turn", "2g").stdout
    assert len({picture, flipped, earlier}) == 3


def test_a_picture_has_the_piece_set_that_was_asked_for(folder: Path) -> None:
    usual, letters, chess, animals = (
        run_trine(folder, "show", "game.txt", "--svg", "-", *options).stdout
        for options in ((), ("--pieces", "letters"), ("--pieces", "chess"), ("--pieces", "animals"))
    )
    assert len({usual, letters, chess}) == 3
    assert animals == usual


@pytest.mark.parametrize("target", ["absent/out.svg", ".", "game.txt/out.svg"])
def test_a_picture_that_cannot_be_written_exits_with_2(target: str, folder: Path) -> None:
    done = run_trine(folder, "show", "game.txt", "--svg", target, status=2)
    assert target in done.stderr or f"no folder {Path(target).parent}" in done.stderr


def test_a_picture_is_written_whole_or_not_at_all(folder: Path) -> None:
    # A file may have one block here, as on a full disk.
    # Python itself would leave half a file of bytecode, which breaks every later start.
    command = f"ulimit -f 1; PYTHONDONTWRITEBYTECODE=1 exec {shlex.join(TRINE)} show game.txt --svg out.svg"
    for before in (None, "precious"):
        if before:
            (folder / "out.svg").write_text(before)
        done = run_in(folder, "bash", "-c", command)
        assert done.returncode == 2
        assert done.stderr.startswith("trine: out.svg: ")
        assert (folder / "out.svg").exists() == bool(before)
        assert not before or (folder / "out.svg").read_text() == before
        assert not list(folder.glob(".trine-*"))


def test_a_picture_and_a_replay_cannot_both_be_had(folder: Path) -> None:
    run_trine(folder, "show", "game.txt", "--replay", "--svg", "out.svg", status=2)
    assert not (folder / "out.svg").exists()


FRAMED_RANKS = "".join(f"{rank}| {'R e' if rank < 8 else '  e':15} |\n" for rank in range(8, 0, -1))


@pytest.mark.parametrize(
    "position",
    [
        NEAR_GOAL,
        "g [" + " " * 8 + "R" + " " * 27 + "e" + " " * 18 + "r" + " " * 4 + "E" + "   ]",
        f"2g\n +-----------------+\n{FRAMED_RANKS}",
    ],
)
def test_a_position_is_shown_in_any_form(position: str, folder: Path) -> None:
    done = run_trine(folder, "show", "--position", position, status=None)
    assert done.returncode in (0, 2)
    assert boards(done.stdout) == (done.returncode == 0)


def test_insight_is_shown_and_drawn(folder: Path) -> None:
    position = "2g 8/8/8/3e4/3C4/8/8/R7"
    plain = run_trine(folder, "show", "--position", position)
    seen = run_trine(folder, "show", "--position", position, "--insight")
    assert "frozen" in seen.stdout
    assert len(seen.stdout) > len(plain.stdout)
    pictures = [
        run_trine(folder, "show", "--position", position, "--svg", "-", *options).stdout
        for options in ((), ("--insight",))
    ]
    assert pictures[0] != pictures[1]


@pytest.mark.parametrize("position", ["", "nonsense", "g []", "2g 8/8", "2g 9/8/8/8/8/8/8/8"])
def test_a_position_that_cannot_be_read_exits_with_2(position: str, folder: Path) -> None:
    done = run_trine(folder, "show", "--position", position, status=2)
    assert done.stdout == ""


def test_a_board_is_flipped_and_has_other_men(folder: Path) -> None:
    options = ("", "--flip", "--pieces animals", "--pieces chess", "--lang ru")
    shown = {run_trine(folder, "show", "game.txt", *one.split()).stdout for one in options}
    assert len(shown) == 5
