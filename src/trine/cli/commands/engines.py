"""The options and the main loop of `trine aei` and `trine ugi`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final, NoReturn

import click

from trine.cli.commands.speech import option, options
from trine.core.text.sentence import text
from trine.engine.players.player import PlayerResources
from trine.engine.protocol.engine_session import NUMBERS, EngineSession, standard_lines

MEANINGS: Final = {
    "hash": text("Hash memory of the search, in megabytes."),
    "level": text("How strong it is."),
    "seed": text("Seed of everything random."),
}
engine_options = options(
    option(
        "--log",
        type=click.Path(dir_okay=False, path_type=Path),
        meaning=text("Append all input and output to a file."),
    ),
    *(
        option(
            f"--{name}",
            number.field,
            type=click.IntRange(number.least, number.most),
            default=getattr(PlayerResources(), number.field),
            show_default=True,
            meaning=MEANINGS[name],
        )
        for name, number in reversed(NUMBERS.items())
    ),
)


def run_engine(engine: EngineSession) -> NoReturn:
    def end_now() -> NoReturn:
        sys.stdout.flush()
        os._exit(engine.status)  # does not join threads that search or read a line

    engine.abandon = end_now
    engine.serve(standard_lines())
    if not engine.closed_well:
        end_now()
    sys.exit(engine.status)
