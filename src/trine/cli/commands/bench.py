"""`trine bench`: the node counts of the searches, as in the trailers of commits."""

from __future__ import annotations

import time

import click

from trine.cli.commands import speech
from trine.cli.commands.compiling import compile_thinking
from trine.cli.commands.perft import speed_line
from trine.cli.commands.speech import tell
from trine.core.text.sentence import text
from trine.games import ROOMS, open_room


@speech.command(
    "bench",
    text(
        "Count the nodes of fixed positions at fixed depths, and print the line for commits "
        "that touch a kernel."
    ),
)
def command() -> None:
    for name in ROOMS:
        compile_thinking(name, every=True)
    from trine.engine.search.bench import signature  # imports Numba

    began = time.perf_counter()
    counts = {name: signature(open_room(name)) for name in ROOMS}
    seconds = time.perf_counter() - began
    tell(speed_line(sum(counts.values()), seconds), err=True)
    click.echo("Bench: " + " ".join(f"{name} {count}" for name, count in counts.items()))
