"""`trine aei`: our bot as an engine of Arimaa, for controllers that speak AEI."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from trine.commands.engines import engine_options, run_engine
from trine.commands.speech import lang_option, say
from trine.core.text import text
from trine.protocol.aei import GAME, AeiEngine
from trine.protocol.channel import Channel
from trine.protocol.serving import open_log
from trine.protocol.settings import Settings


@click.command(
    "aei",
    help=say(
        text("Act as an Arimaa engine on standard input and output, speaking the AEI protocol.")
    ),
)
@engine_options
@lang_option
def command(hash_mb: int, threads: int, level: int, seed: int, log: Path | None) -> None:
    """Be an engine."""
    settings = Settings(GAME, hash_mb, threads, level, seed)
    run_engine(AeiEngine(Channel(sys.stdout, open_log(log)), settings))
