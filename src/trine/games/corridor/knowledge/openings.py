"""Start squares without a search, while they are to be chosen."""

from __future__ import annotations

from random import Random

from trine.games.corridor.knowledge.strategy import choose_start
from trine.games.corridor.position import Position
from trine.games.corridor.rules import Choice


def opening(position: Position, rng: Random) -> tuple[Choice, ...]:
    """A start square, while start squares are to be chosen; nothing once the pawns stand."""
    return (choose_start(position, rng),) if position.in_setup else ()
