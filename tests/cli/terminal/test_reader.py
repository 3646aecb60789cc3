"""Lines from a pipe, and from a real terminal."""

import io
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest

from playing import DUEL, replayed, resumed, start_trine, type_line, wait_for_line
from terminals import ESCAPES, end, spawn
from trine.cli.terminal.reader import PipeReader
from trine.core.contract.position import Outcome, Reason
from waiting import wait_until

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


def piped(monkeypatch: pytest.MonkeyPatch, content: bytes) -> PipeReader:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), "utf-8"))
    return PipeReader()


def test_a_line_from_a_pipe_is_shown_behind_its_prompt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reader = piped(monkeypatch, b"  a2n \r\nlast")
    assert [reader.read("2g> "), reader.read("2g> ", 5.0)] == ["a2n", "last"]
    with pytest.raises(EOFError):
        reader.read("2s> ")
    out = capsys.readouterr().out
    assert re.fullmatch(r"2g> +a2n *\r?\n2g> last\n2s> \n", out)


def test_bytes_that_are_no_text_spoil_their_own_line_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reader = piped(monkeypatch, b"one\n\xff\xfe\ntwo\nth\xffree\nfour")
    lines = []
    with pytest.raises(EOFError):
        while True:
            lines.append(reader.read("> "))
    assert len(lines) == 5
    assert [lines[0], lines[2], lines[4]] == ["one", "two", "four"]
    assert "\ufffd" in lines[1]


class Terminal:
    def __init__(self, folder: Path, *arguments: str, answers: bool = False) -> None:
        self.path = folder / "game.txt"
        # Else the terminal is asked where its cursor is, and waited for.
        asks = "" if answers else "1"
        self.child = spawn(folder, "play", *arguments, size=(40, 110), PROMPT_TOOLKIT_NO_CPR=asks)

    def type(self, words: str) -> None:
        self.child.send(words)

    def wait_for(self, words: str) -> str:
        """Wait until something is shown, and give all that was shown up to there."""
        self.child.expect(words)
        return ESCAPES.sub("", str(self.child.before) + str(self.child.after))

    def end(self) -> tuple[str, int | None]:
        return end(self.child)

    def wait_for_log(self, words: str) -> None:
        wait_until(lambda: self.path.exists() and words in self.path.read_text())


@contextmanager
def terminal(folder: Path, *options: str, answers: bool = False) -> Iterator[Terminal]:
    arguments = ["arimaa", "--log", str(folder / "game.txt"), "--position", DUEL, *options]
    playing = Terminal(folder, *arguments, answers=answers)
    try:
        yield playing
    finally:
        playing.child.close(force=True)


def test_steps_are_typed_and_the_board_is_shown_in_colour(tmp_path: Path) -> None:
    with terminal(tmp_path) as playing:
        playing.child.expect("2g>")
        assert "\x1b[" in playing.child.before
        playing.type("d4n\r")
        playing.wait_for("so far: Ed4n")
        playing.type("a2s\r")
        playing.wait_for("backward")
        playing.type("quit\r")
        words, code = playing.end()
    assert "trine resume" in words
    assert code == 0  # what was refused has been seen
    assert len(replayed(playing.path).open_actions) == 1


def test_tab_completes_what_can_be_one_action_only(tmp_path: Path) -> None:
    with terminal(tmp_path) as playing:
        playing.wait_for("2g>")
        playing.type("Cf\t\x15")  # no cat stands on f2: nothing happens; then the line is cleared
        playing.type("Ra2e\t\r")
        playing.wait_for("so far: Ra2e")
        playing.wait_for("2g>")
        playing.type("d4n d5n d6n e\t")
        playing.wait_for("nd")  # nothing else than the end was left
        playing.type("\r")
        playing.wait_for_log("Ed6n {")
        playing.type("quit\r")
        assert playing.end()[1] == 0


def test_tab_offers_legal_actions_and_no_others(tmp_path: Path) -> None:
    with terminal(tmp_path) as playing:
        playing.wait_for("2g>")
        playing.type("R\t\t")
        offered = playing.wait_for("Rh2n")
        playing.child.expect([pexpect.TIMEOUT, pexpect.EOF], timeout=0.3)  # nothing more comes
        offered += ESCAPES.sub("", str(playing.child.before))
        assert set(re.findall(r"R[a-h][1-8][nesw]", offered)) == {"Ra2n", "Ra2e", "Rh2n"}
        playing.type("\x03")
        playing.end()


def test_ctrl_c_exits_with_130_and_the_record_can_be_gone_on_with(tmp_path: Path) -> None:
    with terminal(tmp_path, "--clock", "5+3") as playing:
        playing.wait_for("2g>")
        playing.type("d4n\r")
        playing.wait_for_log("Ed4n ")
        playing.wait_for("so far")
        playing.type("a2n\x03")
        words, code = playing.end()
    assert code == 130
    assert "trine resume" in words
    assert "Traceback" not in words
    with resumed(playing.path) as (game, damage):
        assert damage is None
        assert [str(action) for action in game.play.open_actions] == ["Ed4n"]


def test_ctrl_d_breaks_off_too(tmp_path: Path) -> None:
    with terminal(tmp_path) as playing:
        playing.wait_for("2g>")
        playing.type("\x04")
        words, code = playing.end()
    assert code == 0
    assert "trine resume" in words


def test_a_clock_that_runs_out_while_typing_ends_the_game_by_time(tmp_path: Path) -> None:
    with terminal(tmp_path, "--clock", "2s/0") as playing:
        playing.wait_for("2g>")
        playing.type("d4n e")
        words, code = playing.end()
    assert "time is up" in words
    assert "Silver wins (time)" in words
    assert "type a step" not in words
    assert code == 0
    assert replayed(playing.path).outcome == Outcome(1, Reason.TIME)
    assert replayed(playing.path).turns == []


def test_the_clock_runs_in_the_toolbar(tmp_path: Path) -> None:
    with terminal(tmp_path, "--clock", "0/5", answers=True) as playing:
        playing.child.expect_exact("\x1b[6n")
        playing.type("\x1b[20;1R")
        playing.wait_for(r"clock: Gold 4:\d\d")
        playing.wait_for(r"\x1b\[0;7m\d+\x1b")  # only what has changed is drawn again
        playing.type("quit\r")
        playing.end()


def test_lines_typed_before_come_back(tmp_path: Path) -> None:
    with terminal(tmp_path) as playing:
        playing.wait_for("2g>")
        playing.type("d4n\r")
        playing.wait_for_log("Ed4n ")
        playing.type("undo\r")
        playing.wait_for_log("undo ")
        playing.type("\x1b[A\x1b[A\r")
        playing.wait_for_log("undo Ed4n ")
        playing.type("quit\r")
        playing.end()


def test_questions_are_asked_in_a_terminal(tmp_path: Path) -> None:
    asking = Terminal(tmp_path)
    for answer in ("arimaa", "diagonal", "people", "no", "", "Anna", "", "", ""):
        asking.wait_for(r"\]:")
        asking.type(f"{answer}\r")
    asking.wait_for("1g>")
    asking.type("quit\r")
    assert asking.end()[1] == 0
    (path,) = tmp_path.rglob("arimaa-*.txt")
    assert '[Gold "Anna"]' in path.read_text()


def test_ctrl_c_at_a_question_exits_with_130(tmp_path: Path) -> None:
    asking = Terminal(tmp_path)
    asking.wait_for(r"\]:")
    asking.type("\x03")
    assert asking.end()[1] == 130
    assert not list(tmp_path.rglob("*.txt"))


def test_an_interrupt_over_a_pipe_exits_with_130(tmp_path: Path, path: Path) -> None:
    with start_trine(tmp_path, "play", "arimaa", "--position", DUEL, "--log", path) as process:
        type_line(process, "d4n")
        wait_for_line(process, "so far: Ed4n")
        process.send_signal(signal.SIGINT)
        wait_for_line(process, "trine resume")
    assert process.returncode == 130
    assert len(replayed(path).open_actions) == 1
