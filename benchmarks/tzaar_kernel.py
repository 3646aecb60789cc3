"""Measures the kernel of TZAAR: medians of several runs, beside the aims.

    .venv/bin/python benchmarks/tzaar_kernel.py [--deep]

`--deep` also plays every one of the 1,557,472,755 sequences of five actions: some 20 seconds. If
there is a C compiler, the same loop in plain C (tzaar_kernel.c) runs in turns with ours.
"""

import ctypes
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np

from timing import RUNS, measure_compiling, seconds
from trine.core.compiled.arrays import Buffer, Row
from trine.engine.search.perft import open_loop
from trine.games.tzaar.compiled import KERNEL, to_row
from trine.games.tzaar.diagrams import parse_position
from trine.games.tzaar.kernel import layout, rules
from trine.games.tzaar.kernel import layout as kernel_lines
from trine.games.tzaar.position import Position
from trine.games.tzaar.starts import start

MAX_PLIES = 60 + 2 * 60
"""The longest play: placements, then turns of two actions that each take a stack."""

CALLS = 200_000
MIDDLE = "official .Z.T./.t..Y./T..z.y./Y2.t..T.t/..TZ*.y.T/t.Y3..z.y/.T.t..Y/z.t.T./.Y3t.Z white 2"
COUNTS = [
    (
        "fixed start, official",
        start("official", {}),
        [42, 1_797, 260_556, 11_010_135, 1_557_472_755],
    ),
    ("fixed start, open", start("open", {}), [42, 6_315, 263_319, 37_441_218, 1_579_144_644]),
    ("empty board", start("open", {"Setup": "placement"}), [180, 31_860, 5_543_640]),
]
"""Perft counts that other programs found."""
C_SOURCE = Path(__file__).with_suffix(".c")


def arrays(position: Position) -> tuple[Row, Buffer]:
    """Return rows that begin with a position, and buffers for a whole play."""
    rows = np.zeros((MAX_PLIES + 1, layout.WORDS), np.uint64)
    to_row(position, rows[0])
    return rows, np.zeros((MAX_PLIES + 1, rules.MAX_ACTIONS), np.int32)


# --- loops that Python would be too slow for -----------------------------------------------------


@numba.njit(nogil=True)
def generate_often(row, out, calls):  # type: ignore[no-untyped-def]
    total = 0
    for call in range(calls):
        row[layout.KEY] = call  # keeps the compiler from merging equal calls
        total += rules.generate(row, out)
    return total


@numba.njit(nogil=True)
def count_often(row, out, calls):  # type: ignore[no-untyped-def]
    total = 0
    for call in range(calls):
        row[layout.KEY] = call
        total += rules.captures(row, 0) + rules.captures(row, 1)
        out[0] = total & 1
    return total


# --- measurements --------------------------------------------------------------------------------


def measure_counting(deep: bool) -> None:
    for name, position, counts in COUNTS:
        rows, buffers = arrays(position)
        for depth, expected in enumerate(counts, start=1):
            ways = [("in bulk", open_loop(KERNEL, in_bulk=True))]
            if deep or expected < 100_000_000:
                ways.append(("played", open_loop(KERNEL, in_bulk=False)))
            for way, count in ways:
                runs = 1 if expected > 100_000_000 else RUNS
                (took,) = seconds(lambda: count(rows, 0, buffers, depth), runs=runs)  # noqa: B023
                assert count(rows, 0, buffers, depth) == expected, (name, depth, way)
                if expected > 100_000:
                    aim = "   aim 20" if way == "played" else ""
                    print(
                        f"{name:<22} {expected:>13,} {way:<8} {took:8.4f} s "
                        f"{expected / took / 1e6:9.1f} million a second{aim}"
                    )


def c_perft(folder: Path) -> Callable[[Row, Buffer, int], int] | None:
    """Return perft in C, or None without a compiler."""
    compiler = shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        return None
    built = folder / "tzaar_kernel.so"
    flags = ("-O3", "-march=native", "-shared", "-fPIC")
    subprocess.run([compiler, *flags, str(C_SOURCE), "-o", str(built)], check=True)
    library = ctypes.CDLL(str(built))
    library.perft.restype = ctypes.c_int64
    tables = (
        kernel_lines.POINT_AT,
        kernel_lines.BIT_OF,
        kernel_lines.NOT_HIGHEST,
        layout.PIECE_KEYS,
        layout.BELOW_KEYS,
        layout.STATE_KEYS,
        layout.NEXT_STATE,
    )
    library.use_tables(
        *(ctypes.c_void_p(np.ascontiguousarray(table).ctypes.data) for table in tables)
    )

    def perft(rows: Row, buffers: Buffer, depth: int) -> int:
        row, buffer = ctypes.c_void_p(rows.ctypes.data), ctypes.c_void_p(buffers.ctypes.data)
        return int(library.perft(row, buffer, ctypes.c_int64(depth)))

    return perft


def compare_with_c() -> None:
    with tempfile.TemporaryDirectory() as folder:
        theirs = c_perft(Path(folder))
        if theirs is None:
            print("no C compiler: not compared with C")
            return
        for name, position, depth in (
            ("fixed start, official", COUNTS[0][1], 4),
            ("middle game", parse_position(MIDDLE), 4),
        ):
            rows, buffers = arrays(position)
            count = open_loop(KERNEL, in_bulk=False)(rows, 0, buffers, depth)
            assert theirs(rows, buffers, depth) == count
            took, took_c = seconds(
                lambda: open_loop(KERNEL, in_bulk=False)(rows, 0, buffers, depth),  # noqa: B023
                lambda: theirs(rows, buffers, depth),  # noqa: B023
            )
            print(
                f"{name:<22} {count / took / 1e6:6.1f} million played a second, C "
                f"{count / took_c / 1e6:6.1f}: {took_c / took:.2f} of C"
            )


def measure_parts() -> None:
    for name, position in (
        ("fixed start", start("open", {})),
        ("middle game", parse_position(MIDDLE)),
    ):
        rows, buffers = arrays(position)
        row, out = rows[0], buffers[0]
        listing, counting = seconds(
            lambda: generate_often(row, out, CALLS),  # noqa: B023
            lambda: count_often(row, out, CALLS),  # noqa: B023
        )
        referee, _ = seconds(position.legal_actions, lambda: None, runs=300)
        print(
            f"{name}: {rules.count_actions(row)} legal actions listed in "
            f"{listing / CALLS * 1e9:.0f} ns (the referee: {referee * 1e9:,.0f}), captures of both "
            f"sides counted in {counting / CALLS * 1e9:.0f} ns"
        )


def main() -> None:
    measure_compiling("trine.games.tzaar.kernel.rules")
    measure_counting("--deep" in sys.argv[1:])
    compare_with_c()
    measure_parts()


if __name__ == "__main__":
    main()
