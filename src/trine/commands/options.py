"""Options that several commands share."""

from __future__ import annotations

import click

from trine.commands.speech import Command, say
from trine.core.doors import Room
from trine.core.text import text
from trine.games import ROOMS, open_room
from trine.record.formats import known_formats


def look_options(command: Command) -> Command:
    """Add the options for how a board looks."""
    piece_sets = list(dict.fromkeys(name for room in _rooms() for name in room.piece_sets))
    for option in (
        click.option("--flip", is_flag=True, help=say(text("Show the board from the other side."))),
        click.option(
            "--colour/--plain", default=None, help=say(text("Colours, or none; else by terminal."))
        ),
        click.option(
            "--pieces",
            type=click.Choice(piece_sets),
            default=piece_sets[0],
            show_default=True,
            help=say(text("Piece set, as far as the game has it.")),
        ),
    ):
        command = option(command)
    return command


def player_options(command: Command) -> Command:
    """Add an option for the name of each player of every game."""
    seats = {seat.tag: seat for room in _rooms() for seat in room.seats}
    for tag, seat in reversed(seats.items()):
        words = say(text("Name of {player}.", player=seat.name))
        command = click.option(f"--{tag.lower()}", tag, metavar="NAME", help=words)(command)
    return command


def start_options(command: Command) -> Command:
    """Add the options with which each game can begin, under the names of their tags."""
    for option in reversed([option for room in _rooms() for option in room.options]):
        command = click.option(
            f"--{option.tag.lower()}", option.tag, metavar=option.metavar, help=say(option.help)
        )(command)
    return command


def rules_option(command: Command) -> Command:
    """Add the option ``--rules``; it wins over what a record says of itself."""
    names = dict.fromkeys(rules for room in _rooms() for rules in room.rule_sets)
    return click.option("--rules", type=click.Choice(list(names)), help=say(text("Rule set.")))(
        command
    )


def format_choice() -> click.Choice[str]:
    """The names of record formats, as the type of an option."""
    return click.Choice(list(known_formats()))


def _rooms() -> list[Room]:
    return [open_room(name) for name in ROOMS]
