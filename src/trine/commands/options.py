"""Options that several commands share."""

from __future__ import annotations

import click

from trine.commands.speech import Command, say
from trine.core.text import text
from trine.games import ROOMS, open_room
from trine.record.formats import known_formats


def look_options(command: Command) -> Command:
    """Add the options for how a board looks."""
    rooms = [open_room(name) for name in ROOMS]
    piece_sets = list(dict.fromkeys(name for room in rooms for name in room.piece_sets))
    for option in (
        click.option("--flip", is_flag=True, help=say(text("Show the board from the other side."))),
        click.option(
            "--colour/--plain", default=None, help=say(text("Colours, or none; else by terminal."))
        ),
        click.option(
            "--pieces",
            type=click.Choice(piece_sets),
            default="letters",
            show_default=True,
            help=say(text("Piece set.")),
        ),
    ):
        command = option(command)
    return command


def player_options(command: Command) -> Command:
    """Add an option for the name of each player of every game."""
    rooms = [open_room(name) for name in ROOMS]
    names = {
        tag: name
        for room in rooms
        for tag, name in zip(room.player_tags, room.player_names, strict=True)
    }
    for tag, name in reversed(names.items()):
        command = click.option(
            f"--{tag.lower()}", metavar="NAME", help=say(text("Name of {player}.", player=name))
        )(command)
    return command


def rules_option(command: Command) -> Command:
    """Add the option ``--rules``; it wins over what a record says of itself."""
    rooms = [open_room(name) for name in ROOMS]
    names = dict.fromkeys(rules for room in rooms for rules in room.rule_sets)
    return click.option("--rules", type=click.Choice(list(names)), help=say(text("Rule set.")))(
        command
    )


def format_choice() -> click.Choice[str]:
    """The names of record formats, as the type of an option."""
    return click.Choice(list(known_formats()))
