"""Waits of tests for a condition: a long timeout costs nothing if the condition is met soon."""

import time
from collections.abc import Callable

PATIENCE = 180.0
"""Units: seconds; the timeout, for a machine under load."""


def wait_until(true: Callable[[], object]) -> None:
    """Wait until a condition is true."""
    late = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < late, "the condition was not met in time"
        time.sleep(0.02)
