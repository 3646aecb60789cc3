"""`trine net`: the files of nets."""

from __future__ import annotations

import json
from pathlib import Path

import click

from trine.cli.commands import speech
from trine.cli.commands.options import json_option
from trine.core.text.sentence import text


@speech.group("net", text("Look at nets that stand beside an evaluation."))
def command() -> None:
    """Nets."""


@speech.command("show", text("Show the card of a net: what it learned from, and how."), of=command)
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@json_option
def show(file: Path, as_json: bool) -> None:
    from trine.engine.search.nets import read_net  # it brings Numba along

    net = read_net(file)
    inputs, width = net.input_weights.shape
    card = {
        "hash": net.hash,
        "shape": f"{inputs} x {width} x 2, {len(net.output_bias)}",
        "bytes": file.stat().st_size,
        **net.card,
    }
    if as_json:
        click.echo(json.dumps(card, indent=1))
        return
    for line in card_lines(card):
        click.echo(line)


def card_lines(card: object, depth: int = 0) -> list[str]:
    """Return a card as indented lines, one for each fact."""
    lines, indent = [], "  " * depth
    pairs = (
        card.items()
        if isinstance(card, dict)
        else ((number, one) for number, one in enumerate(card, 1))
        if isinstance(card, list)
        else ()
    )
    for name, value in pairs:
        if isinstance(value, (dict, list)):
            lines += [f"{indent}{name}:", *card_lines(value, depth + 1)]
        else:
            shown = f"{value:.4f}" if isinstance(value, float) else str(value)
            lines.append(f"{indent}{name}: {shown}")
    return lines
