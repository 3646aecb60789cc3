"""Playing against computer players from the command line."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest

from playing import DUEL, replayed, run_trine, start_trine, wait_for_line
from terminals import end, spawn
from trine.core.compiled.ahead import compile_now
from trine.engine.players.player import thinking_modules
from trine.games import ROOMS
from waiting import PATIENCE

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compile the code of the games beforehand, so that no command waits for it too long."""
    for name in ROOMS:
        compile_now(thinking_modules(name))


def moves(path: Path) -> int:
    return len(replayed(path).turns)


def test_a_script_plays_against_a_bot(tmp_path: Path) -> None:
    begin = ("play", "tzaar", "--setup", "fixed", "--black", "bot:1", "--log", "game.txt")
    done = run_trine(tmp_path, *begin, lines="d5c4\nundo\nmoves\nquit\n", status=1)
    assert "Black (computer, level 1) plays " in done.stdout
    assert "and thinks: " in done.stdout
    assert "\x1b" not in done.stdout
    assert '[Black "bot:1"]' in (tmp_path / "game.txt").read_text()
    assert moves(tmp_path / "game.txt") == 2


def test_a_hint_is_given_in_every_game(tmp_path: Path) -> None:
    for game in ("tzaar", "corridor", "arimaa"):
        position = ("--position", DUEL) if game == "arimaa" else ()
        begin = ("play", game, *position, "--think", "0.05", "--log", f"{game}.txt")
        done = run_trine(tmp_path, *begin, lines="hint\nquit\n")
        assert done.stderr == ""
        (turn,) = re.findall(r"^hint: (.*?);", done.stdout, re.M)
        assert f"{{hint: {turn}}}" in (tmp_path / f"{game}.txt").read_text()
        assert re.search("^  expected: [12]", done.stdout, re.M)


def test_a_program_that_a_file_names_is_started_only_by_consent(tmp_path: Path, path: Path) -> None:
    script = tmp_path / "evil.py"
    script.write_text("import pathlib; pathlib.Path('started').touch()\n")
    path.write_text(f'[Game "corridor"]\n[North "engine:{sys.executable} evil.py"]\n\n1s e2\n')
    content = path.read_bytes()
    done = run_trine(tmp_path, "resume", "game.txt", lines="quit\n", status=2)
    assert "evil.py" in done.stderr
    assert "--engines" in done.stderr
    assert not (tmp_path / "started").exists()
    assert path.read_bytes() == content
    asked = spawn(tmp_path, "resume", "game.txt")
    asked.expect("evil.py; start them\\?")
    asked.sendline("n")
    assert end(asked)[1] == 130
    assert not (tmp_path / "started").exists()
    run_trine(tmp_path, "resume", "game.txt", "--engines", status=2)  # no engine
    assert (tmp_path / "started").exists()
    assert path.read_bytes() == content


def test_a_level_that_a_file_names_and_there_is_not_is_named(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text('[Game "corridor"]\n[North "bot:99"]\n\n1s e2\n')
    done = run_trine(tmp_path, "resume", "game.txt", lines="quit\n", status=2)
    assert "bot:99" in done.stderr


BEGIN = """
from trine.cli.terminal import opponents, thinking
thinking.DOUBLE_PRESS_WINDOW, thinking.LATE_PRESS_WINDOW = {soon}, 600.0
opponents.READY_TIMEOUT = 600.0  # on a busy machine nobody else answers
from trine.__main__ import main
main()
"""


@contextmanager
def at_a_terminal(
    folder: Path, *arguments: str, soon: float = 600.0
) -> Iterator[pexpect.spawn[str]]:
    """A game at a terminal, where a Ctrl-C within a time after another is soon after it."""
    arguments = ("play", *arguments, "--log", "game.txt")
    child = spawn(folder, *arguments, python=("-c", BEGIN.format(soon=soon)), size=(50, 120))
    try:
        yield child
    finally:
        child.close(force=True)


def test_a_live_line_tells_of_the_thinking_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    """With a hint or a turn; where nobody thinks, it asks for another one."""
    arguments = ("corridor", "--north", "bot:10", "--think", "600")
    with at_a_terminal(tmp_path, *arguments, soon=0.0) as child:
        child.expect("1s>")
        child.send("hint\r")
        child.expect("depth [0-9]+; ")
        child.sendintr()
        child.expect("hint: ")
        child.expect("1s>")
        child.sendintr()
        child.expect("another Ctrl-C leaves")
        child.expect("1s>")
        child.send("e2\r")
        child.expect("depth [0-9]+; .*; 1n .*")
        child.sendintr()
        child.expect(r"North \(computer, level 10\) plays")
        child.expect("2s>")
        child.send("quit\r")
        assert end(child)[1] == 0
    assert moves(tmp_path / "game.txt") == 2


def test_ctrl_c_twice_quits_and_the_game_can_be_gone_on_with(tmp_path: Path) -> None:
    arguments = ("corridor", "--south", "bot:10", "--north", "bot:10", "--think", "600")
    with at_a_terminal(tmp_path, *arguments) as child:
        child.expect("depth [0-9]+; ")
        child.sendintr()
        child.expect(r"South \(computer, level 10\) plays")
        # What is typed before the next one thinks is forgotten.
        child.expect(r"North \(computer, level 10\)(:| is thinking)")
        child.sendintr()
        child.expect("trine resume game.txt")
        words, code = end(child)
        assert code == 130
        assert "Traceback" not in words
    assert moves(tmp_path / "game.txt") == 1


def test_an_interrupt_over_a_pipe_quits_while_a_bot_thinks(tmp_path: Path) -> None:
    arguments = ("play", "corridor", "--south", "bot:10", "--think", "600", "--log", "game.txt")
    with start_trine(tmp_path, *arguments) as process:
        wait_for_line(process, "goal of North")
        process.send_signal(signal.SIGINT)
        wait_for_line(process, "trine resume game.txt")
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
