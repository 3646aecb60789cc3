"""Measures the time until an engine's first move, and its memory.

    .venv/bin/python benchmarks/engines.py [--runs N]

The first move is measured in whole processes with compiled code in the cache: from the start of
`trine ugi GAME` to `bestmove`, minus the time to think. Memory is the resident memory of a process
after a turn with a hash table of a size, minus that with the smallest table.
"""

import argparse
import statistics
import subprocess
import time
from pathlib import Path

from trine.games import ROOMS

TRINE = Path(__file__).resolve().parent.parent / "trine"
SECONDS = 0.5
"""Units: seconds."""
HASH_SIZES = (64, 512, 2048)
"""Units: MiB."""
SEARCHED = "tzaar"
"""A game whose first turn needs a search."""
MIB = 1024


class Engine:
    """A running `trine ugi`."""

    def __init__(self, game: str, *options: str) -> None:
        self.began = time.perf_counter()
        self.process = subprocess.Popen(
            [str(TRINE), "ugi", game, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def send(self, *lines: str) -> None:
        assert self.process.stdin
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def wait_for(self, word: str) -> None:
        """Read until a line begins with a word."""
        assert self.process.stdout
        for line in self.process.stdout:
            if line.startswith(word):
                return
        raise SystemExit(f"the engine never sent {word}")

    def resident(self) -> float:
        """Return the resident memory of the process, in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return float(status.split("VmRSS:")[1].split()[0]) / MIB

    def quit(self) -> None:
        self.send("quit")
        self.process.wait()


def first_move(game: str) -> float:
    """Return the seconds until the first move, minus the time to think."""
    engine = Engine(game)
    engine.send(
        "ugi",
        "isready",
        "uginewgame",
        "position startpos",
        f"go movetime {1000 * SECONDS:.0f}",
    )
    engine.wait_for("bestmove")
    took = time.perf_counter() - engine.began
    engine.quit()
    return took - SECONDS


def memory(megabytes: int) -> float:
    """Return the resident memory after a turn with a hash table of a size, in MiB."""
    engine = Engine(SEARCHED, "--hash", str(megabytes))
    engine.send("ugi", "isready")
    engine.wait_for("readyok")
    engine.send("uginewgame", "position startpos", "go movetime 100")
    engine.wait_for("bestmove")
    engine.send("uginewgame", "position startpos", "go movetime 100")  # clears the whole table
    engine.wait_for("bestmove")
    held = engine.resident()
    engine.quit()
    return held


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    for game in ROOMS:
        first_move(game)  # compiles, if need be
        times = [first_move(game) for _ in range(runs)]
        print(
            f"{game:10} first move {statistics.median(times):.2f} s besides thinking "
            f"({min(times):.2f} to {max(times):.2f})"
        )
    least = memory(1)
    print(f"{SEARCHED:10} {least:.0f} MiB with --hash 1")
    for size in HASH_SIZES:
        print(f"{'':10} {memory(size) - least + 1:.0f} MiB more with --hash {size}")


if __name__ == "__main__":
    main()
