"""Options that several commands share."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import click

from trine.cli.commands.speech import LANGUAGE, Command, option, options, say, usage_error
from trine.cli.terminal.opponents import THINK_TIME
from trine.cli.terminal.vocabulary import read_line
from trine.core.clock import DAY
from trine.core.contract.room import Room
from trine.core.errors import MalformedError
from trine.core.text.sentence import Text, nearest, quoted, text, typed
from trine.core.work.workers import Backend, parse_backend
from trine.engine.search.kernel.stack import MAX_DEPTH
from trine.games import ROOMS, one_rule_set, open_room, parse_game
from trine.play.record.formats import known_formats


class Choice(click.Choice[str]):
    """A choice that suggests the nearest word for a mistyped one.

    ``choices`` may be a function, called when the words are first needed, because loading the words
    of all games takes time.
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
        message = super().get_invalid_choice_message(value, ctx)
        if near := nearest(str(value), map(str, self.choices)):
            return say(text("{message} Did you mean {word}?", message=message, word=quoted(near)))
        return message


look_options = options(
    option(
        "--pieces",
        type=Choice(lambda: (name for room in _rooms() for name in room.view.piece_sets)),
        meaning=text("Piece set, if the game has it; else letters."),
    ),
    option(
        "--colour/--plain",
        default=None,
        meaning=text("Turn colours on or off; by default, whatever suits the terminal."),
    ),
    option("--flip", is_flag=True, meaning=text("Show the board from the other side.")),
)


def player_options(command: Command) -> Command:
    """Add an option for the player of each seat of every game."""
    seats = {seat.tag: seat for room in _rooms() for seat in room.seats}
    return options(
        *(
            option(
                f"--{tag.lower()}",
                tag,
                metavar="NAME",
                meaning=text("Who plays {player}: a name, or a computer player.", player=seat.name),
            )
            for tag, seat in seats.items()
        )
    )(command)


hash_option = option(
    "--hash",
    "hash_mb",
    metavar="MB",
    type=click.IntRange(1, 1 << 20),
    default=64,
    meaning=text("Memory for each bot and engine, in MiB."),
)


class FiniteRange(click.FloatRange):
    """A range of numbers that excludes nan."""

    def convert(
        self, value: float, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number = super().convert(value, param, ctx)
        return super().convert(math.inf, param, ctx) if math.isnan(number) else number


SECONDS: Final = FiniteRange(0, DAY, min_open=True)  # the type of a thinking time


class WorkersOption(click.ParamType[Backend]):
    """A parameter type for where games are played: in local processes or on a Ray cluster."""

    name = "workers"

    def convert(
        self, value: str | Backend, param: click.Parameter | None, ctx: click.Context | None
    ) -> Backend:
        if isinstance(value, Backend):
            return value
        try:
            return parse_backend(value)
        except MalformedError as error:
            self.fail(say(error.message), param, ctx)


workers_option = option(
    "--workers",
    "backend",
    metavar="N|ray[:ADDRESS]",
    type=WorkersOption(),
    default="1",
    meaning=text(
        "How many games are played at once, each in a process; or ray, or ray:ADDRESS, for all "
        "cores of a Ray cluster."
    ),
)

strength_options = options(
    option(
        "--think",
        metavar="SECONDS",
        type=SECONDS,
        default=THINK_TIME,
        meaning=text(
            "Seconds for a computer's turn without a clock, and for a hint; 1 by default."
        ),
    ),
    hash_option,
)


def start_options(but: str = "") -> Callable[[Command], Command]:
    """Return the start options of all games, named after their tags, except the tag ``but``."""
    return options(
        *(
            option(
                f"--{start.tag.lower()}",
                start.tag,
                metavar=start.metavar,
                meaning=start.help,
                type=in_english,
            )
            for room in _rooms()
            for start in room.rules.options
            if start.tag != but
        )
    )


def chosen_game(
    game_name: str, rules: str | None, options: Mapping[str, str | None]
) -> tuple[Room, str, dict[str, str]]:
    """Return the room, rule set and start options given on a command line; raises `TrineError`."""
    room, rules_in_name = parse_game(game_name)
    rule_set = one_rule_set(room, rules_in_name, rules or "") or room.default_rules
    return room, rule_set, {tag: value for tag, value in options.items() if value is not None}


def check_starts_once(position: str, tags: Iterable[str]) -> None:
    """Raise `UsageError` if options that decide the start are given together with a position."""
    varying = {start.tag for room in _rooms() for start in room.rules.options if start.vary}
    if position and (named := [f"--{tag.lower()}" for tag in tags if tag not in varying]):
        message = text(
            "--position leaves nothing to choose; leave out {options}", options=", ".join(named)
        )
        raise usage_error(message)


def in_english(value: str) -> str:
    """Return words of the games, typed in the language of this run or in English, in English."""
    return read_line(value, LANGUAGE)


class RulesChoice(Choice):
    """A choice of rule sets, named ``RULES`` or ``GAME/RULES``."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if "/" not in value:
            return super().convert(value, param, ctx)
        try:
            parse_game(value)
        except MalformedError as error:
            self.fail(say(error.message), param, ctx)
        return value


rules_option = option(
    "--rules",
    metavar="NAME",
    type=RulesChoice(lambda: (rules for room in _rooms() for rules in room.rule_sets)),
    meaning=text("Rule set, as `trine rules` lists them."),
)
"""The option for a rule set, which overrides the tag of a record."""
game_option = option(
    "--game", "game_number", type=click.IntRange(1), default=1, meaning=text("Which game of FILE.")
)
turn_option = option(
    "--turn", metavar="TURN", meaning=text("The position before this turn, such as 12g.")
)
position_option = option(
    "--position",
    metavar="TEXT",
    default="",
    meaning=text("Start from a position instead of the usual start."),
)
depth_option = option(
    "--depth",
    type=click.IntRange(1, MAX_DEPTH),
    meaning=text("Depth of the search, in actions of all players."),
)
json_option = option("--json", "as_json", is_flag=True, meaning=text("As JSON."))


def format_option(
    *names: str, meaning: Text, formats: Iterable[str], default: str | None = None
) -> Callable[[Command], Command]:
    formats = list(formats)
    meaning = text("{meaning} There are {formats}.", meaning=meaning, formats=", ".join(formats))
    return option(*names, metavar="FORMAT", type=Choice(formats), default=default, meaning=meaning)


from_option = option(
    "--from",
    "form",
    metavar="FORMAT",
    type=Choice(known_formats),
    meaning=text("Format to read; if not given, it is recognized."),
)


def _rooms() -> list[Room]:
    return [open_room(name) for name in ROOMS]


def piece_set(room: Room, name: str | None) -> str:
    """Return a piece set by name, or the default one of a game; raises `click.UsageError`."""
    if name is None:
        return next(iter(room.view.piece_sets))
    if name not in room.view.piece_sets:
        message = text(
            "{game} has no piece set {given}; it has {known}",
            game=typed(room.title),
            given=quoted(name),
            known=", ".join(room.view.piece_sets),
        )
        raise usage_error(message)
    return name
