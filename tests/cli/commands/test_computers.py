"""Playing against computer players from the command line."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest

from playing import DUEL, HOUSE, TRINE, environment, replayed, run_trine
from trine.core.compiled.ahead import compile_now
from trine.core.contract.outcome import Outcome, Reason
from trine.engine.players.readiness import thinking_modules
from trine.games import ROOMS

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

HOSTILE = HOUSE / "tests" / "hostile" / "wrong_engine.py"
PLAIN = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\r")


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compile the code of the games beforehand, so that no command waits for it too long."""
    for name in ROOMS:
        compile_now(thinking_modules(name))


def hostile(fault: str, game: str) -> str:
    return f'engine:{sys.executable} {HOSTILE} ugi "{fault}" {game}'


def moves(path: Path) -> int:
    return len(replayed(path).turns)


# --- over a pipe ---------------------------------------------------------------------------------


def test_a_script_plays_against_a_bot(tmp_path: Path) -> None:
    begin = ("play", "tzaar", "--setup", "fixed", "--black", "bot:1", "--log", "game.txt")
    done = run_trine(tmp_path, *begin, lines="d5c4\nundo\nmoves\nquit\n")
    assert "Black (computer, level 1) plays " in done.stdout
    assert "and thinks: " in done.stdout
    assert "\x1b" not in done.stdout
    assert '[Black "bot:1"]' in (tmp_path / "game.txt").read_text()
    assert moves(tmp_path / "game.txt") == 2


@pytest.mark.parametrize("players", ["2", "4"])
def test_bots_play_each_other_and_nothing_is_read(players: str, tmp_path: Path) -> None:
    seats = ["south", "west", "north", "east"] if players == "4" else ["south", "north"]
    options = [word for seat in seats for word in (f"--{seat}", "bot:1")]
    begin = ("play", "corridor", "--players", players, "--size", "5", *options, "--log", "game.txt")
    done = run_trine(tmp_path, *begin)
    assert (done.returncode, done.stderr) == (0, "")
    outcome = replayed(tmp_path / "game.txt").outcome
    assert outcome is not None
    assert f"({outcome.reason})" in done.stdout


def test_a_person_and_two_bots_play_at_three(tmp_path: Path) -> None:
    begin = ("play", "corridor/great-wall", "--players", "3", "--west", "bot:1", "--north", "bot:2")
    done = run_trine(tmp_path, *begin, "--log", "game.txt", lines="e1\nresign\n")
    assert done.returncode == 0
    play = replayed(tmp_path / "game.txt")
    assert play.turns[0].player == 0
    assert play.outcome is not None  # a goal, or both are trapped: a draw
    assert play.outcome.winner != 0
    assert {turn.player for turn in play.turns[4:]} == {1, 2}  # they played on without the person


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("bot:0", "the levels are 1 to 10"),
        ("bot:nobody", "nobody"),
        ("engine:", "no player"),
        ("engine:./absent-program", "absent-program"),
        ("ugi:", "no player"),
        (f"engine:{sys.executable} -c pass", "it has ended"),
    ],
)
def test_bad_words_are_named_before_the_game_begins(
    words: str, problem: str, tmp_path: Path
) -> None:
    done = run_trine(tmp_path, "play", "tzaar", "--black", words, "--log", "game.txt")
    assert done.returncode == 2
    assert problem in done.stderr
    assert not (tmp_path / "game.txt").exists()


@pytest.mark.parametrize(
    "option", [("--think", "0"), ("--think", "x"), ("--hash", "0"), ("--threads", "0")]
)
def test_bad_strength_is_refused(option: tuple[str, str], tmp_path: Path) -> None:
    done = run_trine(tmp_path, "play", "tzaar", "--black", "bot:1", *option)
    assert done.returncode == 2
    assert not list(tmp_path.rglob("*.txt"))


def test_a_hint_is_given_in_every_game(tmp_path: Path) -> None:
    for game in ("tzaar", "corridor", "arimaa"):
        position = ("--position", DUEL) if game == "arimaa" else ()
        begin = ("play", game, *position, "--think", "0.2", "--log", f"{game}.txt")
        done = run_trine(tmp_path, *begin, lines="hint\nquit\n")
        assert (done.returncode, done.stderr) == (0, "")
        (turn,) = re.findall(r"^hint: (.*?);", done.stdout, re.M)
        assert f"{{hint: {turn}}}" in (tmp_path / f"{game}.txt").read_text()
        assert re.search("^  expected: [12]", done.stdout, re.M)


@pytest.mark.parametrize("code", ["fr", "hu", "ru"])
def test_computers_speak_every_language(code: str, tmp_path: Path) -> None:
    begin = ("play", "corridor", "--north", "bot:1", "--think", "0.1", "--lang", code)
    done = run_trine(tmp_path, *begin, lines="e2\nhint\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")


# --- programs ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault", ["crash while thinking", "illegal move", "garbage instead of a move"]
)
def test_a_program_that_fails_forfeits(fault: str, tmp_path: Path) -> None:
    begin = ("play", "corridor", "--north", hostile(fault, "corridor"), "--log", "game.txt")
    done = run_trine(tmp_path, *begin, lines="e2\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "forfeits: " in done.stdout
    assert replayed(tmp_path / "game.txt").outcome == Outcome(0, Reason.FORFEIT)
    transcript = (tmp_path / "game.txt.forfeits").read_text()
    assert transcript.startswith("=== 1n, engine:")
    assert len(transcript.splitlines()) > 3


def test_a_program_plays_as_it_should(tmp_path: Path) -> None:
    words = hostile("chatter", "corridor")
    begin = ("play", "corridor", "--north", words, "--log", "game.txt")
    done = run_trine(tmp_path, *begin, lines="e2\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert moves(tmp_path / "game.txt") == 2


# --- going on ------------------------------------------------------------------------------------


def test_a_game_against_a_bot_goes_on_with_the_bot(tmp_path: Path) -> None:
    begin = ("play", "corridor", "--north", "bot:1", "--log", "game.txt")
    assert run_trine(tmp_path, *begin, lines="e2\nquit\n").returncode == 0
    done = run_trine(tmp_path, "resume", "game.txt", lines="a1h\nquit\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("North (computer, level 1) plays ") == 1
    assert moves(tmp_path / "game.txt") == 4


def test_a_bot_whose_turn_it_is_moves_at_once(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text('[Game "corridor"]\n[North "bot:1"]\n\n1s e2\n')
    assert run_trine(tmp_path, "resume", "game.txt", lines="quit\n").returncode == 0
    assert moves(tmp_path / "game.txt") == 2


def test_a_program_that_a_file_names_is_started_only_by_consent(tmp_path: Path) -> None:
    script = tmp_path / "evil.py"
    script.write_text("import pathlib; pathlib.Path('started').touch()\n")
    path = tmp_path / "game.txt"
    path.write_text(f'[Game "corridor"]\n[North "engine:{sys.executable} evil.py"]\n\n1s e2\n')
    content = path.read_bytes()
    done = run_trine(tmp_path, "resume", "game.txt", lines="quit\n")
    assert done.returncode == 2
    assert "evil.py" in done.stderr
    assert "--engines" in done.stderr
    assert not (tmp_path / "started").exists()
    assert path.read_bytes() == content
    asked = pexpect.spawn(
        TRINE[0],
        [*TRINE[1:], "resume", "game.txt"],
        cwd=str(tmp_path),
        env=environment(tmp_path / ".home"),
        encoding="utf-8",
        timeout=120,
    )
    asked.expect("evil.py; start them\\?")
    asked.sendline("n")
    asked.expect(pexpect.EOF)
    asked.close()
    assert asked.exitstatus == 130
    assert not (tmp_path / "started").exists()
    assert run_trine(tmp_path, "resume", "game.txt", "--engines").returncode == 2  # no engine
    assert (tmp_path / "started").exists()
    assert path.read_bytes() == content


def test_a_level_that_a_file_names_and_there_is_not_is_named(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text('[Game "corridor"]\n[North "bot:99"]\n\n1s e2\n')
    done = run_trine(tmp_path, "resume", "game.txt", lines="quit\n")
    assert done.returncode == 2
    assert "bot:99" in done.stderr


# --- at a terminal -------------------------------------------------------------------------------


BEGIN = """
from trine.cli.terminal import hints, readying, thinking
thinking.SOON = thinking.TOO_LATE = {soon}
hints.PATIENCE = readying.PATIENCE = 600.0  # on a busy machine nobody else answers
from trine.__main__ import main
main()
"""


@contextmanager
def at_a_terminal(
    folder: Path, *arguments: str, soon: float = 600.0
) -> Iterator[pexpect.spawn[str]]:
    """A game at a terminal, where a Ctrl-C within a time after another is soon after it."""
    child = pexpect.spawn(
        sys.executable,
        ["-c", BEGIN.format(soon=soon), "play", *arguments, "--log", "game.txt"],
        cwd=str(folder),
        env=environment(folder / ".home"),
        encoding="utf-8",
        timeout=120,
        dimensions=(50, 120),
    )
    try:
        yield child
    finally:
        child.close(force=True)


def test_a_live_line_tells_of_the_thinking_and_ctrl_c_makes_it_move(tmp_path: Path) -> None:
    arguments = ("corridor", "--north", "bot:10", "--think", "600")
    with at_a_terminal(tmp_path, *arguments) as child:
        child.expect("1s>")
        child.send("e2\r")
        child.expect("depth [0-9]+; .*; 1n .*")
        child.sendintr()
        child.expect(r"North \(computer, level 10\) plays")
        child.expect("2s>")
        child.send("quit\r")
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 0
    assert moves(tmp_path / "game.txt") == 2


def test_ctrl_c_a_moment_after_a_computer_has_moved_does_not_leave(tmp_path: Path) -> None:
    with at_a_terminal(tmp_path, "corridor", "--north", "bot:pathfinder") as child:
        for turn, wall in enumerate(("a1h", "c1h"), 1):
            child.expect(f"{turn}s>")
            child.send(f"{wall}\r")
            child.expect(f"{turn + 1}s>")
            child.sendintr()
            child.expect("the computer had finished already; another Ctrl-C leaves the game")
        child.expect("3s>")
        child.sendintr()
        child.expect("trine resume game.txt")
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 130
    assert moves(tmp_path / "game.txt") == 4


def test_ctrl_c_long_after_a_computer_has_moved_leaves(tmp_path: Path) -> None:
    with at_a_terminal(tmp_path, "corridor", "--south", "bot:1", soon=0.0) as child:
        child.expect("1n>")
        child.sendintr()
        child.expect("trine resume game.txt")
        assert "another Ctrl-C" not in str(child.before)


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
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 130
        assert "Traceback" not in PLAIN.sub("", str(child.before))
    assert moves(tmp_path / "game.txt") == 1


def test_ctrl_c_during_a_hint_gives_the_hint(tmp_path: Path) -> None:
    with at_a_terminal(tmp_path, "corridor", "--think", "600") as child:
        child.expect("1s>")
        child.send("hint\r")
        child.expect("depth [0-9]+; ")
        child.sendintr()
        child.expect("hint: ")
        child.expect("1s>")
        child.sendintr()
        child.expect("another Ctrl-C leaves")
        child.expect("1s>")
        child.send("quit\r")
        child.expect(pexpect.EOF)


def test_an_interrupt_over_a_pipe_quits_while_a_bot_thinks(tmp_path: Path) -> None:
    arguments = ("play", "corridor", "--south", "bot:10", "--think", "600", "--log", "game.txt")
    with subprocess.Popen(
        [*TRINE, *arguments],
        cwd=tmp_path,
        env=environment(tmp_path / ".home"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        for line in process.stdout:
            if "goal of North" in line:
                break
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
        assert process.wait(120) == 130
    assert "trine resume game.txt" in rest
