"""`trine warm`: compiling the kernels ahead of time, so that no game has to wait."""

from __future__ import annotations

import time
from pathlib import Path

import click

from trine.cli.commands import speech
from trine.cli.commands.compiling import compile_thinking
from trine.cli.commands.speech import tell, usage_errors
from trine.core.errors import FileError
from trine.core.text.sentence import number, text, typed
from trine.games import ROOMS, open_room


@speech.command(
    "warm",
    text("Compile the fast code of GAME, or of all games, ahead of time; it happens only once."),
)
@click.argument("game_name", metavar="[GAME]", required=False)
@speech.option(
    "--from",
    "file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    meaning=text(
        "Take compiled code, which is run unchecked, from FILE; scripts/kernels writes such files."
    ),
)
def command(game_name: str | None, file: Path | None) -> None:
    from trine.core.compiled import jit, packed  # imports Numba, which takes a second

    if not jit.can_be_written(jit.cache_root()):
        raise FileError(
            "compiled code cannot be stored: no file can be created in {folder}",
            folder=jit.cache_root(),
        )
    if file:
        packed.install(file)
    else:
        try:
            packed.install_bundled()
        except FileError as error:
            tell(error, err=True)
    for name in (game_name,) if game_name else ROOMS:
        with usage_errors():
            title = open_room(name).title
        began = time.monotonic()
        compile_thinking(name, every=True)
        seconds = number(time.monotonic() - began, 1)
        tell(text("{game}: ready after {seconds} s", game=typed(title), seconds=seconds))
