"""Compiles kernels and test files once, before several test processes would each do it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from _pytest.assertion.rewrite import PYC_TAIL

from playing import HOUSE

SOURCE: Final = HOUSE / "src"
KERNELS: Final = [
    ".".join(path.relative_to(SOURCE).with_suffix("").parts)
    for path in sorted(SOURCE.rglob("kernel/[!_]*.py"))
]
"""The modules to compile, each in its own process after the modules that it needs."""
AHEAD: Final = """
import sys
sys.path.insert(0, "src")
from trine.core.compiled.ahead import compile_now
compile_now(sys.argv[1:])
"""
OPEN: Final = """
import sys
sys.path.insert(0, "src")
from trine.core.compiled.repetition import history_kernel
from trine.games import open_kernel
from trine.games import open_heuristics
from trine.engine.search.perft import open_loop
for name in sys.argv[1:]:
    open_heuristics(name)
    history_kernel(open_kernel(name))
    for in_bulk in (False, True):
        open_loop(open_kernel(name), in_bulk=in_bulk)
"""
"""A program that opens all parts of games that are compiled on demand."""
SHARES: Final = (("arimaa",), ("corridor", "tzaar"))
"""The games of each process that runs `OPEN`. Guess."""


READ: Final = ("-m", "pytest", "--collect-only", "-qq", "-n", "0", "-p", "no:cacheprovider")
"""Arguments that collect all tests, so that Python and pytest cache the bytecode of each file."""


def are_read() -> bool:
    """Return whether pytest's bytecode of most test files is cached."""

    def is_read(source: Path) -> bool:
        kept = source.parent / "__pycache__" / f"{source.stem}{PYC_TAIL}"
        return kept.exists() and kept.stat().st_mtime > source.stat().st_mtime

    sources = list((HOUSE / "tests").rglob("test_*.py"))
    return sum(map(is_read, sources)) > 0.9 * len(sources)


def warm_up() -> None:
    """Compile all kernels and, unless most are cached, all test files.

    If all is cached, this takes some seconds.
    """
    python = [sys.executable, "-W", "ignore"]
    interpreted = os.environ | {"NUMBA_DISABLE_JIT": "1"}  # compile no kernels while collecting
    running = []
    if not are_read():
        read = [*python, *READ]
        running += [subprocess.Popen(read, cwd=HOUSE, env=interpreted, stdout=subprocess.DEVNULL)]
    subprocess.run([*python, "-c", AHEAD, *KERNELS], cwd=HOUSE, check=False)
    opening = [subprocess.Popen([*python, "-c", OPEN, *share], cwd=HOUSE) for share in SHARES]
    for process in running:
        process.wait()  # errors in a file are reported by its tests
    failed = [process for process in opening if process.wait()]
    assert not failed, "the program OPEN has failed"
