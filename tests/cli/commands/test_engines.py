"""`trine aei` and `trine ugi`, as programs."""

from pathlib import Path

from playing import run_trine, start_trine, type_line
from trine import __version__
from waiting import PATIENCE


def test_the_handshake_is_quick_and_compiles_nothing(tmp_path: Path) -> None:
    for command, first, last in (
        ("aei", "protocol-version 1", "aeiok"),
        ("ugi", "id name", "ugiok"),
    ):
        done = run_trine(
            tmp_path, command, lines=f"{command}\nquit\n", XDG_CACHE_HOME=str(tmp_path / "empty")
        )
        lines = done.stdout.splitlines()
        assert lines[0].startswith(first) and lines[-1] == last
        assert done.returncode == 0 and not done.stderr
    assert not (tmp_path / "empty").exists()


def test_a_game_with_our_own_bot(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    options = ("--hash", "4", "--level", "2", "--log", log)
    with start_trine(tmp_path, "ugi", "tzaar/open", *options) as engine:

        def ask(line: str, begins: str) -> str:
            assert engine.stdout
            type_line(engine, line)
            return next(said for said in engine.stdout if said.startswith(begins)).strip()

        assert ask("ugi", "option name Rules") == "option name Rules type string default open"
        assert ask("isready", "readyok") == "readyok"
        moves = ""
        for _ in range(3):
            move = ask(f"position startpos{moves}\ngo movetime 500", "bestmove").split()[1]
            assert move.count(",") == 1
            moves += f" {move}" if moves else f" moves {move}"
        ask(f"position startpos{moves}\nsetoption name Level value 10\nisready", "readyok")
        assert ask("go infinite\nstop", "bestmove")
        type_line(engine, "go infinite\nquit")
        assert engine.wait(PATIENCE) == 0
    assert "> go infinite" in log.read_text() and "< bestmove" in log.read_text()


def test_the_end_of_the_input_ends_it_while_it_thinks(tmp_path: Path) -> None:
    run_trine(tmp_path, "ugi", "tzaar", lines="isready\ngo infinite\n")


def test_what_aei_does_not_know_exits_with_1(tmp_path: Path) -> None:
    done = run_trine(tmp_path, "aei", lines="aei\nhello\nisready\n", status=1)
    assert done.stdout.splitlines()[-1] == "log Error: unknown message 'hello'"


def test_bytes_that_are_no_text_are_answered(tmp_path: Path) -> None:
    done = run_trine(tmp_path, "ugi", lines=b"\xff\xfe\nquery p1turn\r\nquit\n")
    assert done.stdout.splitlines()[-1] == "response true"


def test_the_version_is_told(tmp_path: Path) -> None:
    assert f"id version {__version__}" in run_trine(tmp_path, "aei", lines="aei\n").stdout
