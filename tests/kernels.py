"""The parts that tests of the kernels share: rows, lists of actions, chance, another Python."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

from playing import HOUSE
from trine.core.contract.outcome import Outcome
from trine.core.contract.score import DRAW, ONGOING
from trine.engine.search.perft import perft, perft_in_bulk
from trine.games import open_kernel

Row = NDArray[np.uint64]
Rows = NDArray[np.uint64]
Numbers = NDArray[np.int32]

GARBAGE: Final = np.uint64(0xDEAD_BEEF_DEAD_BEEF)
"""The contents of rows before they are written to: they must not matter."""
MOST_SEQUENCES: Final = 2_000 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 20_000_000
"""Units: action sequences. What is counted at most; the rest stands in ``benchmarks``."""


OTHERWISE: Final = pytest.mark.parametrize(
    "setting",
    [
        pytest.param(setting, marks=pytest.mark.nightly)
        for setting in ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK")
    ],
)
"""The other ways to run a kernel. Interpreted code, too, goes past the end of no array; compiling
once more with checks takes a minute a game, interpreted tests take ten seconds each."""


def plays(usual: int) -> int:
    """The number of plays of each rule set that are compared: ``TRINE_PLAYS``, or as usual."""
    return int(os.environ.get("TRINE_PLAYS", usual))


def new_rows(kernel: Any, plies: int = 0) -> Rows:
    """Rows for some plies, and one more."""
    return np.full((plies + 1, kernel.WORDS), GARBAGE, np.uint64)


def new_buffers(kernel: Any, plies: int = 0) -> Numbers:
    """Buffers for the actions of some plies, and one more."""
    return np.zeros((plies + 1, kernel.MAX_ACTIONS), np.int32)


def as_result(outcome: Outcome | None) -> int:
    """The outcome in the words of kernels."""
    if outcome is None:
        return ONGOING
    return DRAW if outcome.winner is None else outcome.winner


def actions_in(kernel: Any, row: Row) -> list[int]:
    """The actions of a kernel; asserts that none comes twice, and that they are counted alike."""
    out = np.full(kernel.MAX_ACTIONS + 8, -7, np.int32)
    total = kernel.generate(row, out)
    assert 0 <= total <= kernel.MAX_ACTIONS
    assert (out[total:] == -7).all(), "written past the end"
    actions = [int(action) for action in out[:total]]
    assert len(set(actions)) == total == kernel.count_actions(row)
    return actions


def assert_counts(kernel: Any, row: Row, counts: Sequence[int]) -> None:
    """So many sequences of no action, one, two and more: as far as that takes no minutes."""
    rows, buffers = new_rows(kernel, len(counts)), new_buffers(kernel, len(counts))
    rows[0, : row.size] = row
    doors = open_kernel(kernel.__name__.split(".")[2])
    for depth, count in enumerate(counts):
        if count <= MOST_SEQUENCES:
            assert perft(doors)(rows, 0, buffers, depth) == count
            assert perft_in_bulk(doors)(rows, 0, buffers, depth) == count


def python(*arguments: str, **variables: str) -> tuple[int, str]:
    """The exit and the words of another Python; Numba looks at its settings once in a process."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=HOUSE,
        env={**os.environ, "PYTHONPATH": "src:tests", **variables},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def assert_passes_again(file: str, choice: str, *arguments: str, **variables: str) -> None:
    """Some tests of a file pass in another Python."""
    status, said = python(
        *("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", choice, *arguments, file),
        **variables,
    )
    assert status == 0 and " passed" in said, said


def assert_index_is_checked(words: str, **variables: str) -> None:
    """A program that goes past the end of an array is told so, so that the runs above could fail."""
    status, said = python("-c", words, **variables)
    assert status != 0 and "IndexError" in said, said
