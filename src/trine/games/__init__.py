"""The rooms of the house, one for each game, and `open_room`, the only way in."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from trine.core.doors import Position, Room
from trine.core.errors import IllegalError, MalformedError
from trine.core.play import Play
from trine.core.text import text
from trine.core.words import quoted

ROOMS: Final = ("arimaa",)
"""The names of the games."""


def open_room(name: str) -> Room:
    """Open the room of a game.

    Raises:
        MalformedError: there is no game of that name.

    >>> open_room("arimaa").title
    'Arimaa'
    """
    if name not in ROOMS:
        raise MalformedError(
            text(
                "no game {given}; the games are: {known}",
                given=quoted(name),
                known=", ".join(ROOMS),
            )
        )
    room = import_module(f"{__name__}.{name}").ROOM
    assert isinstance(room, Room)
    return room


def parse_game(name: str) -> tuple[Room, str]:
    """Read ``GAME`` or ``GAME/RULES``: the room, and the name of the rule set.

    Raises:
        MalformedError: there is no such game or rule set.

    >>> room, rules = parse_game("arimaa")
    >>> room.name, rules
    ('arimaa', 'official')
    """
    game, slash, rules = name.partition("/")
    room = open_room(game)
    return room, known_rules(room, rules) if slash else room.default_rules


def new_play(game: str, *, handicap: str = "", position: str = "") -> Play:
    """Begin a play of ``GAME`` or ``GAME/RULES``, from the setup or from a position.

    Raises:
        TrineError: there is no such game or rule set, or the start cannot be read.

    >>> new_play("arimaa/diagonal").turn_tag
    '1g'
    """
    room, rules = parse_game(game)
    return Play(room, start_position(room, rules, handicap=handicap, position=position))


def start_position(room: Room, rules: str, *, handicap: str = "", position: str = "") -> Position:
    """The position in which a play begins: before the setup, or a given one.

    Raises:
        MalformedError: position or handicap cannot be read.
        IllegalError: no play can begin so.
    """
    if not position:
        start: Position = room.start(rules, handicap=handicap)
        return start
    if handicap:
        raise IllegalError(text("a handicap changes the setup; a given position has none"))
    start = room.parse_position(position, rules)
    if start.turn_open:
        raise IllegalError(text("a play begins with a whole turn; this position is within one"))
    return start


def known_rules(room: Room, rules: str) -> str:
    """The name of a rule set, if the game has it.

    Raises:
        MalformedError: it does not.
    """
    if rules not in room.rule_sets:
        raise MalformedError(
            text(
                "{game} has no rule set {given}; it has {known}",
                game=room.title,
                given=quoted(rules),
                known=", ".join(room.rule_sets),
            )
        )
    return rules
