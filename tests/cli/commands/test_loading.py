"""Whoever plays or analyzes one game waits for the modules of that game alone."""

import sys
from pathlib import Path

from playing import run_in
from trine.games import BUNDLED_GAMES, new_play

RUN = """
import atexit, sys

@atexit.register
def tell():
    print("modules:", *sys.modules)

"""
COMMANDS = """
import shlex
from trine.__main__ import main
for line in {lines}:
    sys.argv = ["trine", *shlex.split(line)]
    try:
        main()
    except SystemExit as end:
        assert not end.code, line
"""
POSITION = "2g r6r/8/8/3e4/3E4/8/8/R6R"


def modules_of(code: str, folder: Path) -> list[str]:
    done = run_in(folder, sys.executable, "-P", "-c", RUN + code, lines="aei\nnewgame\nquit\n")
    assert "modules:" in done.stdout and "Traceback" not in done.stderr, done.stderr
    return done.stdout.partition("modules:")[2].split()


def check_only_arimaa(modules: list[str]) -> None:
    others = tuple(f"trine.games.{name}" for name in BUNDLED_GAMES if name != "arimaa")
    assert "trine.games.arimaa" in modules
    assert not [name for name in modules if name.startswith(others)]


def test_a_room_is_opened_alone(tmp_path: Path) -> None:
    opened = "import trine\ntrine.open_room('arimaa')\ntrine.new_play('arimaa')"
    check_only_arimaa(modules_of(opened, tmp_path))


def test_commands_open_the_room_that_they_need(tmp_path: Path) -> None:
    play = new_play("arimaa", POSITION)
    start = play.room.rules.format_position(play.start)
    (tmp_path / "game.trine").write_text(
        f'[Game "arimaa"]\n[Rules "official"]\n[Start "{start}"]\n\n2g Ra1n\n2s rh8s\n'
    )
    lines = [
        "aei",
        f"analyze '{POSITION}' --nodes 10",
        "analyze game.trine --nodes 10",
        "review game.trine --nodes 1",
        "show game.trine",
    ]
    check_only_arimaa(modules_of(COMMANDS.format(lines=lines), tmp_path))
