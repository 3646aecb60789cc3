"""Setting a position up by hand: what a box of pieces needs to know of a game.

The positions in between need not be legal: a pawn without a way, a piece on a trap. What has been
set up is judged as its text is read (`Rules.parse_position`), and the referee says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from trine.core.contract.position import ItsPosition
from trine.core.errors import IllegalError
from trine.core.scene.scene import Piece
from trine.core.text.sentence import Text
from trine.core.text.words import quoted


class BoxPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that can be put on a board."""

    id: str
    label: Text
    piece: Piece | None = None
    """Its picture, by the figures of the game's boards; None for a wall, which the spots for walls
    show themselves."""


class Setting(msgspec.Struct, frozen=True):
    """Something of a position that is no piece: the player to move, the walls in hand."""

    id: str
    label: Text
    values: tuple[tuple[str, Text], ...]
    """The values that it can have, each with its name."""
    value: str


@dataclass(frozen=True)
class Editor:
    """The box of a game. Positions go in and come out, and none is changed."""

    empty: Callable[[ItsPosition], ItsPosition]
    """``empty(position)``: the barest board by the same rules, of the same size."""
    parts: Callable[[ItsPosition], tuple[BoxPart, ...]]
    """``parts(position)``: what the box holds, each player's together."""
    put: Callable[[ItsPosition, str, str], ItsPosition]
    """``put(position, part, spot)``: a part put on a spot of the scene; what stood there is gone,
    or a stack has grown. Raises `IllegalError` where no such part can stand."""
    take: Callable[[ItsPosition, str], tuple[ItsPosition, str]]
    """``take(position, spot)``: the position without what stands on a spot, and the part that it
    is, so that it can be put elsewhere; an empty string for nothing."""
    settings: Callable[[ItsPosition], tuple[Setting, ...]]
    set: Callable[[ItsPosition, str, str], ItsPosition]
    """``set(position, setting, value)``; raises `IllegalError` where there is no such value."""


def check_value(settings: tuple[Setting, ...], name: str, value: str) -> None:
    """Raise `IllegalError` unless a setting can have a value."""
    if not any(one.id == name and value in dict(one.values) for one in settings):
        raise IllegalError("nothing is set by {given}", given=quoted(f"{name} {value}"))


def no_place(part: str, spot: str) -> IllegalError:
    """Return the error that a part cannot stand on a spot."""
    return IllegalError("{part} cannot stand on {spot}", part=quoted(part), spot=quoted(spot))
