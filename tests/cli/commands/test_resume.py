import os
from pathlib import Path

from playing import DUEL, SHORT, replayed, run_trine, start_trine, wait_for_line
from trine.core.contract.position import Outcome, Reason
from waiting import PATIENCE


def test_a_game_is_broken_off_and_gone_on_with(tmp_path: Path) -> None:
    begin = ("play", "arimaa", "--position", DUEL, "--log", "game.txt", "--clock", "5+3")
    run_trine(tmp_path, *begin, lines="d4n\nquit\n")
    done = run_trine(tmp_path, "resume", "game.txt", lines="undo\nd4n\na2n\nend\nquit\n")
    assert "so far: Ed4n" in done.stdout
    assert "damaged" not in done.stdout
    done = run_trine(tmp_path, "resume", "game.txt", lines="resign\n")
    assert "last turn: 2g Ed4n Ra2n" in done.stdout
    assert replayed(tmp_path / "game.txt").outcome == Outcome(0, Reason.RESIGNATION)
    done = run_trine(tmp_path, "resume", "game.txt", lines="d4n\n")
    assert "Gold wins (resignation)" in done.stdout


def test_without_a_file_the_last_game_goes_on_wherever_it_is(tmp_path: Path) -> None:
    run_trine(tmp_path, "play", "arimaa", lines="quit\n")
    (kept,) = tmp_path.rglob("games/*.txt")
    done = run_trine(tmp_path, "resume", lines="quit\n")
    assert f"log: {kept}" in done.stdout
    assert f"to continue, run: trine resume {kept}" in done.stdout
    run_trine(tmp_path, "play", "tzaar", "--log", "here.txt", lines="quit\n")
    os.utime(kept, (0, 0))
    assert "log: here.txt" in run_trine(tmp_path, "resume", lines="quit\n").stdout


def test_a_damaged_end_is_named_and_kept(tmp_path: Path, path: Path) -> None:
    path.write_bytes(SHORT.encode() + b"3g Ee4n Ee5\xff")
    done = run_trine(tmp_path, "resume", "game.txt", lines="quit\n")
    assert "game.txt:11:9: " in done.stdout
    assert "4 bytes" in done.stdout
    assert "game.txt.damaged" in done.stdout
    assert (tmp_path / "game.txt.damaged").read_bytes() == b"Ee5\xff\n"
    assert len(replayed(path).open_actions) == 1
    again = run_trine(tmp_path, "resume", "game.txt", lines="quit\n")
    assert "damaged" not in again.stdout


def test_damage_before_the_end_is_named_and_left_alone(tmp_path: Path, path: Path) -> None:
    path.write_bytes(SHORT.encode().replace(b"1s ra8", b"1s r\xff8"))
    content = path.read_bytes()
    done = run_trine(tmp_path, "resume", "game.txt", status=1)
    assert "game.txt:8:5: " in done.stderr
    assert path.read_bytes() == content


def test_two_processes_cannot_play_in_one_file(tmp_path: Path, path: Path) -> None:
    path.write_text(SHORT)
    with start_trine(tmp_path, "resume", "game.txt") as first:
        wait_for_line(first, "3g: Gold (Anna) to move")
        second = run_trine(tmp_path, "resume", "game.txt", lines="e4n\n", status=2)
        assert "game.txt is being played" in second.stderr
        assert second.stdout == ""
        run_trine(tmp_path, "play", "arimaa", "--log", "game.txt", status=2)
        run_trine(tmp_path, "check", "game.txt")
        (tmp_path / "other.txt").write_text(SHORT)
        over = run_trine(tmp_path, "convert", "other.txt", "game.txt", status=2)
        assert "game.txt is being played" in over.stderr
        first.communicate("e4n\nquit\n", timeout=PATIENCE)
    assert first.returncode == 0
    assert len(replayed(path).open_actions) == 1
    run_trine(tmp_path, "resume", "game.txt", lines="quit\n")


def test_a_board_looks_as_wished_when_a_game_goes_on(tmp_path: Path) -> None:
    shown = set()
    for options in ((), ("--flip",), ("--pieces", "chess"), ("--lang", "hu")):
        (tmp_path / "game.txt").write_text(SHORT)
        shown.add(run_trine(tmp_path, "resume", "game.txt", *options, lines="quit\n").stdout)
    assert len(shown) == 4
