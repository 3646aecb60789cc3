"""`trine about`: the history of a game, and its owner."""

from __future__ import annotations

import click

from trine.cli.commands import speech
from trine.cli.commands.places import parse_game_argument
from trine.cli.commands.rules import paragraph
from trine.cli.commands.speech import LANGUAGE, say, usage_errors
from trine.core.text.language import name_in
from trine.core.text.sentence import text


@speech.command(
    "about",
    text("Print who invented GAME, why, how it got its name, and who owns the name and the rules."),
)
@click.argument("game_name", metavar="GAME")
def command(game_name: str) -> None:
    with usage_errors():
        room, _ = parse_game_argument(game_name)
    click.echo(name_in(LANGUAGE, room.title))
    for words in room.handbook.about:
        click.echo()
        click.echo(paragraph(say(words), margin=0))
