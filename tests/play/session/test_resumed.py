"""Games resumed from records that a crash, a disk or an editor has left."""

from pathlib import Path

import pytest

from play.session.games import begun_game
from playing import HandClock, replayed, standing
from trine.play.session.file_journal import resume_from_file


def test_what_was_thought_before_a_crash_counts_and_what_came_after_does_not(
    tmp_path: Path,
) -> None:
    now, path = HandClock(), tmp_path / "game.txt"
    game = begun_game("corridor/quoridor", path, now)
    game.enter("e2")
    now.wait(7)
    game.record_heartbeat()
    now.wait(0.5)  # not known of any more
    game.journal.close()
    now.wait(86_400)
    again, _ = resume_from_file(path, now)
    assert again.elapsed == 7
    assert again.state.deadline == now.now + again.time_left
    again.journal.close()
    copy = tmp_path / "copy.txt"
    copy.write_bytes(path.read_bytes())  # a copy keeps no pulse
    again, _ = resume_from_file(copy, now)
    assert again.elapsed == 7
    again.journal.close()


def test_a_record_saved_with_line_breaks_of_two_bytes_is_not_damaged(path: Path) -> None:
    for tail in ("", "3s e4", "3s e4 {well played}", "3s e4\r\n", "# a note"):
        head = '[Game "corridor"]\r\n\r\n1s e2\r\n1n e8\r\n2s e3\r\n2n e7\r\n'
        path.write_bytes((head + tail).encode())
        again, damage = resume_from_file(path)
        assert damage is None, tail
        assert len(again.play.turns) == 4 + tail.startswith("3s")
        again.enter(str(again.play.legal_actions()[0]))
        stood = again.play
        again.close()
        assert standing(replayed(path)) == standing(stood)


@pytest.mark.parametrize("tail", [b"\n\0\0\0\0", b"\n\xff\xfe garbage\n", b"\r\n\0\0"])
def test_a_damaged_end_does_not_end_an_open_turn(tail: bytes, path: Path) -> None:
    path.write_bytes(
        b'[Game "arimaa"]\n[Start "2g 8/r1c4r/8/2e1h3/3E4/8/R3C1HR/8"]\n\n2g Ed4n ' + tail
    )
    again, damage = resume_from_file(path)
    assert damage is not None
    assert [str(action) for action in again.play.open_actions] == ["Ed4n"]
    assert again.play.turns == []
    again.enter("end")
    again.close()
    assert len(replayed(path).turns) == 1


def test_an_old_record_without_moments_is_gone_on_with(path: Path) -> None:
    path.write_text(
        '[Game "corridor"]\n[Clock "0:30/5"]\n[Takebacks "yes"]\n\n'
        "1s e2 {0:12, 5:18 left}\n1n e8 {0:40, 4:50 left}\n2s {paused 0:07} "
    )
    again, _ = resume_from_file(path, HandClock())
    assert again.clock
    assert again.clock.reserves == (318, 290)
    assert again.elapsed == 7
    again.close()


def test_a_turn_that_is_over_in_an_open_line_takes_its_time_at_once(tmp_path: Path) -> None:
    path, now = tmp_path / "game.txt", HandClock()
    path.write_text('[Game "corridor"]\n[Clock "0:20/2"]\n\n1s e2 {0:35, 1:45 left} ')
    for _ in range(2):
        again, damage = resume_from_file(path, now)
        assert damage is None
        assert again.clock
        assert again.clock.reserves == (105, 120)
        again.close()


def test_a_last_line_of_another_turn_is_set_aside(path: Path) -> None:
    path.write_text('[Game "corridor"]\n\n1s e2 {0:05}\n1w {well played}\n')
    again, damage = resume_from_file(path)
    assert damage is not None
    assert damage.content == b"1w {well played}\n"
    again.enter("e8")
    again.close()
    assert len(replayed(path).turns) == 2
