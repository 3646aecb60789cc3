import io
import sys
from pathlib import Path

import pytest

from playing import NEAR_GOAL, SHORT, run_trine
from tables import cases, parts
from trine.cli.commands import places

WRONG = SHORT.replace("2g Ee2n Ee3n", "2g Ee2n Ra1s")


def test_legal_records_are_counted(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text(SHORT)
    (tmp_path / "two.txt").write_text(SHORT + "\n" + SHORT)
    done = run_trine(tmp_path, "check", "one.txt", "two.txt")
    assert done.stderr == ""
    one, two = done.stdout.splitlines()
    assert one.startswith("one.txt: ")
    assert "1" in one.removeprefix("one.txt")
    assert two.startswith("two.txt: ")
    assert "2" in two.removeprefix("two.txt")


def test_every_wrong_record_of_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text(WRONG + "\n" + SHORT + "\n" + WRONG)
    done = run_trine(tmp_path, "check", "game.txt", status=1)
    first, second, summary = done.stdout.splitlines()
    assert first.startswith("game.txt:9:9: turn 2g: ")
    assert second.startswith("game.txt:31:9: turn 2g: ")
    assert "backward" in first
    assert summary.startswith("game.txt: ")
    assert "2" in summary
    assert "1" in summary


ARMIES = """1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ca2 Hb2 Dc2 Ed2 Me2 Df2 Hg2 Ch2
1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ca7 hb7 dc7 md7 ee7 df7 hg7 ch7
"""
NEAR_WIN = f'[Game "arimaa"]\n[Start "{NEAR_GOAL}"]\n\n2g Ra7n\n'
FILES = {
    "short": SHORT,
    "wrong": WRONG,
    "bytes": SHORT + "3g Ee4n \udcff\n",
    "untrue": NEAR_WIN + '[Result "Silver"]\n[Reason "goal"]\n',
    "beside a horse": '[Game "arimaa"]\n[Start "2g 8/7r/8/3e4/2C5/8/8/R7"]\n\n2g Cc4n\n',
    "moves": "\n" + SHORT.partition("\n\n")[2],
    "tzaar": "1w d3xd4\n1b f1xe2 h1+g1\n",
    "today": ARMIES + "2w Ed2n\n",
    # It ends with a third repetition, which is illegal today.
    "old": ARMIES + "2w Ed2n\n2b md7s\n3w Ed3s\n3b md6n\n4w Ed2n\n4b md7s\n5w Ed3s\n5b md6n\n",
    "no clock": '[Game "tzaar"]\n[Clock "none"]\n\n',
    "bad clock": '[Game "tzaar"]\n[Clock "soon"]\n\n',
    "score": '[Game "tzaar"]\n[Clock "0:30/5/100/3/1"]\n\n',
}
"""Records by what they are."""


@cases(
    "file | arguments | code | said",
    """
a legal record | short | | 0 | game.txt: 1
standard input | short | - | 0 |
an illegal step | wrong | | 1 | game.txt:9:9: turn 2g: ; backward
in another language | wrong | --lang fr | 1 | game.txt:9:9: ; !backward
a byte that is no letter | bytes | | 1 | game.txt:11:9:
a result that is not true | untrue | | 1 | game.txt:5:1:
by the rules of the tags | beside a horse | | 0 |
by given rules | beside a horse | --rules diagonal | 1 | frozen
a given format | moves | --from movelist | 0 |
another format | moves | --from archive | 1 | movelist
legal today | today | | 0 | !by the older rules
legal today and in the past | today | --rules classic | 0 | !by the older rules
legal in the past | old | | 0 | by the older rules classic only
no clock | no clock | | 0 |
a clock that is none | bad clock | | 1 | game.txt:2:1:
a clock by score | score | | 1 | game.txt:2:1:
rules alone | tzaar | --rules official | 0 |
rules with their game | tzaar | --rules tzaar/official | 0 |
other rules with their game | tzaar | --rules tzaar/open | 1 |
rules of another game | tzaar | --rules arimaa/official | 1 |
older rules with their game | short | --rules arimaa/classic | 0 |
a game against the tags | short | --rules tzaar/official | 1 |
an unknown game | short | --rules chess/official | 2 |
a misspelt rule set | short | --rules arimaa/offical | 2 |
""",
)
def test_a_record_is_checked(
    file: str, arguments: str, code: str, said: str, tmp_path: Path
) -> None:
    record = FILES[file].encode(errors="surrogateescape")
    (tmp_path / "game.txt").write_bytes(record)
    words = arguments.split()
    files = () if "-" in words else ("game.txt",)
    done = run_trine(tmp_path, "check", *words, *files, lines=record, status=int(code))
    for one in parts(said):
        assert (one.removeprefix("!") in done.stdout) != one.startswith("!"), done.stdout


def test_the_worst_file_decides_the_exit_code_and_none_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "wrong.txt").write_text(WRONG)
    (tmp_path / "good.txt").write_text(SHORT)
    done = run_trine(tmp_path, "check", "wrong.txt", "absent.txt", "good.txt", status=2)
    assert "absent.txt" in done.stderr
    assert "wrong.txt:9:9" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("good.txt: ")


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


"""It ends with a third repetition, which is illegal today."""


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


def test_a_board_that_turn_cannot_read_is_refused_with_the_reason_of_its_game(
    tmp_path: Path,
) -> None:
    assert "eight ranks" in run_trine(tmp_path, "turn", "arimaa", "2g x", status=2).stderr
