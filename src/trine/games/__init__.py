"""The rooms of the house, one for each game, and `open_room`, the only way in."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from trine.core.doors import Room
from trine.core.errors import MalformedError
from trine.core.play import Play
from trine.core.text import text

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
            text("no game {given}; there are {known}", given=repr(name), known=", ".join(ROOMS))
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
    if position:
        return Play(room, room.parse_position(position, rules))
    return Play(room, room.start(rules, handicap=handicap))


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
                given=repr(rules),
                known=", ".join(room.rule_sets),
            )
        )
    return rules
