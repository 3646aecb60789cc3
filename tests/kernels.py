"""Helpers for tests of the kernels: rows, lists of actions, and runs in another Python process."""

import os
import sys
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

from capturing import captured
from playing import HOUSE
from trine.core.contract.heuristics import Heuristics
from trine.core.contract.position import Outcome
from trine.core.contract.score import DRAW, ONGOING
from trine.engine.search.perft import open_loop
from trine.games import open_kernel

Row = NDArray[np.uint64]
Rows = NDArray[np.uint64]
Numbers = NDArray[np.int32]

GARBAGE: Final = np.uint64(0xDEAD_BEEF_DEAD_BEEF)
"""The content of rows before they are written, which must have no effect."""
MOST_SEQUENCES: Final = 2_000 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 20_000_000
"""Units: action sequences; greater perft counts are checked in ``benchmarks`` only."""


OTHERWISE: Final = pytest.mark.parametrize(
    "setting",
    [
        pytest.param(setting, marks=pytest.mark.nightly)
        for setting in ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK")
    ],
)
"""Other modes of kernels; both detect an index past the end of an array. Compiling with checks takes
a minute a game, interpreted tests take ten seconds each."""


def plays(usual: int) -> int:
    """Return the number of plays to compare for each rule set: ``TRINE_PLAYS``, or the default."""
    return int(os.environ.get("TRINE_PLAYS", usual))


def new_rows(kernel: Any, plies: int = 0) -> Rows:
    """Return rows for some plies, and one more."""
    return np.full((plies + 1, kernel.WORDS), GARBAGE, np.uint64)


def as_result(outcome: Outcome | None) -> int:
    if outcome is None:
        return ONGOING
    return DRAW if outcome.winner is None else outcome.winner


def actions_in(kernel: Any, row: Row) -> list[int]:
    """Return a kernel's actions; assert that they are distinct, and that `count_actions` agrees."""
    out = np.full(kernel.MAX_ACTIONS + 8, -7, np.int32)
    total = kernel.generate(row, out)
    assert 0 <= total <= kernel.MAX_ACTIONS
    assert (out[total:] == -7).all(), "written past the end"
    actions = [int(action) for action in out[:total]]
    assert len(set(actions)) == total == kernel.count_actions(row)
    return actions


def active_inputs(heuristics: Heuristics, row: Row) -> set[int]:
    """Return the numbers of the inputs that a net sees as set."""
    inputs = heuristics.net
    assert inputs is not None
    words = np.full((len(inputs.mirrored) + 63) // 64, GARBAGE, np.uint64)
    inputs.write_active(row, words)
    return set(np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little")).tolist())


def assert_counts(game: str, row: Row, counts: Sequence[int]) -> None:
    """Assert perft counts by depth, from 0; counts above `MOST_SEQUENCES` are skipped."""
    kernel, plies = open_kernel(game), len(counts) + 1
    rows = np.full((plies, row.size), GARBAGE, np.uint64)
    buffers = np.zeros((plies, kernel.max_actions), np.int32)
    rows[0] = row
    for depth, count in enumerate(counts):
        if count <= MOST_SEQUENCES:
            assert open_loop(kernel, in_bulk=False)(rows, 0, buffers, depth) == count
            assert open_loop(kernel, in_bulk=True)(rows, 0, buffers, depth) == count


def python(*arguments: str, **variables: str) -> tuple[int, str]:
    """Run another Python, since Numba reads its settings once a process; return status and output."""
    done = captured(
        sys.executable,
        *arguments,
        cwd=HOUSE,
        env={**os.environ, "PYTHONPATH": "src:tests", **variables},
    )
    return done.returncode, done.stdout + done.stderr


def assert_passes_again(file: str, choice: str, *arguments: str, **variables: str) -> None:
    """Assert that some tests of a file pass in another Python process."""
    status, said = python(
        *("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", choice, *arguments, file),
        **variables,
    )
    assert status == 0 and " passed" in said, said
