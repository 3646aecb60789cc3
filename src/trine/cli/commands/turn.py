"""`trine turn`: the turns that lead from one position to another."""

from __future__ import annotations

import json

import click

from trine.cli.commands import speech
from trine.cli.commands.options import json_option, rules_option
from trine.cli.commands.places import named_position
from trine.cli.commands.speech import tell
from trine.core.errors import IllegalError
from trine.core.text.sentence import text
from trine.shortcuts import turn_between


@speech.command(
    "turn",
    text(
        "Print every legal turn that leads from position A to position B, the shortest first. "
        "Each is the text of a position, a file with a position or a record, or GAME for its "
        "start. Use it to write down a game of which you have the boards."
    ),
)
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@rules_option
@json_option
def command(before: str, after: str, rules: str | None, as_json: bool) -> None:
    start = named_position(before, rules or "")
    target = named_position(after, rules or start.position.rules.name)
    turns = turn_between(start, target)
    if as_json:
        click.echo(json.dumps({"turn": start.turn_tag, "turns": turns}))
        return
    if not turns and start.mover == target.mover:
        raise IllegalError(
            "no turn leads from one position to the other: {player} is to move in both",
            player=start.position.seats[start.mover].name,
        )
    if not turns:
        raise IllegalError("no legal turn leads from one position to the other")
    for turn in turns:
        click.echo(turn)
    tell(text("turns: {count}", count=len(turns)), err=True)
