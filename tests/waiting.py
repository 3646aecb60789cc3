"""How long tests wait for something to be so: it costs nothing where it comes sooner."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 180.0
"""Units: seconds; the longest wait, on a machine that is busy with much else."""


def wait_until(true: Callable[[], object]) -> None:
    """Wait until something is so."""
    late = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < late, "it has not come to be so"
        time.sleep(0.02)
