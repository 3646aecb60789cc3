"""Progress on the error stream: bars, and opening kernels and bots that must be compiled."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Final

import rich.progress
from rich.console import Console

from trine.cli.commands.speech import LANGUAGE, say
from trine.cli.terminal.opponents import compiling_text
from trine.cli.terminal.screen import Screen
from trine.cli.terminal.thinking import InterruptibleRunner
from trine.core.compiled.ahead import CompileProgress, Show, compile_now
from trine.core.compiled.gc_pause import gc_paused
from trine.core.contract.heuristics import Kernel
from trine.core.errors import CompilingError
from trine.core.play import Play
from trine.engine.players.player import TREE, playing_modules, thinking_modules
from trine.games import kernel_module, open_kernel, open_room

if TYPE_CHECKING:
    from trine.engine.players.bot import Bot

SHOW_DELAY: Final = 1.0  # seconds; shorter compilations show no progress. Guess


@contextmanager
def show_compiling(name: str) -> Iterator[Show]:
    """Yield a function that shows on the error stream how far compiling for a game is."""
    title, began = open_room(name).title, time.monotonic()
    with Console(stderr=True, highlight=False).status("") as status:
        status.stop()

        def show(progress: CompileProgress) -> None:
            if progress.compiled and time.monotonic() - began > SHOW_DELAY:
                status.update(say(compiling_text(title, progress)))
                status.start()

        yield show


@cache
def open_kernel_with_progress(name: str) -> Kernel:
    """Open the kernel of a game, and show the progress if it must be compiled."""
    open_room(name)  # raises an error if there is no such game
    with show_compiling(name) as show:
        compile_now([kernel_module(name)], show)
    return open_kernel(name)


def open_search_bot(play: Play, hash_mb: int) -> Bot:
    """Open a bot, compiled if needed, for a play; raises `TrineError` if no bot can search it."""
    room, seats = play.room, play.position.seats
    room.check_search(play.position)
    with show_compiling(room.name) as show:
        compile_now(thinking_modules(room.name, len(seats)), show)
    with gc_paused():
        from trine.engine.players.bot import Bot  # imports Numba

        return Bot(room.name, hash_mb=hash_mb)


def stderr_runner() -> InterruptibleRunner:
    """Return a runner that shows progress on the error stream, and works in pipes too."""
    return InterruptibleRunner(Screen(LANGUAGE, Console(stderr=True)), also_over_pipes=True)


def compile_thinking(name: str, *, every: bool = False, games: bool = False) -> None:
    """Compile all code that a search of a game needs, and show the progress.

    ``every`` includes the search for more than two players, ``games`` the loop that plays games.

    Raises:
        CompilingError: the code cannot be compiled, or not be stored in the cache.
    """
    with show_compiling(name) as show:
        modules = playing_modules(name) if games else thinking_modules(name)
        problem = compile_now([*modules, *([TREE] if every else [])], show)
    if problem:
        raise CompilingError(problem)


@contextmanager
def bars(*columns: rich.progress.ProgressColumn) -> Iterator[rich.progress.Progress]:
    """Show progress bars, at a terminal only; by default with description, count, elapsed time."""
    default_columns = (
        rich.progress.TextColumn("{task.description}"),
        rich.progress.BarColumn(),
        rich.progress.MofNCompleteColumn(),
        rich.progress.TimeElapsedColumn(),
    )
    console, hidden = Console(stderr=True), not sys.stderr.isatty()
    with rich.progress.Progress(
        *columns or default_columns, console=console, transient=True, disable=hidden
    ) as progress:
        yield progress
