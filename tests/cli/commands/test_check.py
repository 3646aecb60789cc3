import io
import sys
from pathlib import Path

import pytest

from playing import NEAR_GOAL, SHORT, run_trine
from trine.cli.commands import places

WRONG = SHORT.replace("2g Ee2n Ee3n", "2g Ee2n Ra1s")


def test_legal_records_are_counted(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text(SHORT)
    (tmp_path / "two.txt").write_text(SHORT + "\n" + SHORT)
    done = run_trine(tmp_path, "check", "one.txt", "two.txt")
    assert (done.returncode, done.stderr) == (0, "")
    one, two = done.stdout.splitlines()
    assert one.startswith("one.txt: ")
    assert "1" in one.removeprefix("one.txt")
    assert two.startswith("two.txt: ")
    assert "2" in two.removeprefix("two.txt")


def test_every_wrong_record_of_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text(WRONG + "\n" + SHORT + "\n" + WRONG)
    done = run_trine(tmp_path, "check", "game.txt")
    assert done.returncode == 1
    first, second, summary = done.stdout.splitlines()
    assert first.startswith("game.txt:9:9: turn 2g: ")
    assert second.startswith("game.txt:31:9: turn 2g: ")
    assert "backward" in first
    assert summary.startswith("game.txt: ")
    assert "2" in summary
    assert "1" in summary


def test_a_line_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_bytes(SHORT.encode() + b"3g Ee4n \xff\n")
    done = run_trine(tmp_path, "check", "game.txt")
    assert done.returncode == 1
    assert "game.txt:11:9: " in done.stdout


def test_a_result_that_is_not_true_is_wrong(tmp_path: Path) -> None:
    head = f'[Game "arimaa"]\n[Start "{NEAR_GOAL}"]\n\n2g Ra7n\n'
    (tmp_path / "game.txt").write_text(head + '[Result "Silver"]\n[Reason "goal"]\n')
    done = run_trine(tmp_path, "check", "game.txt")
    assert done.returncode == 1
    assert done.stdout.startswith("game.txt:5:1: ")


def test_the_worst_file_decides_the_exit_code_and_none_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "wrong.txt").write_text(WRONG)
    (tmp_path / "good.txt").write_text(SHORT)
    done = run_trine(tmp_path, "check", "wrong.txt", "absent.txt", "good.txt")
    assert done.returncode == 2
    assert "absent.txt" in done.stderr
    assert "wrong.txt:9:9" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("good.txt: ")


def test_standard_input_is_a_file(tmp_path: Path) -> None:
    done = run_trine(tmp_path, "check", "-", lines=SHORT)
    assert done.returncode == 0


def test_a_rule_set_can_be_given_against_the_tags(tmp_path: Path) -> None:
    start = "2g 8/7r/8/3e4/2C5/8/8/R7"
    record = f'[Game "arimaa"]\n[Start "{start}"]\n\n2g Cc4n\n'
    (tmp_path / "game.txt").write_text(record)
    assert run_trine(tmp_path, "check", "game.txt").returncode == 0
    done = run_trine(tmp_path, "check", "--rules", "diagonal", "game.txt")
    assert done.returncode == 1
    assert "frozen" in done.stdout


def test_a_format_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "moves").write_text("\n" + SHORT.partition("\n\n")[2])
    assert run_trine(tmp_path, "check", "--from", "movelist", "moves").returncode == 0
    done = run_trine(tmp_path, "check", "--format", "archive", "moves")
    assert done.returncode == 1
    assert "movelist" in done.stdout


def test_a_finding_is_said_in_the_language_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text(WRONG)
    english = run_trine(tmp_path, "check", "game.txt").stdout
    french = run_trine(tmp_path, "check", "game.txt", "--lang", "fr").stdout
    assert french.startswith("game.txt:9:9: ")
    assert "backward" in english
    assert "backward" not in french


def test_what_is_called_legal_can_be_gone_on_with(tmp_path: Path) -> None:
    for clock, code in (("none", 0), ("soon", 1), ("0:30/5/100/3/1", 1)):
        game = f'[Game "tzaar"]\n[Clock "{clock}"]\n\n'
        (tmp_path / "game.txt").write_text(game)
        done = run_trine(tmp_path, "check", "game.txt")
        assert done.returncode == code, clock
        assert not code or done.stdout.startswith("game.txt:2:1: ")


@pytest.mark.parametrize(("answer", "wall"), [("\n", "e5h"), ("oqf\n", "e4h")])
def test_at_a_terminal_it_is_asked_which_of_several_legal_games_is_meant(
    answer: str,
    wall: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "game.txt").write_text("e2 e8 e3 e7 e4 e6 e5h f7h\n")
    done = run_trine(tmp_path, "check", "game.txt")
    assert "another legal game as oqf" in done.stdout
    monkeypatch.setattr(places, "at_a_terminal", lambda: True)
    monkeypatch.setattr(sys, "stdin", io.StringIO(answer))
    (record,) = places.read_asking(str(tmp_path / "game.txt"))[1]
    assert str(record.turns[6].words[0]) == wall
    assert "(bga, oqf)" in capsys.readouterr().err


ARMIES = """1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ca2 Hb2 Dc2 Ed2 Me2 Df2 Hg2 Ch2
1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ca7 hb7 dc7 md7 ee7 df7 hg7 ch7
"""
TODAY = ARMIES + "2w Ed2n\n"
OLD = ARMIES + "2w Ed2n\n2b md7s\n3w Ed3s\n3b md6n\n4w Ed2n\n4b md7s\n5w Ed3s\n5b md6n\n"
"""It ends with a third repetition, which is illegal today."""


@pytest.mark.parametrize(
    ("words", "rules", "older"),
    [(TODAY, (), False), (TODAY, ("--rules", "classic"), False), (OLD, (), True)],
)
def test_only_what_is_illegal_today_is_called_old(
    tmp_path: Path, words: str, rules: tuple[str, ...], older: bool
) -> None:
    (tmp_path / "game.txt").write_text(words)
    done = run_trine(tmp_path, "check", "game.txt", *rules)
    assert done.returncode == 0, done.stdout
    assert ("by the older rules classic only" in done.stdout) is older


LIST = "1w d3xd4\n1b f1xe2 h1+g1\n"


@pytest.mark.parametrize(
    ("words", "rules", "code"),
    [
        (LIST, "official", 0),
        (LIST, "tzaar/official", 0),
        (LIST, "tzaar/open", 1),
        (LIST, "arimaa/official", 1),
        (SHORT, "arimaa/classic", 0),
        (SHORT, "tzaar/official", 1),
        (SHORT, "chess/official", 2),
        (SHORT, "arimaa/offical", 2),
    ],
)
def test_rules_can_be_named_with_their_game(
    tmp_path: Path, words: str, rules: str, code: int
) -> None:
    (tmp_path / "game.txt").write_text(words)
    done = run_trine(tmp_path, "check", "game.txt", "--rules", rules)
    assert done.returncode == code, done.stdout + done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("show", "--position", "diagram", "--rules", "arimaa/classic"),
        ("perft", "tzaar", "--rules", "tzaar/open", "--depth", "1"),
        ("perft", "tzaar/open", "--rules", "tzaar/open", "--depth", "1"),
        ("convert", "game.txt", "--rules", "arimaa/classic"),
        ("show", "game.txt", "--rules", "arimaa/classic"),
        ("archive", "find", "games", "--rules", "arimaa/official"),
    ],
)
def test_every_command_takes_rules_with_their_game(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "game.txt").write_text(SHORT)
    if words[:2] == ("archive", "find"):
        run_trine(tmp_path, "archive", "add", "games", "game.txt")
    done = run_trine(tmp_path, *words)
    assert done.returncode == 0, done.stdout + done.stderr
