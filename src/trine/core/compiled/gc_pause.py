"""Loading much code: while it goes on, nothing is looked through for garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Iterator[None]:
    """Have no garbage collected within the block, and what was loaded left out of it from then on.

    Functions and classes stay, and Numba loads so many that looking through them, again and again,
    took a seventh of the time until an analysis begins.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.freeze()
            gc.enable()
