"""Measures the kernel of Arimaa against the same algorithm in C, pyrimaa, and the aims.

    .venv/bin/python benchmarks/arimaa_kernel.py

Absolute times depend on the machine; the ratios less so. The C baseline is compiled here at two
optimization levels, and the faster one counts; it is skipped without a C compiler. CPU time is
measured, so that other work on the machine disturbs little; only compiling is measured by wall
time. docs/why/measuring.md has the figures of one machine.
"""

import ctypes
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from pyrimaa import board as pyrimaa

from timing import measure_compiling, seconds
from trine.engine.search.perft import open_loop
from trine.games.arimaa.compiled import KERNEL, to_row
from trine.games.arimaa.diagrams import parse_position
from trine.games.arimaa.kernel import layout
from trine.games.arimaa.kernel import rules as kernel
from trine.games.arimaa.kernel import sets as kernel_sets
from trine.games.arimaa.kernel.movegen import MAX_ACTIONS
from trine.games.arimaa.rules import RULE_SETS

MIDDLE = "2s 3rcr2/rR4mr/Dd1H2d1/3e4/2r2r1C/2rE3M/R1hr1hDH/1RCR1RRR"
OPENING = "2g rrrrrrrr/dhcemchd/8/8/8/8/DHCMECHD/RRRRRRRR"
SPARSE = "g [rr rrEr r   dcdr    chhr     M       e      m H RHDCDCR RR R RRR]"
BUSY = "s [r rcr rr  hC  r           rc  d m E   D rDde  h  RH  CHRRRR MRRR]"
PERFTS = (("opening", OPENING, 6), ("middle game", MIDDLE, 5), ("open board", SPARSE, 5))
TURNS = (("opening", OPENING, 3353, 0.7), ("middle game", BUSY, 33030, 11.0))
BASELINE = Path(__file__).with_name("arimaa_baseline.c")
OPTIMISATIONS = ("-O2", "-O3")
# --- the baseline in C ---------------------------------------------------------------------------


@contextmanager
def baselines() -> Iterator[list[ctypes.CDLL]]:
    """Yield the baseline compiled at each level, with the kernel's tables; none without C."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        yield []
        return
    with tempfile.TemporaryDirectory() as folder:
        libraries = []
        for optimisation in OPTIMISATIONS:
            made = Path(folder) / f"baseline{optimisation}.so"
            flags = (optimisation, "-march=native", "-shared", "-fPIC")
            subprocess.run([compiler, *flags, "-o", str(made), str(BASELINE)], check=True)
            libraries.append(load(made))
        yield libraries


def load(made: Path) -> ctypes.CDLL:
    library = ctypes.CDLL(str(made))
    tables = (
        kernel_sets.BESIDE_SQUARE,
        kernel_sets.REACH,
        layout.TARGET,
        layout.TARGET_BIT,
        layout.STEP_OVER,
        layout.PIECE_KEYS,
    )
    library.set_tables.argtypes = [ctypes.c_void_p] * len(tables) + [ctypes.c_uint64] * 2
    library.set_tables(
        *(table.ctypes.data for table in tables),
        int(layout.STIR_FIRST),
        int(layout.STIR_THEN),
    )
    for function in (library.perft, library.perft_in_bulk):
        function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
        function.restype = ctypes.c_int64
    return library


def perfts(libraries: list[ctypes.CDLL]) -> None:
    """Print the perft speeds of the kernel and of the baseline."""
    print("perft: million sequences a second (aim: 40, and 0.9 of C; in bulk for comparison only)")
    for rules in RULE_SETS.values():
        for name, text, depth in PERFTS:
            rows = np.zeros((depth + 1, layout.WORDS), np.uint64)
            buffers = np.zeros((depth + 1, MAX_ACTIONS), np.int32)
            to_row(parse_position(text, rules), rows[0])
            for kind in ("perft", "perft_in_bulk"):
                perft_line(f"{rules.name:9} {name:12} {kind:13}", kind, rows, buffers, libraries)


def perft_line(label: str, kind: str, rows: Any, buffers: Any, libraries: list[Any]) -> None:
    depth = len(rows) - 1
    ours = open_loop(KERNEL, in_bulk=kind == "perft_in_bulk")
    theirs = [getattr(library, kind) for library in libraries]
    found = ours(rows, 0, buffers, depth)
    places = (rows.ctypes.data, buffers.ctypes.data)
    for count in theirs:
        assert count(*places, depth) == found, "kernel and baseline disagree"
    took, *others = seconds(
        lambda: ours(rows, 0, buffers, depth),
        *((lambda count=count: count(*places, depth)) for count in theirs),
        clock=time.thread_time,
    )
    print(f"  {label} {found:>10,} {found / took / 1e6:7.1f}", end="")
    if others:
        print(f"   C {found / min(others) / 1e6:7.1f}   ratio {min(others) / took:.2f}", end="")
    print()


# --- whole turns ---------------------------------------------------------------------------------


def turns() -> None:
    """Print the times of the kernel and of pyrimaa to find all positions after a turn."""
    print("all distinct positions after a turn: ms")
    for name, text, expected, aim in TURNS:
        position = parse_position(text)
        row = np.zeros(layout.WORDS, np.uint64)
        to_row(position, row)
        size = 1 << (2 * expected).bit_length()
        boards = np.zeros((size // 2, kernel.BOARD_WORDS), np.uint64)
        table = np.zeros(size, np.uint64)
        assert kernel.turn_results(row, boards, table) == expected
        (took,) = seconds(
            lambda: kernel.turn_results(row, boards, table),  # noqa: B023
            clock=time.thread_time,
        )
        print(
            f"  {name:12} {expected:>7,} {took * 1000:8.3f}   aims {aim / 2}, at most {aim}", end=""
        )
        began = time.thread_time()
        assert turns_by_pyrimaa(text) == expected
        theirs = time.thread_time() - began
        print(f"   pyrimaa {theirs * 1000:8.1f}   ratio 1/{theirs / took:.0f}")


def turns_by_pyrimaa(text: str) -> int:
    position = parse_position(text)
    board = "".join(position.board[rank : rank + 8] for rank in range(56, -1, -8))
    colour = pyrimaa.Color.GOLD if position.mover == 0 else pyrimaa.Color.SILVER
    start = pyrimaa.parse_short_pos(colour, 4, f"[{board.replace('.', ' ')}]")
    return len(start.get_moves())


def main() -> None:
    with baselines() as libraries:
        if not libraries:
            print("no C compiler: no baseline")
        perfts(libraries)
    turns()
    measure_compiling("trine.games.arimaa.kernel.rules")


if __name__ == "__main__":
    main()
