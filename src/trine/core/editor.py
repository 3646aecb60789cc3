"""Setting a position up by hand: what a box of pieces needs to know of a game.

The positions in between need not be legal: a pawn without a way, a piece on a trap. What has been
set up is judged as its text is read (`Room.parse_position`), and the referee says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from trine.core.errors import IllegalError
from trine.core.position import ItsPosition
from trine.core.scene import Piece, Say
from trine.core.text import Text, text
from trine.core.words import quoted


@dataclass(frozen=True)
class Part:
    """Something that can be put on a board."""

    id: str
    label: Text
    piece: Piece | None = None
    """Its picture, by the figures of the game's boards; None for a wall, which the spots for walls
    show themselves."""

    def as_data(self, say: Say = str) -> dict[str, Any]:
        """Return the same as JSON knows it."""
        shown = self.piece and {
            "figure": self.piece.figure,
            "base": self.piece.base,
            "owner": self.piece.owner,
        }
        return {"id": self.id, "label": say(self.label), "piece": shown}


@dataclass(frozen=True)
class Setting:
    """Something of a position that is no piece: the player to move, the walls in hand."""

    id: str
    label: Text
    values: tuple[tuple[str, Text], ...]
    """The values that it can have, each with its name."""
    value: str

    def as_data(self, say: Say = str) -> dict[str, Any]:
        """Return the same as JSON knows it."""
        values = [{"id": one, "label": say(told)} for one, told in self.values]
        return {"id": self.id, "label": say(self.label), "values": values, "value": self.value}


@dataclass(frozen=True)
class Editor:
    """The box of a game. Positions go in and come out, and none is changed."""

    empty: Callable[[ItsPosition], ItsPosition]
    """``empty(position)``: the barest board by the same rules, of the same size."""
    parts: Callable[[ItsPosition], tuple[Part, ...]]
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
    """Raise an error unless a setting can have a value.

    Raises:
        IllegalError: it cannot.
    """
    if not any(one.id == name and value in dict(one.values) for one in settings):
        raise IllegalError(text("nothing is set by {given}", given=quoted(f"{name} {value}")))


def no_place(part: str, spot: str) -> IllegalError:
    """Return the error that a part cannot stand on a spot."""
    return IllegalError(text("{part} cannot stand on {spot}", part=quoted(part), spot=quoted(spot)))
