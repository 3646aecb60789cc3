"""`trine net`: the files of nets."""

from __future__ import annotations

import json
from pathlib import Path

import click

from trine.cli.commands import speech
from trine.core.text.sentence import text


@speech.group("net", text("Inspect net files."))
def command() -> None: ...


@speech.command("show", text("Show the card of a net: what it learned from, and how."), of=command)
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
def show(file: Path) -> None:
    from trine.engine.search.nets import read_net  # imports Numba

    net = read_net(file)
    inputs, width = net.input_weights.shape
    card = {
        "hash": net.hash,
        "shape": f"{inputs} x {width} x 2, {len(net.output_bias)}",
        "bytes": file.stat().st_size,
        **net.card,
    }
    click.echo(json.dumps(card, indent=1, ensure_ascii=False))
