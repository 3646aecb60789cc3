"""Opening a kernel from the command line: what is compiled for the first time is shown."""

from __future__ import annotations

import time
from typing import Final

from rich.console import Console

from trine.commands.speech import say
from trine.core.doors import Kernel
from trine.core.text import text
from trine.games import open_kernel, open_room

PATIENCE: Final = 1.0
"""Units: seconds; what takes less is not worth a word, and from the cache it does. Guess."""


def open_kernel_with_progress(name: str) -> Kernel:
    """Open the kernel of a game; if that takes long, show on the error stream how far it is."""
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
                            "compiling the kernel of {game}, once on this machine: "
                            "function {count}, {name}",
                            game=title,
                            count=compiled,
                            name=function.rpartition(".")[2],
                        )
                    )
                )
                status.start()

        jit.on_compile = show
        try:
            return open_kernel(name)
        finally:
            jit.on_compile = jit.say_nothing
