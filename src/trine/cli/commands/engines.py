"""`trine aei` and `trine ugi`: our bot as an engine for controllers that speak AEI or UGI."""

import os
import sys
from pathlib import Path
from typing import Final, NoReturn

import click

from trine.cli.commands import speech
from trine.cli.commands.speech import option, options, usage_errors
from trine.core.text.sentence import text
from trine.engine.players.player import PlayerResources
from trine.engine.protocol.aei import AeiEngine
from trine.engine.protocol.engine_session import (
    NUMBERS,
    Channel,
    EngineSession,
    open_log,
    standard_lines,
)
from trine.engine.protocol.players import open_player
from trine.engine.protocol.ugi import UgiEngine
from trine.games import ROOMS, parse_game

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


@speech.command(
    "aei", text("Act as an Arimaa engine on standard input and output, speaking the AEI protocol.")
)
@engine_options
def aei(hash_mb: int, level: int, seed: int, log: Path | None) -> None:
    settings = PlayerResources(hash_mb, level, seed)
    run_engine(AeiEngine(Channel(sys.stdout, open_log(log)), open_player, settings))


@speech.command(
    "ugi",
    text(
        "Act as an engine on standard input and output, speaking the UGI protocol. GAME is "
        "{games}, or GAME/RULES; the controller can choose another.",
        games=", ".join(ROOMS),
    ),
)
@click.argument("game_name", metavar="[GAME]", default=ROOMS[0])
@engine_options
def ugi(game_name: str, hash_mb: int, level: int, seed: int, log: Path | None) -> None:
    with usage_errors():
        room, rules = parse_game(game_name)
    settings = PlayerResources(hash_mb, level, seed)
    run_engine(
        UgiEngine(Channel(sys.stdout, open_log(log)), room.name, open_player, rules, settings)
    )
