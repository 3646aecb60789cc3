"""Making ready once what tests need, before they start in several processes that would do it each."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Final

from playing import HOUSE

COMPILE: Final = """
import sys
sys.path.insert(0, "src")
from trine.batch.moves import open_moves
from trine.engine import bot
from trine.games import open_kernel
from trine.games import open_heuristics
from trine.search.perft import perft
from trine.search.perft import perft_in_bulk
for name in sys.argv[1:]:
    for door in (open_kernel, open_heuristics, open_moves):
        door(name)
    for loop in (perft, perft_in_bulk):
        loop(open_kernel(name))
"""
SHARES: Final = (("arimaa",), ("corridor", "tzaar"))
"""The games that each process compiles; both take about as long. Guess."""


READ: Final = ("-m", "pytest", "--collect-only", "-qq", "-n", "0", "-p", "no:cacheprovider")
"""Looking for all tests, for which Python and pytest translate each source once, and keep it."""


def warm_up() -> None:
    """Compile the kernels of all games and the search, and read all sources.

    What is kept already takes some seconds.
    """
    program = [sys.executable, "-W", "ignore"]
    interpreted = os.environ | {"NUMBA_DISABLE_JIT": "1"}  # or it would compile the kernels, too
    reading = subprocess.Popen(
        [*program, *READ], cwd=HOUSE, env=interpreted, stdout=subprocess.DEVNULL
    )
    compiling = [subprocess.Popen([*program, "-c", COMPILE, *share], cwd=HOUSE) for share in SHARES]
    for process in (reading, *compiling):
        process.wait()  # whatever is wrong with a source, its tests tell
