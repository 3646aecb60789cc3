"""`trine aei`: our bot as an Arimaa engine for controllers that speak AEI."""

from __future__ import annotations

import sys
from pathlib import Path

from trine.cli.commands import speech
from trine.cli.commands.engines import engine_options, run_engine
from trine.core.text.sentence import text
from trine.engine.players.player import PlayerResources
from trine.engine.protocol.aei import AeiEngine
from trine.engine.protocol.engine_session import Channel, open_log
from trine.engine.protocol.players import open_player


@speech.command(
    "aei", text("Act as an Arimaa engine on standard input and output, speaking the AEI protocol.")
)
@engine_options
def command(hash_mb: int, level: int, seed: int, log: Path | None) -> None:
    settings = PlayerResources(hash_mb, level, seed)
    run_engine(AeiEngine(Channel(sys.stdout, open_log(log)), open_player, settings))
