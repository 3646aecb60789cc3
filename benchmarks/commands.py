"""Measures commands as users experience them: medians over whole processes.

    .venv/bin/python benchmarks/commands.py [ARCHIVE]

The first board is measured in a pseudo-terminal: from the start of the process to the last line of
the board. ARCHIVE is a file of the Arimaa server's archive, for the speed of converting.
"""

import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pexpect

TRINE = Path(__file__).resolve().parent.parent / "trine"
PYTHON = TRINE.parent / ".venv" / "bin" / "python"


def run(command: list[str]) -> float:
    """Return the seconds that a whole process takes."""
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - began


LAST_LINES = {
    "arimaa": "a  b  c  d  e  f  g  h.*a  b  c  d  e  f  g  h",
    "tzaar": "i1.*h1.*g1.*f1.*e1",
    "corridor": "a   b   c   d   e   f   g   h   i.*a   b   c   d   e   f   g   h   i",
}
"""Patterns of the end of each board."""


def first_board(command: list[str]) -> float:
    """Return the seconds until ``trine play GAME`` has drawn the first board."""
    began = time.perf_counter()
    child = pexpect.spawn(command[0], command[1:], dimensions=(40, 120), timeout=20)
    child.expect(re.compile(LAST_LINES[command[2]].encode(), re.DOTALL))
    took = time.perf_counter() - began
    child.close(force=True)
    return took


def median(measure: Callable[[list[str]], float], command: list[str], runs: int = 15) -> float:
    """Return the median over some runs, after two warm-up runs."""
    times = [measure(command) for _ in range(runs + 2)][2:]
    return statistics.median(times)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        version = median(run, [str(TRINE), "--version"])
        direct = median(run, [str(PYTHON), "-P", "-m", "trine", "--version"])
        print(f"trine --version             {version:6.3f} s")
        print(f"  of that, the start script {version - direct:6.3f} s")
        names = iter(range(1000))

        def play(command: list[str]) -> float:
            return first_board([*command, "--log", f"{folder}/{next(names)}.txt"])

        for game in LAST_LINES:
            took = median(play, [str(TRINE), "play", game])
            print(f"first board, {game:<15}{took:6.3f} s")
        for archive in sys.argv[1:]:
            games = len(Path(archive).read_text(encoding="utf-8").splitlines()) - 1
            convert = [str(TRINE), "convert", "--keep-illegal", archive, f"{folder}/out.txt"]
            began = time.perf_counter()
            subprocess.run(convert, check=False, capture_output=True)
            took = time.perf_counter() - began
            print(f"convert {games} games            {games / took:6.0f} games/s")


if __name__ == "__main__":
    main()
