"""`trine ugi`: our bot as an engine for controllers that speak UGI, for any game."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from trine.cli.commands import speech
from trine.cli.commands.engines import engine_options, run_engine
from trine.cli.commands.speech import usage_errors
from trine.core.text.sentence import text
from trine.engine.players.player import PlayerResources
from trine.engine.protocol.engine_session import Channel, open_log
from trine.engine.protocol.players import open_player
from trine.engine.protocol.ugi import UgiEngine
from trine.games import ROOMS, parse_game


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
def command(game_name: str, hash_mb: int, level: int, seed: int, log: Path | None) -> None:
    with usage_errors():
        room, rules = parse_game(game_name)
    settings = PlayerResources(hash_mb, level, seed)
    run_engine(
        UgiEngine(Channel(sys.stdout, open_log(log)), room.name, open_player, rules, settings)
    )
