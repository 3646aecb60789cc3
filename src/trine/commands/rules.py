"""`trine rules`: the rules of a rule set, with their sources."""

from __future__ import annotations

from shutil import get_terminal_size

import click

from trine.commands.speech import lang_option, say, usage_error
from trine.core.errors import TrineError
from trine.core.text import text
from trine.games import ROOMS, open_room, parse_game


@click.command(
    "rules",
    help=say(text("Print the rules of GAME or GAME/RULES; without it, list the rule sets.")),
)
@click.argument("game", metavar="[GAME[/RULES]]", required=False)
@lang_option
def command(game: str | None) -> None:
    """Print the rules of a rule set."""
    if game is None:
        for name in ROOMS:
            for rules in open_room(name).rule_sets.values():
                click.echo(_paragraph(say(rules.differs), f"{f'{name}/{rules.name}':<21}", 21))
                click.echo(_paragraph(f"[{say(rules.source)}]", indent=21))
        return
    try:
        room, rule_set = parse_game(game)
        rule_set = rule_set or room.default_rules
    except TrineError as error:
        raise usage_error(error) from None
    click.echo(f"{room.title}: {room.name}/{rule_set}")
    click.echo(_paragraph(say(room.rule_sets[rule_set].differs), indent=0))
    chapter = ""
    for number, clause in enumerate(room.rulebook(rule_set), start=1):
        if (said := say(clause.chapter)) != chapter:
            chapter = said
            click.echo(f"\n{chapter}\n")
        click.echo(_paragraph(say(clause.words), first=f"{number:>3}. "))
        click.echo(_paragraph(f"[{say(clause.source)}]"))
        if clause.reading:
            reading = say(text("Reading: {reason}", reason=clause.reading))
            click.echo(_paragraph(reading))


def _paragraph(words: str, first: str = "", indent: int = 5) -> str:
    width, space = min(92, get_terminal_size().columns - 1), " " * indent
    return click.wrap_text(words, width, initial_indent=first or space, subsequent_indent=space)
