"""Setting up a position by hand: what a position editor needs to know of a game.

A position being set up need not be legal: a pawn without a path, a piece on a trap. The finished
position is judged when its text is read (`Rules.parse_position`), and the referee reports errors.
"""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from trine.core.contract.position import ItsPosition, Position
from trine.core.errors import IllegalError
from trine.core.scene.scene import Piece
from trine.core.text.sentence import Text, quoted, text


class BoxPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece or wall that can be put on a board."""

    id: str
    label: Text
    piece: Piece | None = None
    """The id of its figure; None for a wall, which the wall spots show themselves."""


class Setting(msgspec.Struct, frozen=True):
    """A part of a position other than a piece: the player to move, the walls in hand."""

    id: str
    label: Text
    values: tuple[tuple[str, Text], ...]
    """The possible values, each with a label."""
    value: str


@dataclass(frozen=True)
class Editor:
    """The position editor of a game: functions that return new positions."""

    empty: Callable[[ItsPosition], ItsPosition]
    """``empty(position)``: an empty board of the same size and rules."""
    parts: Callable[[ItsPosition], tuple[BoxPart, ...]]
    """``parts(position)``: all parts, grouped by player."""
    put: Callable[[ItsPosition, str, str], ItsPosition]
    """``put(position, part, spot)``: the position with a part on a spot of the scene, where it
    replaces what was there, or grows a stack. Raises `IllegalError` if the part cannot be there."""
    take: Callable[[ItsPosition, str], tuple[ItsPosition, str]]
    """``take(position, spot)``: the position without the part on a spot, and that part, so that it
    can be put elsewhere; an empty string if the spot is empty."""
    settings: Callable[[ItsPosition], tuple[Setting, ...]]
    set: Callable[[ItsPosition, str, str], ItsPosition]
    """``set(position, setting, value)``; raises `IllegalError` for an impossible value."""


def mover_setting(position: Position) -> Setting:
    """Return the setting of the player to move, one of those who have not left."""
    movers = tuple((str(player), position.seats[player].name) for player in position.playing)
    return Setting("mover", text("To move"), movers, str(position.mover))


def check_value(settings: tuple[Setting, ...], name: str, value: str) -> None:
    """Raise `IllegalError` unless a setting can have a value."""
    if not any(one.id == name and value in dict(one.values) for one in settings):
        raise IllegalError("nothing is set by {given}", given=quoted(f"{name} {value}"))


def no_place(part: str, spot: str) -> IllegalError:
    return IllegalError("{part} cannot stand on {spot}", part=quoted(part), spot=quoted(spot))
