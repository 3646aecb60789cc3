from pathlib import Path

import pytest

from playing import DUEL, SHORT, replayed, run_trine, standing

SETUPS = (
    "1g Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2",
    "1s ra7 hb7 cc7 md7 ee7 cf7 hg7 rh7 ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8",
)
RECORD = f"""\
[Game "arimaa"]
[Rules "official"]
[Gold "Anna"]
[Silver "Bert"]

{SETUPS[0]}
{SETUPS[1]}
2g Ee2n Ee3n {{0:12}}
2s ee7s undo md7s resigns
[Result "Gold"]
[Reason "resignation"]
"""
WRONG = RECORD.replace("Ee3n", "Ra2s")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.txt").write_text(RECORD)
    (tmp_path / "wrong.txt").write_text(WRONG)
    (tmp_path / "both.txt").write_text(WRONG + "\n" + RECORD)
    return tmp_path


def test_records_come_out_as_they_went_in(folder: Path) -> None:
    done = run_trine(folder, "convert", "game.txt")
    assert (done.stdout, done.returncode) == (RECORD, 0)
    assert "1" in done.stderr
    assert run_trine(folder, "convert", "game.txt", "copy.txt").stdout == ""
    assert (folder / "copy.txt").read_text() == RECORD


def test_records_go_to_another_format_and_back(folder: Path) -> None:
    run_trine(folder, "convert", "game.txt", "there", "--to", "movelist")
    run_trine(folder, "convert", "there", "back.txt")
    back, game = replayed(folder / "back.txt"), replayed(folder / "game.txt")
    assert standing(back)[1:] == standing(game)[1:]
    again = run_trine(folder, "convert", "back.txt", "--to", "movelist").stdout
    assert again == (folder / "there").read_text()


def test_a_pipe_works_on_both_ends(folder: Path) -> None:
    done = run_trine(folder, "convert", "-", "-", "--to", "movelist", lines=RECORD)
    assert done.stdout.splitlines()[:2] == list(SETUPS)
    done = run_trine(folder, "convert", "-", lines=done.stdout)
    assert done.stdout.startswith('[Game "arimaa"]\n')


def test_records_that_are_not_legal_are_named_and_left_out_or_kept(folder: Path) -> None:
    for options, illegal in (
        ((), 0),
        (("--keep-illegal", "--to", "trine"), 1),
        (("--keep-illegal", "--to", "movelist"), 1),
    ):
        done = run_trine(folder, "convert", "both.txt", "out.txt", *options, status=1)
        assert "both.txt:8:9: turn 2g: " in done.stderr
        written = (folder / "out.txt").read_text()
        assert written.count("Ra2s") == illegal
        assert illegal or written == RECORD
        (folder / "out.txt").unlink()


ODD_TAGS = [
    '[Result "Gold"]\n[Reason "magic"]\n',
    '[Result "nobody"]\n',
    '[Reason "goal"]\n',
    '[termination "zz"]\n[Result "Gold"]\n[Reason "resignation"]\n',
    '[Start "nowhere"]\n',
]


@pytest.mark.parametrize("form", ["trine", "movelist"])
@pytest.mark.parametrize("tags", ODD_TAGS)
def test_records_with_odd_tags_can_be_kept(form: str, tags: str, folder: Path) -> None:
    (folder / "odd.txt").write_text(f'[Game "arimaa"]\n{tags}')
    arguments = ("convert", "odd.txt", "out", "--keep-illegal", "--to", form)
    assert run_trine(folder, *arguments, status=None).returncode in (0, 1, 2)


def test_one_record_that_a_format_cannot_hold_does_not_cost_the_others(folder: Path) -> None:
    (folder / "some.txt").write_text(f'[Game "arimaa"]\n[Start "{DUEL}"]\n\n2g Ed4n\n\n{RECORD}')
    done = run_trine(folder, "convert", "some.txt", "out", "--to", "movelist", status=1)
    assert "some.txt:2: " in done.stderr
    assert (folder / "out").read_text().startswith(SETUPS[0])


def test_what_was_there_stays_when_nothing_can_be_read(folder: Path) -> None:
    (folder / "out.txt").write_text("precious")
    (folder / "torn.txt").write_bytes(RECORD.encode() + b"\xff\n")
    for source in ("absent.txt", "torn.txt", "."):
        assert run_trine(folder, "convert", source, "out.txt", status=None).returncode in (1, 2)
        assert (folder / "out.txt").read_text() == "precious"
    assert not list(folder.glob(".trine-*"))


@pytest.mark.parametrize("target", ["absent/out.txt", "home/", "game.txt/out.txt", ".", "", "/"])
def test_a_target_that_cannot_be_written_exits_with_2(target: str, folder: Path) -> None:
    (folder / "home").mkdir()
    done = run_trine(folder, "convert", "game.txt", target, status=2)
    assert done.stdout == ""
    assert done.stderr.startswith((f"trine: {Path(target)}: ", "trine: there is no folder absent"))
    assert not list(folder.glob("**/.trine-*"))


def test_a_record_can_be_converted_in_place(folder: Path) -> None:
    run_trine(folder, "convert", "game.txt", "game.txt")
    assert (folder / "game.txt").read_text() == RECORD


def test_a_play_that_was_broken_off_stays_one(folder: Path) -> None:
    open_turn = SHORT + "3g Ee4n {paused 0:10} "
    (folder / "open.txt").write_text(open_turn)
    run_trine(folder, "convert", "open.txt", "copy.txt")
    assert standing(replayed(folder / "copy.txt")) == standing(replayed(folder / "open.txt"))


def test_the_rule_set_of_the_command_line_is_written_down(folder: Path) -> None:
    done = run_trine(folder, "convert", "game.txt", "--rules", "ejection")
    assert '[Rules "ejection"]' in done.stdout
    assert done.stdout.count("[Rules") == 1
