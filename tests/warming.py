"""Making ready once what tests need, before they start in several processes that would do it each."""

from __future__ import annotations

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
"""The modules that can be compiled in a process each, once those are that they need."""
AHEAD: Final = """
import sys
sys.path.insert(0, "src")
from trine.core.compiled.ahead import compile_now
compile_now(sys.argv[1:])
"""
OPEN: Final = """
import sys
sys.path.insert(0, "src")
from trine.engine.batch.batch import open_moves
from trine.games import open_kernel
from trine.games import open_heuristics
from trine.engine.search.perft import perft
from trine.engine.search.perft import perft_in_bulk
for name in sys.argv[1:]:
    for door in (open_kernel, open_heuristics, open_moves):
        door(name)
    for loop in (perft, perft_in_bulk):
        loop(open_kernel(name))
"""
"""Opening all of a game that is compiled when it is asked for."""
SHARES: Final = (("arimaa",), ("corridor", "tzaar"))
"""The games of each process. Guess."""
OTHERS: Final = """
import sys
sys.path.insert(0, "src")
import trine.engine.batch.kernel
"""


READ: Final = ("-m", "pytest", "--collect-only", "-qq", "-n", "0", "-p", "no:cacheprovider")
"""Looking for all tests, for which Python and pytest translate each source once, and keep it."""


def are_read() -> bool:
    """Whether of most tests there is already what pytest has translated of them."""

    def is_read(source: Path) -> bool:
        kept = source.parent / "__pycache__" / f"{source.stem}{PYC_TAIL}"
        return kept.exists() and kept.stat().st_mtime > source.stat().st_mtime

    sources = list((HOUSE / "tests").rglob("test_*.py"))
    return sum(map(is_read, sources)) > 0.9 * len(sources)


def warm_up() -> None:
    """Compile all kernels, and read all sources unless most are read.

    What is kept already takes some seconds.
    """
    python = [sys.executable, "-W", "ignore"]
    interpreted = os.environ | {"NUMBA_DISABLE_JIT": "1"}  # or it would compile the kernels, too
    running = []
    if not are_read():
        read = [*python, *READ]
        running += [subprocess.Popen(read, cwd=HOUSE, env=interpreted, stdout=subprocess.DEVNULL)]
    subprocess.run([*python, "-c", AHEAD, *KERNELS], cwd=HOUSE, check=False)
    programs = [("-c", OTHERS), *(("-c", OPEN, *share) for share in SHARES)]
    running += [subprocess.Popen([*python, *program], cwd=HOUSE) for program in programs]
    for process in running:
        process.wait()  # whatever is wrong with a source, its tests tell
