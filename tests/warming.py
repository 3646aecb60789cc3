"""Compiling what tests need once, before they start in several processes that would do it each."""

from __future__ import annotations

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


def warm_up() -> None:
    """Compile the kernels of all games and the search; what is kept already takes a second."""
    program = [sys.executable, "-W", "ignore", "-c", COMPILE]
    for process in [subprocess.Popen([*program, *share], cwd=HOUSE) for share in SHARES]:
        process.wait()  # whatever is wrong with a kernel, its tests tell
