"""`trine warm`: compiling the kernels ahead, so that no game has to wait for it."""

from __future__ import annotations

import time

import click

from trine.cli.commands import speech
from trine.cli.commands.compiling import compile_thinking
from trine.cli.commands.speech import tell, usage_errors
from trine.core.errors import FileError
from trine.core.text.sentence import number, text
from trine.games import ROOMS, open_room


@speech.command(
    "warm",
    text("Compile the fast code of GAME, or of all games, ahead of time; it happens only once."),
)
@click.argument("game", metavar="[GAME]", required=False)
def command(game: str | None) -> None:
    from trine.core.compiled import jit  # imports Numba, which takes a second

    if not jit.can_be_written(jit.store()):
        raise FileError(
            "compiled code cannot be kept: no file can be made in {folder}", folder=jit.store()
        )
    for name in (game,) if game else ROOMS:
        with usage_errors():
            title = open_room(name).title
        began = time.monotonic()
        compile_thinking(name, every=True)
        seconds = number(time.monotonic() - began, 1)
        tell(text("{game}: ready after {seconds} s", game=title, seconds=seconds))
