"""Opening compiled code from the command line: what is compiled for the first time is shown."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console

from trine.commands.speech import say
from trine.core.ahead import Progress, Show, compile_now
from trine.core.doors import Kernel
from trine.engine.readiness import TREE, thinking_modules
from trine.games import kernel_module, open_kernel, open_room
from trine.terminal.readying import compiling_text

PATIENCE: Final = 1.0
"""Units: seconds; what takes less is not worth a word. Guess."""


@contextmanager
def compiling_shown(name: str) -> Iterator[Show]:
    """A function that shows on the error stream how far the compiling for a game is.

    Nothing is shown of what is only fetched from the cache, however long that takes.
    """
    title, began = open_room(name).title, time.monotonic()
    with Console(stderr=True, highlight=False).status("") as status:
        status.stop()

        def show(progress: Progress) -> None:
            if progress.compiled and time.monotonic() - began > PATIENCE:
                status.update(say(compiling_text(title, progress)))
                status.start()

        yield show


def open_kernel_with_progress(name: str) -> Kernel:
    """Open the kernel of a game; what must be compiled is shown."""
    open_room(name)  # says so if there is none
    with compiling_shown(name) as show:
        compile_now([kernel_module(name)], show)
    return open_kernel(name)


def compile_thinking(name: str, *, every: bool = False) -> None:
    """Compile all that a search of a game needs; what must be compiled is shown.

    Args: ``every`` search, also that for more than two players.
    """
    with compiling_shown(name) as show:
        compile_now([*thinking_modules(name), *([TREE] if every else [])], show)
