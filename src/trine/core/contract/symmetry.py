"""Symmetries of a game: ways to turn or mirror a position under which all rules stay the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from trine.core.contract.position import ItsAction, ItsPosition


@dataclass(frozen=True)
class Symmetry:
    """A way to turn or mirror a game: cells get other places, and players perhaps other seats.

    Guarantee: the legal actions of the image of a position are the images of its legal actions; to
        play and to map give the same in either order; results are the same, but for the players,
        who have changed seats. Repetitions aside, a play and its image go on alike.
    """

    name: str
    """Short, for reports: ``mirror``, ``turn 60``."""
    players: tuple[int, ...]
    """The seat that each player gets."""
    position: Callable[[ItsPosition], ItsPosition]
    """``position(position)``: the image of a position."""
    action: Callable[[ItsAction], ItsAction]
    """``action(action)``: the image of an action."""


Symmetries: TypeAlias = tuple[Symmetry, ...]


def identity(players: int) -> Symmetry:
    """Return the symmetry that leaves everything where it is.

    >>> identity(2).players, identity(2).action("e4")
    ((0, 1), 'e4')
    """
    return Symmetry("same", tuple(range(players)), lambda position: position, lambda action: action)
