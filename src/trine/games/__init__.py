"""The games, and `open_room`, the only way to open one.

A room is a package here or in the namespace package `trine_games` (PEP 420): to add a game, install
``trine_games/NAME/`` or put it on Python's path.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Final

from trine.core.contract.heuristics import Heuristics, Kernel
from trine.core.contract.lesson import FirstGame
from trine.core.contract.position import Options, Position
from trine.core.contract.room import Room
from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.play import Play
from trine.core.text.sentence import quoted, suggesting, text, typed

BUNDLED_GAMES: Final = ("arimaa", "tzaar", "corridor")
PLUGIN_PACKAGE: Final = "trine_games"  # the namespace package of third-party games


def _plugin_games() -> list[str]:
    found = find_spec(PLUGIN_PACKAGE)
    folders = (found and found.submodule_search_locations) or ()
    rooms = [init.parent.name for folder in folders for init in Path(folder).glob("*/__init__.py")]
    return sorted({*rooms} - {*BUNDLED_GAMES})


ROOMS: Final = (*BUNDLED_GAMES, *_plugin_games())  # the names of all games

LEARNING_ORDER: Final = ("corridor", "arimaa", "tzaar")  # the games, from the easiest to begin with

NO_OPTIONS: Final[Options] = MappingProxyType({})


@cache
def open_room(name: str) -> Room:
    """Return the definition of a game.

    Raises:
        MalformedError: there is no game of that name.

    >>> open_room("arimaa").title
    'Arimaa'
    """
    if name not in ROOMS:
        message = text(
            "no game {given}; the games are: {known}", given=quoted(name), known=", ".join(ROOMS)
        )
        sets = {rules: f"{game}/{rules}" for game in ROOMS for rules in open_room(game).rule_sets}
        raise MalformedError(suggesting(message, sets.get(name, name), (*ROOMS, *sets.values())))
    room: Room = import_module(package_of(name)).ROOM
    return room


def package_of(name: str) -> str:
    """Return the package of a game, which holds its data files.

    >>> package_of("tzaar")
    'trine.games.tzaar'
    """
    return f"{__name__ if name in BUNDLED_GAMES else PLUGIN_PACKAGE}.{name}"


def open_kernel(name: str) -> Kernel:
    """Return the compiled rules of a game; the very first call takes seconds to compile.

    Raises:
        MalformedError: there is no game of that name.
    """
    open_room(name)  # raises if there is none
    kernel: Kernel = import_module(kernel_module(name)).KERNEL
    return kernel


def open_heuristics(name: str) -> Heuristics:
    """Return the heuristics of a game; the very first call takes seconds to compile.

    Raises:
        MalformedError: there is no game of that name.
    """
    open_room(name)  # raises if there is none
    heuristics: Heuristics = import_module(heuristics_module(name)).HEURISTICS
    return heuristics


def kernel_module(name: str) -> str:
    """Return the name of the module that `open_kernel` imports, to compile it ahead."""
    return f"{package_of(name)}.compiled"


def heuristics_module(name: str) -> str:
    """Return the name of the module that `open_heuristics` imports, to compile it ahead."""
    return f"{package_of(name)}.heuristics"


def parse_game(name: str) -> tuple[Room, str]:
    """Read ``GAME`` or ``GAME/RULES``: the room, and the name of the rule set or an empty string.

    Raises:
        MalformedError: there is no such game or rule set.

    >>> room, rules = parse_game("corridor/great-wall")
    >>> room.name, rules
    ('corridor', 'great-wall')
    """
    game, slash, rules = name.partition("/")
    room = open_room(game)
    return room, known_rules(room, rules) if slash else ""


def new_play(game: str, position: str = "", **options: object) -> Play:
    """Begin a play of ``GAME`` or ``GAME/RULES``, from the default start or from a position.

    Nothing is random: TZAAR begins with the fixed start unless ``seed`` says otherwise.

    Args: ``options`` of the game have the names of their tags in small letters, such as
        ``players=4`` for Corridor, ``setup="random", seed=7`` for TZAAR, ``handicap="gold:camel"``
        for Arimaa.

    Raises:
        TrineError: there is no such game, rule set or option, or the start cannot be read.

    >>> new_play("arimaa/diagonal").turn_tag
    '1g'
    """
    room, rules = parse_game(game)
    given = {name.capitalize(): str(value) for name, value in options.items()}
    return Play(room, start_position(room, rules, given, position))


def start_position(
    room: Room, rules: str = "", options: Options = NO_OPTIONS, position: str = ""
) -> Position:
    """Return the position at the start of a play: the game's own, or a given one.

    With a given position, only options that change the rules are allowed.

    If ``rules`` is empty, the position's own rule set is used, or else the default.

    Raises:
        MalformedError: an option or the position cannot be read.
        IllegalError: no play can begin there.
    """
    check_options(room, options)
    rules = known_rules(room, rules) if rules else ""
    if not position:
        start: Position = room.rules.start(rules or room.default_rules, options)
        return start
    given: Position = room.rules.parse_position(position, rules)
    varying = {option.tag: option.vary for option in room.rules.options if option.vary}
    if fixed := [tag for tag in options if tag not in varying]:
        raise IllegalError(
            "a given position leaves nothing to choose; it cannot have {options}",
            options=", ".join(fixed),
        )
    for tag, value in options.items():
        given = varying[tag](given, value)
    return given


def one_rule_set(room: Room | None, named: str, wished: str) -> str:
    """Return the rule set that ``GAME/RULES`` or ``--rules`` names; empty if neither names one.

    Raises:
        MalformedError: both name a rule set, and the names differ.
    """
    if room and wished:
        wished = known_rules(room, wished)
    if named and wished and named != wished:
        raise MalformedError(
            "two rule sets: {one} and {other}", one=quoted(named), other=quoted(wished)
        )
    return named or wished


def room_of_position(position: str, rules: str = "") -> Room:
    """Return the first game that can read the text of a position, by the named rule set if any.

    Raises:
        MalformedError: no game can. The error names a line only if the text is surely a board.

    >>> room_of_position("2g 8/8/3H4/3e4/8/8/8/R7").name
    'arimaa'
    """
    for room in map(open_room, ROOMS):
        try:
            room.rules.parse_position(position, known_rules(room, rules) if rules else "")
        except TrineError as error:
            if error.place.line:
                raise
        else:
            return room
    raise MalformedError(
        "no game can read the position {given}; name the game to hear why", given=quoted(position)
    )


def check_options(room: Room, options: Options) -> None:
    """Raise `MalformedError` if a game lacks one of the options."""
    tags = [option.tag for option in room.rules.options]
    known = list(map(str.lower, tags))
    for tag in options:
        if tag not in tags:
            message = text(
                "{game} has no option {given}; it has {known}",
                game=typed(room.title),
                given=quoted(tag.lower()),
                known=", ".join(known),
            )
            raise MalformedError(suggesting(message, tag, known))


def known_rules(room: Room, rules: str) -> str:
    """Return the name of a rule set of a game, given as ``RULES`` or ``GAME/RULES``.

    Raises:
        MalformedError: the game has no such rule set.

    >>> known_rules(open_room("tzaar"), "tzaar/official")
    'official'
    """
    rules = rules.removeprefix(f"{room.name}/")
    if rules not in room.rule_sets:
        message = text(
            "{game} has no rule set {given}; it has {known}",
            game=typed(room.title),
            given=quoted(rules),
            known=", ".join(room.rule_sets),
        )
        raise MalformedError(suggesting(message, rules, room.rule_sets))
    return rules


@cache
def first_games() -> Mapping[str, tuple[Room, FirstGame]]:
    """Return the games for newcomers by name, in order, each with its room.

    >>> list(first_games())
    ['five', 'nine', 'animals', 'stacks']
    """
    rooms = map(open_room, LEARNING_ORDER)
    return {first.name: (room, first) for room in rooms for first in room.handbook.first_games}


def first_game_after(name: str) -> FirstGame | None:
    """Return the game for newcomers that follows another; None after the last.

    >>> after = first_game_after("five")
    >>> after and after.name
    'nine'
    """
    names = list(first_games())
    later = names[names.index(name) + 1 :]
    return first_games()[later[0]][1] if later else None
