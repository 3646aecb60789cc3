"""Opening compiled code from the command line: what is compiled for the first time is shown."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console

from trine.commands.speech import say
from trine.core.doors import Kernel
from trine.core.text import text
from trine.games import open_kernel, open_room

PATIENCE: Final = 1.0
"""Units: seconds; what takes less is not worth a word, and from the cache it does. Guess."""


@contextmanager
def compiling_shown(name: str) -> Iterator[None]:
    """Inside, if compiling for a game takes long, show on the error stream how far it is."""
    title = open_room(name).title
    from trine.core import jit  # it brings Numba along, which other commands do not wait for

    console = Console(stderr=True, highlight=False)
    began, compiled = time.monotonic(), 0
    with console.status("") as status:
        status.stop()

        def show(function: str) -> None:
            nonlocal compiled
            compiled += 1
            if time.monotonic() - began > PATIENCE:
                status.update(
                    say(
                        text(
                            "compiling for {game}, once on this machine: function {count}, {name}",
                            game=title,
                            count=compiled,
                            name=function.rpartition(".")[2],
                        )
                    )
                )
                status.start()

        jit.on_compile = show
        try:
            yield
        finally:
            jit.on_compile = jit.say_nothing


def open_kernel_with_progress(name: str) -> Kernel:
    """Open the kernel of a game; if that takes long, show on the error stream how far it is."""
    with compiling_shown(name):
        return open_kernel(name)


def open_thinking_with_progress(name: str) -> None:
    """Open all that a search of a game needs; if that takes long, show how far it is."""
    with compiling_shown(name):
        from trine.engine import bot  # the searches, for any game
        from trine.games import open_heuristics

        assert bot
        open_kernel(name)
        open_heuristics(name)
