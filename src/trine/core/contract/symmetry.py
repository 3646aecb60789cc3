"""Symmetries of a game: rotations and reflections of a position that preserve the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from trine.core.contract.position import ItsAction, ItsPosition


@dataclass(frozen=True)
class Symmetry:
    """A rotation or reflection: a permutation of the cells, and perhaps of the seats.

    Guarantee: the legal actions of a position are mapped onto those of its image; playing and
        mapping commute; results are equal up to the permutation of the seats. Apart from
        repetition, a play and its image continue alike.
    """

    name: str
    """Short, for reports: ``mirror``, ``turn 60``."""
    players: tuple[int, ...]
    """The new seat of each player."""
    position: Callable[[ItsPosition], ItsPosition]
    """``position(position)``: the image of a position."""
    action: Callable[[ItsAction], ItsAction]
    """``action(action)``: the image of an action."""


Symmetries: TypeAlias = tuple[Symmetry, ...]


def identity(players: int) -> Symmetry:
    """Return the identity.

    >>> identity(2).players, identity(2).action("e4")
    ((0, 1), 'e4')
    """
    return Symmetry("same", tuple(range(players)), lambda position: position, lambda action: action)
