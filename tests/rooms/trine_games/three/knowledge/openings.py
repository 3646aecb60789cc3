"""The first mark needs no thought."""

from __future__ import annotations

from random import Random

from trine_games.three.position import Position
from trine_games.three.rules import Mark


def opening(position: Position, rng: Random) -> tuple[Mark, ...]:
    """The centre or a corner on an empty board; else it must be thought about."""
    return () if position.marked else (Mark(rng.choice((0, 2, 4, 6, 8))),)
