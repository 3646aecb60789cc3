"""The rooms of the house, one for each game, and `open_room`, the only way in.

A room stands here, or is a package in `trine_games`: that package belongs to nobody (PEP 420), so
whoever writes a game puts ``trine_games/NAME/`` on the path, as by installing it, and it is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Final

from trine.core.contract import Heuristics, Kernel, Options, Room
from trine.core.contract.first_game import FirstGame
from trine.core.contract.position import Position
from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.play import Play
from trine.core.text.sentence import suggesting, text
from trine.core.text.typed import typed
from trine.core.text.words import quoted

OWN: Final = ("arimaa", "tzaar", "corridor")
"""The games whose rooms stand here."""
GUESTS: Final = "trine_games"
"""The package with the rooms of others."""


def _guests() -> list[str]:
    """The names of the games that others have put on the path."""
    found = find_spec(GUESTS)
    folders = (found and found.submodule_search_locations) or ()
    rooms = [init.parent.name for folder in folders for init in Path(folder).glob("*/__init__.py")]
    return sorted({*rooms} - {*OWN})


ROOMS: Final = (*OWN, *_guests())
"""The names of the games."""

EASIEST_FIRST: Final = ("corridor", "arimaa", "tzaar")
"""The games as they are easiest to begin with."""

NO_OPTIONS: Final[Options] = MappingProxyType({})


@cache
def open_room(name: str) -> Room:
    """Open the room of a game.

    Raises:
        MalformedError: there is no game of that name.

    >>> open_room("arimaa").title
    'Arimaa'
    """
    if name not in ROOMS:
        told = text(
            "no game {given}; the games are: {known}", given=quoted(name), known=", ".join(ROOMS)
        )
        raise MalformedError(suggesting(told, name, ROOMS))
    room = import_module(package_of(name)).ROOM
    assert isinstance(room, Room)
    return room


def package_of(name: str) -> str:
    """The package of a game's room, where its data files lie.

    >>> package_of("tzaar")
    'trine.games.tzaar'
    """
    return f"{__name__ if name in OWN else GUESTS}.{name}"


def open_kernel(name: str) -> Kernel:
    """Open the fast twin of a game's referee; the first time ever, that takes seconds to compile.

    Raises:
        MalformedError: there is no game of that name.
    """
    open_room(name)  # says so if there is none
    kernel = import_module(kernel_module(name)).KERNEL
    assert isinstance(kernel, Kernel)
    return kernel


def open_heuristics(name: str) -> Heuristics:
    """Open what a game's room knows about playing well; the first time ever, that takes seconds.

    Raises:
        MalformedError: there is no game of that name.
    """
    open_room(name)  # says so if there is none
    heuristics = import_module(heuristics_module(name)).HEURISTICS
    assert isinstance(heuristics, Heuristics)
    return heuristics


def kernel_module(name: str) -> str:
    """The module that `open_kernel` imports, so that it can be compiled ahead."""
    return f"{package_of(name)}.compiled"


def heuristics_module(name: str) -> str:
    """The module that `open_heuristics` imports, so that it can be compiled ahead."""
    return f"{package_of(name)}.heuristics"


def parse_game(name: str) -> tuple[Room, str]:
    """Read ``GAME`` or ``GAME/RULES``: the room, and the name of the rule set, empty if not given.

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
    """Begin a play of ``GAME`` or ``GAME/RULES``, from the start of its records or from a position.

    Nothing is left to chance: TZAAR begins with the fixed start unless ``seed`` says otherwise.

    Args: options of the game by the names of their tags in small letters, such as ``players=4`` for
    Corridor, ``setup="random", seed=7`` for TZAAR, ``handicap="gold:camel"`` for Arimaa.

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
    """The position in which a play begins: the game's own beginning, or a given position.

    Without the name of a rule set, that of the position is meant, or the usual one.

    Raises:
        MalformedError: an option or the position cannot be read.
        IllegalError: no play can begin so.
    """
    check_options(room, options)
    if rules:
        known_rules(room, rules)
    if not position:
        start: Position = room.rules.start(rules or room.default_rules, options)
        return start
    if options:
        raise IllegalError(
            "a given position leaves nothing to choose; it cannot have {options}",
            options=", ".join(options),
        )
    given: Position = room.rules.parse_position(position, rules)
    return given


def one_rule_set(named: str, wished: str) -> str:
    """The rule set that was said twice, as in ``arimaa/classic --rules classic``, or once, or not.

    Raises:
        MalformedError: two different ones were said.
    """
    if named and wished and named != wished:
        raise MalformedError(
            "two rule sets: {one} and {other}", one=quoted(named), other=quoted(wished)
        )
    return named or wished


def room_of_position(position: str, rules: str = "") -> Room:
    """The first game that can read the text of a position, as one of a rule set if it is named.

    Raises:
        MalformedError: none can.

    >>> room_of_position("2g 8/8/3H4/3e4/8/8/8/R7").name
    'arimaa'
    """
    for room in map(open_room, ROOMS):
        with suppress(TrineError):
            room.rules.parse_position(position, known_rules(room, rules) if rules else "")
            return room
    raise MalformedError(
        "no game can read the position {given}; name the game to hear why", given=quoted(position)
    )


def check_options(room: Room, options: Options) -> None:
    """Raise an error if a game has not all of some options.

    Raises:
        MalformedError: it has not.
    """
    tags = [option.tag for option in room.rules.options]
    known = list(map(str.lower, tags))
    for tag in options:
        if tag not in tags:
            told = text(
                "{game} has no option {given}; it has {known}",
                game=typed(room.title),
                given=quoted(tag.lower()),
                known=", ".join(known),
            )
            raise MalformedError(suggesting(told, tag, known))


def known_rules(room: Room, rules: str) -> str:
    """The name of a rule set, if the game has it.

    Raises:
        MalformedError: it does not.
    """
    if rules not in room.rule_sets:
        told = text(
            "{game} has no rule set {given}; it has {known}",
            game=typed(room.title),
            given=quoted(rules),
            known=", ".join(room.rule_sets),
        )
        raise MalformedError(suggesting(told, rules, room.rule_sets))
    return rules


@cache
def first_games() -> Mapping[str, tuple[Room, FirstGame]]:
    """The games to begin with, by their names, each with its room; one leads to the next.

    >>> list(first_games())
    ['five', 'nine', 'animals', 'stacks']
    """
    rooms = map(open_room, EASIEST_FIRST)
    return {first.name: (room, first) for room in rooms for first in room.handbook.first_games}


def first_game_after(name: str) -> FirstGame | None:
    """The game to begin with that follows another; None behind the last.

    >>> after = first_game_after("five")
    >>> after and after.name
    'nine'
    """
    names = list(first_games())
    later = names[names.index(name) + 1 :]
    return first_games()[later[0]][1] if later else None
