"""Measures the seconds from nothing to a board, and to the first answer of level 8.

    .venv/bin/python benchmarks/stopwatch.py . dist/*.whl

Arguments are ``.``, for a clone of this checkout, and wheels of ``scripts/release``, each installed
in an environment of its own. Every command starts with an empty home folder, so without compiled
code. Prints wall seconds, and in brackets CPU seconds, which matter on a busy machine.
"""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

CHECKOUT = Path(__file__).resolve().parent.parent
UV = CHECKOUT / ".venv" / ".setup" / "bin" / "uv"
FIRST = {
    "arimaa": ("gold", "setup 99of9\n\n", "2s: Silver to move"),
    "tzaar": ("white", "", "1b: Black to move"),
    "corridor": ("south", "", "1n: North to move"),
}
"""By game: the option of the first player, the lines that its opponent types, and the output after
the first turn that is searched, for a second."""


def timed(*command: str | Path, home: Path, lines: str = "", needs: str = "") -> str:
    """Run a command in an empty home folder; return its wall and CPU seconds as text.

    Args: ``lines`` is the input; ``needs`` must be in the output.
    """
    home.mkdir()
    began, before = time.monotonic(), _processor()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    done = subprocess.run(
        command,
        cwd=home,
        env={**kept, "HOME": str(home), "LANG": "C.UTF-8"},
        input=lines,
        capture_output=True,
        text=True,
    )
    wall, processor = time.monotonic() - began, _processor() - before
    assert needs in done.stdout, done.stdout + done.stderr
    return f"{wall:.1f} ({processor:.1f})"


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def installed(wheel: str, place: Path) -> tuple[str, Path]:
    """Install a wheel or a clone; return the seconds, and the program."""
    if wheel != ".":
        script = (
            f'{UV} venv -q --python {sys.executable} "$0" && {UV} pip install -q --python "$0" "$1"'
        )
        command: Sequence[str | Path] = ("sh", "-ec", script, place, Path(wheel).resolve())
        return timed(*command, home=place.parent / "home"), place / "bin" / "trine"
    script = 'git clone -q "$1" "$0" && "$0/trine" --version'
    return timed("sh", "-ec", script, place, CHECKOUT, home=place.parent / "home"), place / "trine"


def main() -> None:
    """Print a table: a line for each way and game."""
    print(
        "| way | installed | game | first board | first answer of level 8 |\n|---|---|---|---|---|"
    )
    for way in sys.argv[1:]:
        with TemporaryDirectory() as folder:
            here = Path(folder)
            took, program = installed(way, here / "way")
            for game, (side, lines, said) in FIRST.items():
                play = (program, "play", game)
                board = timed(*play, home=here / f"{game}-board", needs="to move")
                against, home = (*play, f"--{side}", "bot:8"), here / f"{game}-answer"
                answer = timed(*against, home=home, lines=lines, needs=said)
                print(
                    f"| {Path(way).name or 'checkout'} | {took} | {game} | {board} | {answer} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
