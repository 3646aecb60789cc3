"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import click

from trine.cli.commands.speech import Command, say
from trine.cli.terminal.opponents import THINK
from trine.core.contract import Room
from trine.core.errors import MalformedError
from trine.core.text.sentence import Text, nearest, text
from trine.core.text.words import quoted
from trine.core.work.workplace import Workplace, parse_workplace
from trine.engine.players.opener import MOST_THREADS
from trine.engine.search.kernel.stack import MOST_DEPTH
from trine.games import ROOMS, one_rule_set, open_room, parse_game
from trine.play.record.formats import known_formats


class Choice(click.Choice[str]):
    """A choice of words that suggests the nearest one for a mistyped word.

    Args: ``choices`` may be a function, called when the words are first needed: those of all games
    take as long to load as the one that is meant.
    """

    def __init__(self, choices: Iterable[str] | Callable[[], Iterable[str]]) -> None:
        super().__init__(() if callable(choices) else choices)
        if callable(choices):
            self._find = choices
            del self.choices

    def __getattr__(self, name: str) -> tuple[str, ...]:
        if name != "choices":
            raise AttributeError(name)
        self.choices = tuple(dict.fromkeys(self._find()))
        return self.choices

    def get_invalid_choice_message(self, value: object, ctx: click.Context | None) -> str:
        """Return the message about an unknown word."""
        told = super().get_invalid_choice_message(value, ctx)
        if near := nearest(str(value), map(str, self.choices)):
            return say(text("{message} Did you mean {word}?", message=told, word=quoted(near)))
        return told


def look_options(command: Command) -> Command:
    """Add the options for the look of a board."""
    for option in (
        click.option("--flip", is_flag=True, help=say(text("Show the board from the other side."))),
        click.option(
            "--colour/--plain",
            default=None,
            help=say(text("Colours, or none; if not given, whatever suits the terminal.")),
        ),
        click.option(
            "--pieces",
            type=Choice(lambda: (name for room in _rooms() for name in room.view.piece_sets)),
            help=say(text("Piece set, if the game has it; else letters.")),
        ),
    ):
        command = option(command)
    return command


def player_options(command: Command) -> Command:
    """Add an option for the name of each player of every game."""
    seats = {seat.tag: seat for room in _rooms() for seat in room.seats}
    for tag, seat in reversed(seats.items()):
        words = say(text("Who plays {player}: a name, or a computer player.", player=seat.name))
        command = click.option(f"--{tag.lower()}", tag, metavar="NAME", help=words)(command)
    return command


def machine_options(command: Command) -> Command:
    """Add the options for the memory and threads of thinking."""
    for option in (
        click.option(
            "--threads",
            type=click.IntRange(1, MOST_THREADS),
            default=1,
            help=say(text("Threads for each bot and engine.")),
        ),
        click.option(
            "--hash",
            "hash_mb",
            metavar="MB",
            type=click.IntRange(1, 1 << 20),
            default=64,
            help=say(text("Memory for each bot and engine, in MiB.")),
        ),
    ):
        command = option(command)
    return command


class Workers(click.ParamType[Workplace]):
    """A place of workers."""

    name = "workers"

    def convert(
        self, value: str | Workplace, param: click.Parameter | None, ctx: click.Context | None
    ) -> Workplace:
        """Return the place that words name."""
        if isinstance(value, Workplace):
            return value
        try:
            return parse_workplace(value)
        except MalformedError as error:
            self.fail(say(error.message), param, ctx)


def workers_option(command: Command) -> Command:
    """Add the option ``--workers``, for the place where games are played."""
    words = text(
        "How many games are played at once, each in a process; or ray, or ray:ADDRESS, for all "
        "cores of a Ray cluster."
    )
    return click.option(
        "--workers",
        "workplace",
        metavar="N|ray[:ADDRESS]",
        type=Workers(),
        default="1",
        help=say(words),
    )(command)


def strength_options(command: Command) -> Command:
    """Add the options for the thinking of computer players in a game."""
    words = text("Seconds for a computer's turn without a clock, and for a hint; if not given, 1.")
    return click.option(
        "--think",
        metavar="SECONDS",
        type=click.FloatRange(0, min_open=True),
        default=THINK,
        help=say(words),
    )(machine_options(command))


def start_options(command: Command) -> Command:
    """Add the start options of all games, under the names of their tags."""
    for option in reversed([option for room in _rooms() for option in room.rules.options]):
        command = click.option(
            f"--{option.tag.lower()}", option.tag, metavar=option.metavar, help=say(option.help)
        )(command)
    return command


def chosen_game(
    game: str, rules: str | None, options: Mapping[str, str | None]
) -> tuple[Room, str, dict[str, str]]:
    """Return the room, the rule set and the start options that a command line names.

    Raises:
        TrineError: there is no such game or rule set, or two are named.
    """
    room, known = parse_game(game)
    rule_set = one_rule_set(known, rules or "") or room.default_rules
    return room, rule_set, {tag: value for tag, value in options.items() if value is not None}


def check_starts_once(position: str, given: Iterable[str]) -> None:
    """Raise an error if start options, by their tags, are given along with a position.

    Raises:
        UsageError: they are.
    """
    if position and (named := [f"--{tag.lower()}" for tag in given]):
        told = text(
            "--position leaves nothing to choose; leave out {options}", options=", ".join(named)
        )
        raise click.UsageError(say(told))


def rules_option(command: Command) -> Command:
    """Add the option ``--rules``; it overrides the tag of a record."""
    names = Choice(lambda: (rules for room in _rooms() for rules in room.rule_sets))
    words = say(text("Rule set, as `trine rules` lists them."))
    return click.option("--rules", metavar="NAME", type=names, help=words)(command)


def game_option(command: Command) -> Command:
    """Add the option ``--game``, the number of a game in a file of several."""
    words = say(text("Which game of FILE."))
    return click.option("--game", type=click.IntRange(1), default=1, help=words)(command)


def turn_option(command: Command) -> Command:
    """Add the option ``--turn``, the turn before which a position is taken."""
    words = say(text("The position before this turn, such as 12g."))
    return click.option("--turn", metavar="TURN", help=words)(command)


def depth_option(command: Command) -> Command:
    """Add the option ``--depth``, a limit of thinking."""
    words = say(text("How deep, in actions of all players."))
    return click.option("--depth", type=click.IntRange(1, MOST_DEPTH), help=words)(command)


def format_option(
    *names: str, words: Text, default: str | None = None
) -> Callable[[Command], Command]:
    """Return an option that takes the name of a record format."""
    known = list(known_formats())
    return click.option(
        *names,
        metavar="FORMAT",
        type=Choice(known),
        default=default,
        help=say(text("{meaning} There are {formats}.", meaning=words, formats=", ".join(known))),
    )


def from_option(command: Command) -> Command:
    """Add the option ``--from``, the format of a file; without it, it is recognized."""
    words = say(text("Format to read; if not given, it is recognized."))
    kind = Choice(known_formats)
    return click.option("--from", "form", metavar="FORMAT", type=kind, help=words)(command)


def _rooms() -> list[Room]:
    return [open_room(name) for name in ROOMS]


def piece_set(room: Room, wished: str | None) -> str:
    """Return the piece set asked for, or the default one of a game.

    Raises:
        click.UsageError: the game has none of that name.
    """
    if wished is None:
        return next(iter(room.view.piece_sets))
    if wished not in room.view.piece_sets:
        words = text(
            "{game} has no piece set {given}; it has {known}",
            game=room.title,
            given=quoted(wished),
            known=", ".join(room.view.piece_sets),
        )
        raise click.UsageError(say(words))
    return wished
